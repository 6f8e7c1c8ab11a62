/** Where things stand on the time bar: events from left to right, tokens from the bottom up. */

import type { Seq } from '@/lib/core/event'
import { isSummary, type Mark, type Timeline } from '@/lib/core/projections/timeline'

/** Tokens at the top of the plot. The threshold is in sight unless the curve would vanish beneath it. */
export function ceilingOf(peak: number, threshold: number | undefined): number {
  const tall = Math.max(peak, 1)
  if (threshold === undefined) return tall * 1.18
  return threshold <= tall * 6 ? Math.max(tall, threshold) * 1.12 : tall * 1.5
}

/** Round values for an axis from 0 to `ceiling`, at most `most`, without 0: 1, 2 or 5 × a power of ten apart. */
export function ticksOf(ceiling: number, most: number): number[] {
  if (most < 1 || ceiling <= 0) return []
  const raw = ceiling / most
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 5, 10].map((m) => m * power).find((value) => value >= raw) ?? raw
  const ticks: number[] = []
  for (let value = step; value < ceiling; value += step) ticks.push(value)
  return ticks
}

/** Rank of a mark when labels fight for room: summaries, attempts that failed, restores, the rest. */
const rankOf = (mark: Mark): number =>
  isSummary(mark) ? 0 : mark.status !== 'done' ? 1 : mark.kind === 'restore' ? 2 : 3

export type Label = { x: number; text: string; mark: number }

/**
 * Labels that fit side by side without touching, important marks first; `measure` gives a text's
 * width. In order of x.
 */
export function placeLabels(
  marks: readonly Mark[],
  xOf: (mark: Mark) => number,
  textOf: (mark: Mark) => string,
  measure: (text: string) => number,
  width: number,
): Label[] {
  const order = marks.map((_, i) => i).sort((a, b) => rankOf(marks[a]!) - rankOf(marks[b]!))
  const taken: { from: number; to: number }[] = []
  const labels: Label[] = []
  for (const i of order) {
    if (taken.length > width / 24) break
    const mark = marks[i]!
    const text = textOf(mark)
    const half = measure(text) / 2
    const x = Math.min(Math.max(xOf(mark), half), width - half)
    if (taken.some(({ from, to }) => x - half - 6 < to && x + half + 6 > from)) continue
    taken.push({ from: x - half, to: x + half })
    labels.push({ x, text, mark: i })
  }
  return labels.sort((a, b) => a.x - b.x)
}

/** A glyph is met this far from its middle, CSS pixels. */
export const REACH = 8

/** The mark a pointer at `x` is on, by the place of its head; where several are as near, what matters more. */
export function markNear(
  marks: readonly Mark[],
  xOf: (mark: Mark) => number,
  x: number,
): Mark | null {
  let found: Mark | null = null
  let least = Number.POSITIVE_INFINITY
  for (const mark of marks) {
    const away = Math.abs(xOf(mark) - x)
    if (away > REACH || away + rankOf(mark) >= least) continue
    found = mark
    least = away + rankOf(mark)
  }
  return found
}

/** Word under a glyph. */
export function markLabel(mark: Mark): string {
  const word = { model: 'asked for', restore: 'restored' }[mark.kind as string] ?? mark.kind
  return mark.status === 'done' ? word : mark.status === 'drafted' ? 'draft' : mark.status
}

/** Seqs that `[` and `]` visit: where a summary landed or was taken back. */
export const compactionStops = (timeline: Timeline): Seq[] =>
  timeline.marks
    .filter((mark) => isSummary(mark) || mark.kind === 'restore')
    .map((mark) => mark.seq)

/** The mark whose change of the surface is event `seq`. Marks are in order of `from`, so nearly of `seq`. */
export const markAt = (timeline: Timeline, seq: Seq): Mark | null =>
  timeline.marks.find((mark) => mark.seq === seq) ?? null

/** The stop before or after `seq`, or null. */
export function nextStop(stops: readonly Seq[], seq: Seq, forward: boolean): Seq | null {
  return (forward ? stops.find((stop) => stop > seq) : stops.findLast((stop) => stop < seq)) ?? null
}
