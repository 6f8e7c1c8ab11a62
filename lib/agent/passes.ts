/** Layers one and two: tool results replaced without a model call. Rules X1–X5. */

import type { EventOf, Policy, PruneCause, Seq } from '../core/event'
import type { Block } from '../core/message'
import { readMeter } from '../core/meter'
import {
  chooseMedia,
  choosePrune,
  type PruneReport,
  planMicro,
  pruneDrafts,
  reportPrune,
  shortenResult,
} from '../core/prune'
import { shieldedNodes } from '../core/range'
import type { Session } from './session'
import { must } from './writer'

/** Before a request: old results become one line each, where the policy finds it worth the cache (X1, X5). */
export async function microPass(session: Session, policy: Policy): Promise<PruneReport> {
  const { log } = session
  return replaceResults(session, planMicro(log, policy, readMeter(log)), 'micro')
}

/**
 * Long results keep their beginning and end; old media go where bytes run out, or were refused by the
 * provider (X2, M4).
 */
export async function prunePass(
  session: Session,
  policy: Policy,
  cause: Exclude<PruneCause, 'micro'>,
  bytesRefused = false,
): Promise<PruneReport> {
  const { log, bodies } = session
  const media = chooseMedia(log, cause, bytesRefused)
  const seqs = choosePrune(log, policy, cause, media)
  if (seqs.length === 0) return NOTHING
  const events = (await bodies.read(seqs)) as EventOf<'tool/result'>[]
  const changes = events.flatMap(({ seq, data }) => {
    const content = shortenResult(data.content, policy.prune, media.includes(seq))
    return content ? [{ seq, content }] : []
  })
  return replaceResults(session, changes, cause)
}

const NOTHING: PruneReport = { pruned: [], charsRemoved: 0 }

/** The one loop that applies both plans: each pair adjacent, the whole pass in one transaction (X3, X4). */
async function replaceResults(
  session: Session,
  changes: readonly { seq: Seq; content: Block[] }[],
  cause: PruneCause,
): Promise<PruneReport> {
  if (changes.length === 0) return NOTHING
  const { log, writer, bodies } = session
  const originals = (await bodies.read(changes.map(({ seq }) => seq))) as EventOf<'tool/result'>[]
  const [first] = await must(writer, () => {
    const shielded = shieldedNodes(log)
    return changes.flatMap(({ seq, content }, index) =>
      shielded.has(seq) ? [] : pruneDrafts(log, seq, originals[index]!, content, cause),
    )
  })
  return first ? reportPrune(log.heads, first.seq) : NOTHING
}
