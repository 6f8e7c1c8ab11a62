/** What to summarise: runs of whole units, clear of pins and of what is still needed (C3, C8). */

import { checkGain } from './accept'
import type { CompactTrigger, EventHead, Policy, Range, Seq } from './event'
import { type Log, surfaceNodes } from './log'
import type { Reading } from './meter'
import { balancedCuts, type Run as Span } from './pairing'
import { thresholdOf } from './policy'
import { type Refusal, refuse } from './result'

/**
 * The surface in units, the smallest runs no balanced cut parts (P1). Nodes after the last balanced cut,
 * whose calls are open, are one unit more.
 */
function unitsOf(nodes: readonly Seq[], heads: readonly EventHead[]): Span[] {
  const cuts = balancedCuts(nodes, heads)
  if (cuts.at(-1) !== nodes.length) cuts.push(nodes.length)
  return cuts.slice(1).map((to, index) => ({ from: cuts[index]!, to }))
}

/** Nodes that no automatic pass may replace: pinned (K1) and restored ones (S7). */
export const shieldedNodes = ({ state }: Log): ReadonlySet<Seq> =>
  new Set([...state.pins, ...state.restored])

/** Where the newest unit begins; an open unit counts as the newest (C3). */
const newestUnit = (units: readonly Span[]): number => units.at(-1)?.from ?? 0

/** The newest unit of the live surface, in order. */
export function newestUnitOf(log: Log): Seq[] {
  const nodes = surfaceNodes(log)
  return nodes.slice(newestUnit(unitsOf(nodes, log.heads)))
}

/** Share of the window and of T that the recent tail may take (C8). */
const TAIL = { ofWindow: 0.16, ofThreshold: 0.3 }

/** Tokens of the recent tail, in the provider's measure (C8); none where neither window nor T is known. */
function tailBudget(policy: Policy, { window, maxTokens }: Reading): number {
  if (policy.keepTail === 'newest-unit') return 0
  const threshold = thresholdOf(policy, window, maxTokens)
  const budget = Math.min(
    window === undefined ? Number.POSITIVE_INFINITY : TAIL.ofWindow * window,
    threshold === undefined ? Number.POSITIVE_INFINITY : TAIL.ofThreshold * threshold,
  )
  return Number.isFinite(budget) ? budget : 0
}

/** Position where a tail within `budget` begins, moved toward the head to the start of a unit (C8). */
function tailStart(
  nodes: readonly Seq[],
  heads: readonly EventHead[],
  units: readonly Span[],
  budget: number,
): number {
  // Walks newest first: the newest unit stays even where it alone exceeds the budget.
  let start = nodes.length
  let left = budget
  while (start > 0 && heads[nodes[start - 1]!]!.tokens <= left) {
    start--
    left -= heads[nodes[start]!]!.tokens
  }
  return units.findLast(({ from }) => from <= start)?.from ?? 0
}

/** What one bracket replaces: nodes in surface order, and their estimated tokens. */
export type Run = Range & { seqs: Seq[]; tokens: number }

/** Gaps between the nodes that must stay, up to position `end` (C8). */
function* openSpans(units: readonly Span[], end: number, isKept: (at: number) => boolean) {
  let from = 0
  for (const unit of units) {
    if (unit.to > end) break
    let kept = false
    for (let at = unit.from; at < unit.to; at++) kept ||= isKept(at)
    if (!kept) continue
    if (unit.from > from) yield { from, to: unit.from }
    from = unit.to
  }
  if (end > from) yield { from, to: end }
}

/** `overflow` keeps nothing but the newest unit and takes any gain (C6, C9). */
export type RunMode = 'pressure' | 'overflow' | 'manual'

