/** What a restore would do, before it is done (S7). From heads alone. */

import type { DraftOf, Seq } from './event'
import { type Log, planAppend, surfaceOf } from './log'
import { readMeter } from './meter'
import { ok, type Refusal, type Result, refuse } from './result'
import { spanOf } from './state'
import { positionOf } from './surface'

export type RestorePreview = {
  /**
   * Replacements to take off, outermost first; the last is the one asked for. More than one: later
   * checkpoints merged it, and one restore for each layer is written, all in one transaction.
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
  /** Why the restores of the path would be refused. */
  refusal: Refusal | null
}

const restoreDraft = (replacementSeq: Seq): DraftOf<'surface/restore'> => ({
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

/**
 * Restores down to this replacement, layer by layer, for one storage transaction. What no path leads to is
 * left to the log to refuse.
 */
export function restoreDrafts(log: Log, seq: Seq): DraftOf<'surface/restore'>[] {
  const path = pathTo(log, seq)
  return (path.length > 0 ? path : [seq]).map(restoreDraft)
}

/** The replacement a `surface/restore` took off; undefined for other events. */
function restoredBy(log: Log, seq: Seq): Seq | undefined {
  const op = log.heads[seq]?.op
  return typeof op === 'object' && op.op === 'restore' ? op.seq : undefined
}

/**
 * Replacements that were restored in one go with this restore, outermost first. Events of one transaction have
 * one time; two clicks have two.
 */
function restoredTogether(log: Log, restoreSeq: Seq): Seq[] {
  const timeOf = (seq: Seq) => log.heads[seq]?.time
  const isInside = (inner: Seq | undefined, outer: Seq | undefined): boolean =>
    inner !== undefined && outer !== undefined && log.history.shadowsOf(outer).includes(inner)
  let first = restoreSeq
  while (
    timeOf(first - 1) === timeOf(restoreSeq) &&
    isInside(restoredBy(log, first), restoredBy(log, first - 1))
  )
    first--
  let last = restoreSeq
  while (
    timeOf(last + 1) === timeOf(restoreSeq) &&
    isInside(restoredBy(log, last + 1), restoredBy(log, last))
  )
    last++
  const path: Seq[] = []
  for (let seq = first; seq <= last; seq++) path.push(restoredBy(log, seq)!)
  return path
}

const isSame = (a: readonly Seq[], b: readonly Seq[]): boolean =>
  a.length === b.length && a.every((seq, index) => seq === b[index])

/** Whether two replacements stand for the same nodes, layers that came back inside them counted as what they were. */
function isLike(log: Log, a: Seq, b: Seq): boolean {
  if (a === b) return true
  const [inA, inB] = [log.history.shadowsOf(a), log.history.shadowsOf(b)]
  return (
    inA.length > 0 &&
    inA.length === inB.length &&
    inA.every((seq, index) => isLike(log, seq, inB[index]!))
  )
}

/**
 * The node itself, or, where it was taken off and its restore undone since, the one that came back in its stead:
 * over the same nodes, however many layers deep.
 */
export function standingFor(log: Log, seq: Seq): Seq {
  const { history, heads } = log
  const [first] = history.shadowsOf(seq)
  const isThere = positionOf(surfaceOf(log), seq) >= 0
  if (first === undefined || isThere || history.replacementOf(seq, heads.length) !== null)
    return seq
  const by = history.replacementOf(standingFor(log, first), heads.length)
  return by !== null && isLike(log, seq, by) ? by : seq
}

/** The nodes a path returned, from its layer `at` on, in surface order. */
function returnedBy(log: Log, path: readonly Seq[], at: number): Seq[] {
  const inner = path[at + 1]
  return log.history
    .shadowsOf(path[at]!)
    .flatMap((seq) => (seq === inner ? returnedBy(log, path, at + 1) : [standingFor(log, seq)]))
}

function stands(log: Log, nodes: readonly Seq[]): boolean {
  return isSame(spanOf(surfaceOf(log), nodes[0]!, nodes.at(-1)!), nodes)
}

/**
 * What undoing a restore puts back, innermost first (S7): all that was restored in one go with it, or, where
 * the outer layers have changed or hold a pinned node since, the layers inside that have not.
 */
export function planUndo(log: Log, restoreSeq: Seq): Result<Seq[], Refusal> {
  if (restoredBy(log, restoreSeq) === undefined)
    return refuse('S7', 'This is not a restore.', restoreSeq)
  const path = restoredTogether(log, restoreSeq)
  const whole = path.findIndex((_, at) => {
    const nodes = returnedBy(log, path, at)
    return stands(log, nodes) && !nodes.some((seq) => log.state.pins.has(seq))
  })
  return whole < 0
    ? refuse('S7', 'What the restore returned has changed since, or is pinned.', restoreSeq)
    : ok(path.slice(whole).reverse())
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

function refusalOf(log: Log, seq: Seq, path: readonly Seq[]): Refusal | null {
  if (log.history.shadowsOf(seq).length === 0)
    return refuse('S7', `#${seq} replaces nothing.`, seq).error
  if (path.length === 0)
    return refuse('S7', `#${seq} was taken off the surface already.`, seq).error
  const plan = planAppend(log, path.map(restoreDraft), log.heads.at(-1)?.time ?? 0)
  return plan.ok ? null : plan.error
}
