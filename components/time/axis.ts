/**
 * Where an event stands from left to right: by its place in the log, or by the clock with long pauses
 * folded. Order is always that of the log: a clock that went back stands still.
 */

import type { EventHead, Seq } from '@/lib/core/event'

export type AxisKind = 'events' | 'clock'

/** A pause drawn narrower than it was. */
export type Gap = { after: Seq; ms: number }

export type Axis = {
  kind: AxisKind
  events: number
  /** 0 for the first event, 1 for the newest. */
  shareOf(seq: Seq): number
  /** The last event at or before a share of the width. */
  seqAt(share: number): Seq
  gaps: readonly Gap[]
}

const clampSeq = (seq: number, events: number): Seq => Math.min(events - 1, Math.max(0, seq))

export const eventAxis = (events: number): Axis => ({
  kind: 'events',
  events,
  shareOf: (seq) => (events <= 1 ? 0 : seq / (events - 1)),
  seqAt: (share) => (events <= 1 ? 0 : clampSeq(Math.round(share * (events - 1)), events)),
  gaps: [],
})

/** Longer pauses are folded, ms. */
const LONG = 5 * 60_000
/** Width of a folded pause, of the time worked; all of them together take no more than the second. */
const FOLD = 0.02
const FOLDS = 0.3

/** Times that never go back, with long pauses folded, as shares; and which were. */
export function clockAxis(heads: readonly EventHead[], events: number): Axis {
  const gaps: Gap[] = []
  let worked = 0
  let latest = heads[0]?.time ?? 0
  for (let seq = 1; seq < events; seq += 1) {
    const ms = Math.max(0, heads[seq]!.time - latest)
    latest = Math.max(latest, heads[seq]!.time)
    if (ms > LONG) gaps.push({ after: seq - 1, ms })
    else worked += ms
  }
  if (events > 1 && worked === 0 && gaps.length === 0)
    return { ...eventAxis(events), kind: 'clock' }
  const folded = gaps.length === 0 ? 0 : Math.max(1, worked) * Math.min(FOLD, FOLDS / gaps.length)
  const places = new Float64Array(events)
  latest = heads[0]?.time ?? 0
  for (let seq = 1; seq < events; seq += 1) {
    const ms = Math.max(0, heads[seq]!.time - latest)
    latest = Math.max(latest, heads[seq]!.time)
    places[seq] = places[seq - 1]! + (ms > LONG ? folded : ms)
  }
  const whole = places[events - 1] || 1
  return {
    kind: 'clock',
    events,
    shareOf: (seq) => (places[clampSeq(seq, events)] ?? 0) / whole,
    seqAt: (share) => clampSeq(firstBeyond(places, share * whole) - 1, events),
    gaps,
  }
}

/** Index of the first place beyond `at`. */
function firstBeyond(places: Float64Array, at: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (places[middle]! > at) high = middle
    else low = middle + 1
  }
  return low
}

/** Where each of `columns` pixel columns begins, and the end: what a column without an event holds came before it. */
export function columnStarts(axis: Axis, columns: number): Int32Array {
  const starts = new Int32Array(columns + 1)
  for (let c = 1; c < columns; c += 1) {
    const seq = axis.seqAt(c / columns)
    starts[c] = axis.shareOf(seq) < c / columns ? seq + 1 : seq
  }
  starts[columns] = axis.events
  return starts
}