function runsBefore(log: Log, units: Span[], end: number, policy: Policy, mode: RunMode): Run[] {
  const nodes = surfaceNodes(log)
  const shielded = shieldedNodes(log)
  const trigger: CompactTrigger = mode === 'overflow' ? 'context-overflow' : 'pressure'
  const runs: Run[] = []
  for (const { from, to } of openSpans(units, end, (at) => shielded.has(nodes[at]!))) {
    const seqs = nodes.slice(from, to)
    const heads = seqs.map((seq) => log.heads[seq]!)
    if (heads.every((head) => head.kind === 'checkpoint')) continue
    if (checkGain(heads, policy.minGain, trigger)) continue
    const tokens = heads.reduce((sum, head) => sum + head.tokens, 0)
    runs.push({ start: seqs[0]!, end: seqs.at(-1)!, seqs, tokens })
  }
  return runs
}

/**
 * What to summarise, in surface order, each run a bracket of its own (C8). From the head to the recent
 * tail, parted by pinned and restored units, without runs that cannot gain `minGain` (C6). A manual run
 * that finds nothing before the tail takes all but the newest unit: the user asked for it.
 */
export function chooseRuns(log: Log, reading: Reading, policy: Policy, mode: RunMode): Run[] {
  const nodes = surfaceNodes(log)
  if (nodes.length === 0) return []
  const units = unitsOf(nodes, log.heads)
  const budget = mode === 'overflow' ? 0 : tailBudget(policy, reading) / reading.scale
  const runs = runsBefore(log, units, tailStart(nodes, log.heads, units, budget), policy, mode)
  if (runs.length > 0 || mode !== 'manual') return runs
  return runsBefore(log, units, newestUnit(units), policy, mode)
}

export type RangeChecks = {
  /** Refuses a range that cannot gain so much (C6); `trigger` `context-overflow` takes any gain. */
  minGain?: Policy['minGain']
  trigger?: CompactTrigger
  /** Putting a restored checkpoint back: neither C6 nor the newest-unit rule holds (S7). */
  undo?: boolean
}

/**
 * Why a range may not be summarised (C3, C6), or null: both ends on the surface, in order, balanced at
 * both edges, clear of pins and of calls in progress, and not reaching into the newest unit.
 */
export function checkRange(
  log: Log,
  start: Seq,
  end: Seq,
  checks: RangeChecks = {},
): Refusal | null {
  const nodes = surfaceNodes(log)
  const from = nodes.indexOf(start)
  const to = nodes.indexOf(end) + 1
  const no = (message: string, seq: Seq) => refuse('C3', message, seq).error
  if (from < 0) return no(`Node #${start} is not on the surface.`, start)
  if (to === 0) return no(`Node #${end} is not on the surface.`, end)
  if (to <= from) return no(`Node #${start} stands after node #${end}.`, start)
  const cuts = new Set(balancedCuts(nodes, log.heads))
  if (!cuts.has(from)) return no(`The range would part a call from its result at #${start}.`, start)
  if (!cuts.has(to))
    return no(`A call before #${end} is answered after it or still in progress.`, end)
  const pin = nodes.slice(from, to).find((seq) => log.state.pins.has(seq))
  if (pin !== undefined) return no(`Node #${pin} is pinned, by itself or with its unit.`, pin)
  if (checks.undo) return null
  if (to > newestUnit(unitsOf(nodes, log.heads))) return no('The newest unit stays as it is.', end)
  const heads = nodes.slice(from, to).map((seq) => log.heads[seq]!)
  return checks.minGain ? checkGain(heads, checks.minGain, checks.trigger ?? 'region') : null
}

/**
 * The smallest range of whole units that holds both nodes, in whichever order they are given; null where
 * one of them is not on the surface (P1).
 */
export function snapRange(log: Log, one: Seq, other: Seq): Range | null {
  const nodes = surfaceNodes(log)
  const ends = [nodes.indexOf(one), nodes.indexOf(other)].sort((a, b) => a - b)
  if (ends[0]! < 0) return null
  const units = unitsOf(nodes, log.heads)
  const first = units.find(({ to }) => to > ends[0]!)!
  const last = units.find(({ to }) => to > ends[1]!)!
  return { start: nodes[first.from]!, end: nodes[last.to - 1]! }
}
