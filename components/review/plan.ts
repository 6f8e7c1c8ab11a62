/** What a compaction by hand would take and what it leaves, before it is asked for (C3, C8, K1). Pure. */

import { checkGain, headsOf } from '@/lib/core/accept'
import type { Policy, Range, Seq } from '@/lib/core/event'
import { type Log, surfaceNodes } from '@/lib/core/log'
import type { Reading } from '@/lib/core/meter'
import { chooseRuns, newestUnitOf, type Run, snapRange } from '@/lib/core/range'

/** Why a node in the middle stays as it is. */
export type Kept = 'pinned' | 'restored' | 'newest' | 'little'

export type PlanRow = { seq: Seq; kept: Kept | null }

export type Plan = {
  /** Each becomes a summary of its own, in surface order. */
  runs: Run[]
  /** Every node from the first to the last, those that stay included. */
  rows: PlanRow[]
  /** Why there are no runs, for people. */
  refusal: string | null
}

const keptBy = (log: Log, seq: Seq, newest: ReadonlySet<Seq>): Kept | null => {
  if (log.state.pins.has(seq)) return 'pinned'
  return newest.has(seq) ? 'newest' : null
}

/** Runs of neighbours that nothing keeps. */
function partsOf(rows: readonly PlanRow[]): Seq[][] {
  const parts: Seq[][] = [[]]
  for (const { seq, kept } of rows) {
    if (kept) parts.push([])
    else parts.at(-1)!.push(seq)
  }
  return parts.filter((part) => part.length > 0)
}

const WHY: Record<Kept, string> = {
  pinned: 'Every message in it is pinned.',
  newest: 'The newest exchange stays as it is.',
  restored: 'What was restored stays until it is unpinned.',
  little: 'It would not get smaller.',
}

export type Ends = { one: Seq; other: Seq }

/**
 * A region between two nodes: widened to whole units, parted by pins. Null where one is not on the surface.
 * The log grows in place; its version is asked for so that nobody keeps an old plan.
 */
export function planRegion(
  log: Log,
  _version: number,
  { one, other }: Ends,
  policy: Policy,
): Plan | null {
  const range = snapRange(log, one, other)
  if (!range) return null
  const nodes = surfaceNodes(log)
  const seqs = nodes.slice(nodes.indexOf(range.start), nodes.indexOf(range.end) + 1)
  const newest = new Set(newestUnitOf(log))
  const rows: PlanRow[] = seqs.map((seq) => ({ seq, kept: keptBy(log, seq, newest) }))
  const runs: Run[] = []
  let refusal: string | null = null
  for (const part of partsOf(rows)) {
    const heads = headsOf(log, part)
    const flaw = checkGain(heads, policy.minGain, 'region')
    if (flaw) {
      refusal ??= flaw.message
      for (const row of rows) if (part.includes(row.seq)) row.kept = 'little'
      continue
    }
    const tokens = heads.reduce((sum, head) => sum + head.tokens, 0)
    runs.push({ start: part[0]!, end: part.at(-1)!, seqs: part, tokens })
  }
  if (runs.length > 0) return { runs, rows, refusal: null }
  return { runs, rows, refusal: refusal ?? WHY[rows[0]?.kept ?? 'little'] }
}

/** What `compact` would take now. */
export function planWhole(log: Log, reading: Reading, policy: Policy): Plan {
  const runs = chooseRuns(log, reading, policy, 'manual')
  const refusal =
    runs.length > 0 ? null : 'Nothing older than the newest exchange would get smaller.'
  return { runs, rows: rowsBetween(log, runs), refusal }
}

/** The plan of drafts that are there already. */
export const planOfDrafts = (log: Log, runs: Run[]): Plan => ({
  runs,
  rows: rowsBetween(log, runs),
  refusal: null,
})

function rowsBetween(log: Log, runs: readonly Run[]): PlanRow[] {
  const taken = new Set(runs.flatMap(({ seqs }) => seqs))
  const nodes = surfaceNodes(log)
  const from = nodes.findIndex((seq) => taken.has(seq))
  if (from < 0) return runs.flatMap(({ seqs }) => seqs.map((seq) => ({ seq, kept: null })))
  const to = nodes.findLastIndex((seq) => taken.has(seq))
  return nodes.slice(from, to + 1).map((seq) => ({
    seq,
    kept: taken.has(seq)
      ? null
      : log.state.pins.has(seq)
        ? 'pinned'
        : log.state.restored.has(seq)
          ? 'restored'
          : 'little',
  }))
}

export const isSameRange = (a: Range, b: Range): boolean => a.start === b.start && a.end === b.end
