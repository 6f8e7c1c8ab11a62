/** What a restore would do, before it is done (S7). From heads alone. */

import type { DraftOf, Seq } from './event'
import { type Log, planAppend, surfaceOf } from './log'
import { readMeter } from './meter'
import { type Refusal, refuse } from './result'
import { positionOf } from './surface'

export type RestorePreview = {
  /**
   * Replacements to take off, outermost first; the last is the one asked for. More than one: later
   * checkpoints merged it, and each restore undoes one layer.
   */
  path: Seq[]
  /** The nodes that come back in its place, in order. */
  returns: readonly Seq[]
  /** Tokens of the next request now and after the whole path, in the provider's measure. */
  before: number
  after: number
  threshold?: number
  window?: number
  /** Automatic compaction would begin at once; what came back is spared by it (C7, S7). */
  isAboveThreshold: boolean
  /** No request would fit any more. */
  isAboveWindow: boolean
  /** Why the first restore of the path would be refused. */
  refusal: Refusal | null
}

export const restoreDraft = (replacementSeq: Seq): DraftOf<'surface/restore'> => ({
  type: 'surface/restore',
  data: { replacementSeq },
  surfaceOp: { op: 'restore', seq: replacementSeq },
})

/** From the replacement on the surface down to `seq`, layer by layer; empty where none leads there. */
function pathTo(log: Log, seq: Seq): Seq[] {
  const path = [seq]
  const surface = surfaceOf(log)
  const at = log.heads.length
  for (let outer = seq; positionOf(surface, outer) < 0; ) {
    const over = log.history.replacementOf(outer, at)
    if (over === null) return []
    path.unshift(over)
    outer = over
  }
  return path
}

/** What taking this replacement off the surface would come to. `seq`: a checkpoint or a pruned result. */
export function previewRestore(log: Log, seq: Seq): RestorePreview {
  const reading = readMeter(log)
  const path = pathTo(log, seq)
  const returns = log.history.shadowsOf(seq)
  const tokensOf = (at: Seq): number => log.heads[at]?.tokens ?? 0
  const gained = path.reduce((sum, layer) => {
    const back = log.history.shadowsOf(layer)
    return sum - tokensOf(layer) + back.reduce((tokens, node) => tokens + tokensOf(node), 0)
  }, 0)
  const { total: before, scale, threshold, window, maxTokens } = reading
  const after = before + Math.round(scale * gained)
  return {
    path,
    returns,
    before,
    after,
    threshold,
    window,
    isAboveThreshold: threshold !== undefined && after > threshold,
    isAboveWindow: window !== undefined && after + maxTokens > window,
    refusal: refusalOf(log, seq, path),
  }
}

function refusalOf(log: Log, seq: Seq, [outermost]: readonly Seq[]): Refusal | null {
  if (log.history.shadowsOf(seq).length === 0)
    return refuse('S7', `#${seq} replaces nothing.`, seq).error
  if (outermost === undefined)
    return refuse('S7', `#${seq} was taken off the surface already.`, seq).error
  const plan = planAppend(log, [restoreDraft(outermost)], log.heads.at(-1)?.time ?? 0)
  return plan.ok ? null : plan.error
}
