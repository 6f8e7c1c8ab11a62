/** A range on the top row, snapped so that no cut parts a call from its result (P1). */

import type { EventHead, Seq } from '@/lib/core/event'
import { balancedCuts } from '@/lib/core/pairing'
import type { StrataLayout } from '@/lib/core/projections/strata-layout'

/** Indices of row 0, `to` included. */
export type TopRange = { from: number; to: number }

const topRow = (layout: StrataLayout): Seq[] =>
  Array.from(layout.seq.subarray(0, layout.rowStart[1] ?? 0))

const known = new WeakMap<StrataLayout, number[]>()

/** Positions 0 to n where the top row may be cut. Linear, so only asked for when somebody drags. */
export function cutsOf(layout: StrataLayout, heads: readonly EventHead[]): number[] {
  const cuts = known.get(layout) ?? balancedCuts(topRow(layout), heads)
  known.set(layout, cuts)
  return cuts
}

/** The smallest range between balanced cuts that holds both ends. */
export function snapTo(cuts: readonly number[], one: number, other: number): TopRange | null {
  const first = Math.min(one, other)
  const last = Math.max(one, other)
  const from = cuts.findLast((cut) => cut <= first)
  const to = cuts.find((cut) => cut > last)
  return from === undefined || to === undefined ? null : { from, to: to - 1 }
}

/** Where a range of nodes stands on another moment's top row; null where an end has gone or they lie otherwise. */
export function rangeOf(layout: StrataLayout, seqs: readonly Seq[]): TopRange | null {
  const top = layout.seq.subarray(0, layout.rowStart[1] ?? 0)
  const from = top.indexOf(seqs[0] ?? -1)
  const to = from + seqs.length - 1
  return from >= 0 && top[to] === seqs.at(-1) ? { from, to } : null
}

export const seqsIn = (layout: StrataLayout, range: TopRange): Seq[] =>
  Array.from(layout.seq.subarray(range.from, range.to + 1))
