/** The frame of one drawing of the time bar: what is shown, and where a seq and a number of tokens lie. */

import type { Palette } from '@/components/inspector/canvas/palette'
import type { Size } from '@/components/inspector/canvas/use-canvas'
import type { Mark, Timeline } from '@/lib/core/projections/timeline'
import type { Axis } from './axis'
import { ceilingOf, markNear, REACH } from './geometry'

/** Room under the plot for labels and right of it for the axis, CSS pixels. */
export const LABEL_ROOM = 18
export const AXIS_ROOM = 44

/** Where things lie, without anything to draw them with. */
export type Frame = {
  timeline: Timeline
  events: number
  axis: Axis
  width: number
  height: number
  x(seq: number): number
  y(tokens: number): number
  ceiling: number
}

export type Plot = Frame & {
  context: CanvasRenderingContext2D
  palette: Palette
  /** One device pixel in CSS pixels. */
  hair: number
}

export function frameOf(size: Size, timeline: Timeline, axis: Axis, compact: boolean): Frame {
  const { events } = axis
  const width = Math.max(1, size.width - (compact ? 0 : AXIS_ROOM))
  const height = Math.max(1, size.height - LABEL_ROOM)
  const threshold = timeline.limits.reduce<number | undefined>(
    (most, limit) => (limit.threshold === undefined ? most : Math.max(most ?? 0, limit.threshold)),
    undefined,
  )
  const ceiling = ceilingOf(timeline.peak, threshold)
  const top = 8
  return {
    timeline,
    events,
    width,
    height,
    ceiling,
    axis,
    x: (seq) => axis.shareOf(seq) * width,
    y: (tokens) => height - (Math.min(tokens, ceiling) / ceiling) * (height - top),
  }
}

/** Where the head of a mark is drawn: a pass of many replacements slopes down from its first. */
export const headOf = ({ x, y }: Frame, mark: Mark): { x: number; y: number } => ({
  x: x(mark.count > 1 ? Math.max(0, mark.from - 1) : mark.seq),
  y: y(mark.before),
})

/**
 * The mark at a place of the box: on its head, along its drop, or beneath it where its name stands; of
 * several, `markNear`'s.
 */
export function markUnder(frame: Frame, x: number, y: number): Mark | null {
  const isAt = (mark: Mark): boolean => {
    if (mark.seq >= frame.events) return false
    if (y >= frame.height) return true
    const head = headOf(frame, mark)
    const foot = mark.count === 1 ? Math.max(head.y, frame.y(mark.after)) : head.y
    return y >= head.y - REACH - 2 && y <= foot + REACH + 2
  }
  return markNear(frame.timeline.marks.filter(isAt), (mark) => headOf(frame, mark).x, x)
}
