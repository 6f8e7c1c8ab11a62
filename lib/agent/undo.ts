/** Taking restores back. Rule S7. */

import type { EventHead, EventOf, Range, Seq } from '../core/event'
import { pruneDrafts } from '../core/prune'
import { planUndo, standingFor } from '../core/restore'
import { ok, type Refusal, type Result, refuse } from '../core/result'
import { runBracket } from './compact'
import { headerFor } from './manual'
import type { Relief } from './pressure'
import type { Session } from './session'

/**
 * Takes a restore back with all that was restored in one go with it, innermost first: a checkpoint returns
 * by a bracket without a model call over exactly the nodes the restore returned, a pruned result by a fresh
 * prune. Where an outer layer has changed since, what lies inside it returns alone; refused where nothing can.
 */
export async function undoRestore(
  session: Session,
  restoreSeq: Seq,
  relief: Relief,
): Promise<Result<null, Refusal>> {
  const { log } = session
  const layers = planUndo(log, restoreSeq)
  if (!layers.ok) return layers
  for (const replacementSeq of layers.value) {
    const replacement = log.heads[replacementSeq]!
    const range = standingRange(session, replacementSeq)
    const done =
      replacement.type === 'tool/result'
        ? await undoPrune(session, replacement, range.start)
        : await undoCheckpoint(session, replacement, range, relief)
    if (!done.ok) return done
  }
  return ok(null)
}

/** The ends of what a replacement shadowed; a layer inside it that came back already stands as another node. */
function standingRange({ log }: Session, replacementSeq: Seq): Range {
  const shadowed = log.history.shadowsOf(replacementSeq)
  return {
    start: standingFor(log, shadowed[0]!),
    end: standingFor(log, shadowed.at(-1)!),
  }
}

async function undoPrune(
  { log, writer, bodies }: Session,
  replacement: EventHead,
  seq: Seq,
): Promise<Result<null, Refusal>> {
  const [original, pruned] = (await bodies.read([seq, replacement.seq])) as [
    EventOf<'tool/result'>,
    EventOf<'tool/result'>,
  ]
  const result = await writer.commit(() =>
    pruneDrafts(log, seq, original, pruned.data.content, 'manual'),
  )
  return result.ok ? ok(null) : result
}

async function undoCheckpoint(
  session: Session,
  replacement: EventHead,
  range: Range,
  { turn, signal }: Relief,
): Promise<Result<null, Refusal>> {
  const { log, bodies } = session
  const summaryHead = log.heads.find(
    (head) => head.type === 'compact/summary' && head.compactionId === replacement.compactionId,
  )
  if (!summaryHead) return refuse('S7', 'The log does not hold that summary.', replacement.seq)
  const [summary, message] = (await bodies.read([summaryHead.seq, replacement.seq])) as [
    EventOf<'compact/summary'>,
    EventOf<'user/message'>,
  ]
  const header = await headerFor(session, turn)
  const { literals, opaque } = summary.data
  const { content } = message.data
  const given = {
    kind: 'undo' as const,
    summary: summary.data.summary,
    literals,
    content,
    opaque,
  }
  const bracket = { range, turn, signal, trigger: 'manual' as const, given }
  const outcome = await runBracket(session, header, bracket)
  return outcome.ok ? ok(null) : refuse('S7', outcome.error.message, range.start)
}
