/** What one drawing of the strata shows, and where its brackets stand. */

import type { EventHead, Seq } from '@/lib/core/event'
import type { Attempt, Doubt } from '@/lib/core/projections/strata'
import type { StrataLayout } from '@/lib/core/projections/strata-layout'
import { type Camera, type Rows, yOf } from './camera'

/** A line over a span: what was lifted off it, what failed to cover it, what is being summarised. */
export type Bracket = {
  kind: 'restored' | 'failed' | 'running' | 'cancelled'
  /** The replacement lifted off, or the `compact/start`. */
  seq: Seq
  left: number
  right: number
  depth: number
  /** From the row upwards, 0 nearest. */
  lane: number
  label: string
}

export type Scene = {
  layout: StrataLayout
  /** Rows of the moment before, to move from while `progress` < 1. */
  before: StrataLayout | null
  progress: number
  heads: readonly EventHead[]
  camera: Camera
  rows: Rows
  pins: ReadonlySet<Seq>
  brackets: readonly Bracket[]
  /** Checkpoints whose span is not known exactly: drawn so that nobody takes it for exact. */
  doubts: ReadonlyMap<Seq, Doubt>
  selected: Seq | null
  hovered: Seq | null
  /** Indices of row 0, last one included. */
  range: { from: number; to: number } | null
}

/** Lanes over the top row before the rest is left to the list. */
const LANES = 3
export const LANE_HEIGHT = 13

/** Height of the band above the top row, CSS pixels. */
export function bandOf(brackets: readonly Bracket[], pinned: boolean): number {
  const lanes = Math.max(0, ...brackets.filter((b) => b.depth === 0).map((b) => b.lane + 1))
  return Math.max(4 + (pinned ? 8 : 0), lanes * LANE_HEIGHT + (lanes > 0 ? 4 : 0))
}

/**
 * Brackets of a moment. A failed attempt is shown for as long as its span still stands on the surface:
 * once something else lies over it, it explains nothing.
 */
export function bracketsOf(
  layout: StrataLayout,
  attempts: { running: Attempt | null; failed: readonly Attempt[] },
): Bracket[] {
  const brackets: Bracket[] = layout.ghosts.map((ghost) => ({
    kind: 'restored',
    seq: ghost.seq,
    left: ghost.left,
    right: ghost.right,
    depth: ghost.depth,
    lane: 0,
    label: `#${ghost.seq} lifted off`,
  }))
  for (const attempt of attempts.failed.slice(-LANES)) {
    const span = spanOnTop(layout, attempt)
    if (!span) continue
    const cancelled = attempt.code === 'cancelled'
    brackets.push({
      kind: cancelled ? 'cancelled' : 'failed',
      seq: attempt.seq,
      ...span,
      depth: 0,
      lane: 0,
      label: cancelled ? 'cancelled' : 'failed attempt',
    })
  }
  const span = attempts.running && spanOnTop(layout, attempts.running)
  if (span && attempts.running)
    brackets.push({
      kind: 'running',
      seq: attempts.running.seq,
      ...span,
      depth: 0,
      lane: 0,
      label: 'summarising…',
    })
  return stack(brackets)
}

/** Height of a bracket's line. */
export const bracketY = (rows: Rows, camera: Camera, bracket: Bracket): number =>
  yOf(rows, camera, bracket.depth) - 5 - bracket.lane * LANE_HEIGHT

/** The bracket whose line runs through a point, in units and CSS pixels; null where none does. */
export const bracketAt = (
  brackets: readonly Bracket[],
  rows: Rows,
  camera: Camera,
  unit: number,
  y: number,
): Bracket | null =>
  brackets.find(
    (bracket) =>
      Math.abs(bracketY(rows, camera, bracket) - y) <= LANE_HEIGHT / 2 &&
      bracket.left <= unit &&
      unit <= bracket.right,
  ) ?? null

function spanOnTop(layout: StrataLayout, attempt: Attempt): { left: number; right: number } | null {
  const start = layout.indexBySeq[attempt.start] ?? -1
  const end = layout.indexBySeq[attempt.end] ?? -1
  const top = layout.rowStart[1] ?? 0
  if (start < 0 || end < 0 || start >= top || end >= top || start > end) return null
  return { left: layout.left[start]!, right: layout.right[end]! }
}

/** Gives every bracket the lowest lane free over its span; those beyond the last lane are dropped. */
function stack(brackets: Bracket[]): Bracket[] {
  const placed: Bracket[] = []
  for (const bracket of brackets) {
    const taken = new Set(
      placed
        .filter(
          (other) =>
            other.depth === bracket.depth &&
            other.left < bracket.right &&
            other.right > bracket.left,
        )
        .map((other) => other.lane),
    )
    let lane = 0
    while (taken.has(lane)) lane += 1
    if (lane < (bracket.depth === 0 ? LANES : 1)) placed.push({ ...bracket, lane })
  }
  return placed
}
