/** The token curve at any width: a lost spike is a lost fact, so each column keeps its extremes. */

import type { Seq } from '../event'
import type { Timeline } from './timeline'
import { PARTS, type Part } from './window'

/** One entry a pixel column. `low`, `high`: extremes of the total within it; `last`: its value at the end. */
export type Curve = {
  columns: number
  from: Seq
  to: Seq
  low: Float32Array
  high: Float32Array
  last: Float32Array
  /** By part, at the column's end, for stacked bands. */
  bands: Readonly<Record<Part, Float32Array>>
}

/** Column `c` of `columns` covers these events of `from ≤ seq < to`; at least one. */
export function columnRange(c: number, columns: number, from: Seq, to: Seq): [Seq, Seq] {
  const events = to - from
  const first = from + Math.floor((c * events) / columns)
  const end = from + Math.floor(((c + 1) * events) / columns)
  return [first, Math.max(first + 1, end)]
}

function startedRange(starts: Int32Array, c: number): [Seq, Seq] {
  const first = starts[c]!
  const end = starts[c + 1]!
  return end > first ? [first, end] : [Math.max(0, first - 1), Math.max(1, first)]
}

/**
 * The curve of `from ≤ seq < to` in `columns` columns; linear in the larger of the two. With `starts`,
 * column `c` covers `starts[c] ≤ seq < starts[c + 1]`; one that covers none goes on as the last ended.
 */
export function bucketTimeline(
  timeline: Timeline,
  columns: number,
  from: Seq = 0,
  to: Seq = timeline.length,
  starts?: Int32Array,
): Curve {
  const low = new Float32Array(columns)
  const high = new Float32Array(columns)
  const last = new Float32Array(columns)
  const bands = {} as Record<Part, Float32Array>
  for (const part of PARTS) bands[part] = new Float32Array(columns)
  const { total, parts } = timeline
  for (let c = 0; c < columns && to > from; c += 1) {
    const [first, end] = starts ? startedRange(starts, c) : columnRange(c, columns, from, to)
    let min = total[first]!
    let max = min
    for (let seq = first + 1; seq < end; seq += 1) {
      const value = total[seq]!
      if (value < min) min = value
      if (value > max) max = value
    }
    low[c] = min
    high[c] = max
    last[c] = total[end - 1]!
    for (const part of PARTS) bands[part][c] = parts[part][end - 1]!
  }
  return { columns, from, to, low, high, last, bands }
}
