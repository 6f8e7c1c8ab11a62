/** The frame of one drawing of the time bar: what is shown, and where a seq and a number of tokens lie. */

import type { Palette } from '@/components/inspector/canvas/palette'
import type { Size } from '@/components/inspector/canvas/use-canvas'
import type { Timeline } from '@/lib/core/projections/timeline'
import type { Axis } from './axis'
import { ceilingOf } from './geometry'

/** Room under the plot for labels and right of it for the axis, CSS pixels. */
export const LABEL_ROOM = 18
export const AXIS_ROOM = 44

export type Plot = {
  context: CanvasRenderingContext2D
  palette: Palette
  timeline: Timeline
  events: number
  axis: Axis
  width: number
  height: number
  /** One device pixel in CSS pixels. */
  hair: number
  x(seq: number): number
  y(tokens: number): number
  ceiling: number
}

export function plotOf(
  context: CanvasRenderingContext2D,
  size: Size,
  palette: Palette,
  timeline: Timeline,
  axis: Axis,
  compact: boolean,
): Plot {
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
    context,
    palette,
    timeline,
    events,
    width,
    height,
    hair: 1 / size.ratio,
    ceiling,
    axis,
    x: (seq) => axis.shareOf(seq) * width,
    y: (tokens) => height - (Math.min(tokens, ceiling) / ceiling) * (height - top),
  }
}
