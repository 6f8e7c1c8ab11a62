/** Draws the token curve and what happened to it; everything but the playhead. */

import type { Palette } from '@/components/inspector/canvas/palette'
import type { Draw } from '@/components/inspector/canvas/use-canvas'
import { duration, short } from '@/components/ui/format'
import { bucketTimeline, type Curve } from '@/lib/core/projections/curve'
import type { Timeline } from '@/lib/core/projections/timeline'
import type { Part } from '@/lib/core/projections/window'
import { type Axis, columnStarts } from './axis'
import { drawFailures, drawLabels, drawMarks } from './draw-glyphs'
import { ticksOf } from './geometry'
import { AXIS_ROOM, frameOf, type Plot } from './plot'

const BANDS: readonly { part: Part; color: keyof Palette & string; alpha: number }[] = [
  { part: 'system', color: 'ink3', alpha: 0.3 },
  { part: 'tools', color: 'ink3', alpha: 0.22 },
  { part: 'summary', color: 'summary', alpha: 0.42 },
  { part: 'user', color: 'user', alpha: 0.34 },
  { part: 'assistant', color: 'assistant', alpha: 0.3 },
  { part: 'results', color: 'result', alpha: 0.26 },
]

/** The drawing of `timeline` along an axis, which says how many events are shown. */
export function drawCurve(timeline: Timeline, axis: Axis, compact: boolean): Draw {
  const { events } = axis
  return (context, size, palette) => {
    const frame = frameOf(size, timeline, axis, compact)
    const plot: Plot = { ...frame, context, palette, hair: 1 / size.ratio }
    if (events === 0) return drawFloor(plot)
    const columns = Math.max(1, Math.round(plot.width * size.ratio))
    const curve = events > columns ? bucketed(timeline, axis, columns) : null
    drawGaps(plot)
    drawBands(plot, curve)
    drawLimits(plot)
    drawLine(plot, curve)
    drawFloor(plot)
    drawMarks(plot)
    drawFailures(plot)
    if (!compact) drawAxis(plot)
    drawLabels(plot)
  }
}

const bucketed = (timeline: Timeline, axis: Axis, columns: number): Curve =>
  axis.kind === 'events'
    ? bucketTimeline(timeline, columns, 0, axis.events)
    : bucketTimeline(timeline, columns, 0, axis.events, columnStarts(axis, columns))

/** Pauses that were folded: a hatched strip, and how long it was where there is room. */
function drawGaps(plot: Plot): void {
  const { context, palette, axis, x, height, width } = plot
  context.font = `10px ${palette.sans}`
  context.textAlign = 'center'
  context.textBaseline = 'top'
  let last = Number.NEGATIVE_INFINITY
  for (const { after, ms } of axis.gaps) {
    const left = x(after)
    const right = Math.max(left + 2, x(after + 1))
    context.fillStyle = palette.line2
    context.globalAlpha = 0.45
    for (let at = left; at < right; at += 3) context.fillRect(at, 8, 1, height - 8)
    context.globalAlpha = 1
    const words = duration(ms)
    const half = context.measureText(words).width / 2
    const middle = Math.min(Math.max((left + right) / 2, half), width - half)
    if (middle - half < last + 6) continue
    last = middle + half
    context.fillStyle = palette.ink3
    context.fillText(words, middle, 0)
  }
}

/** Growth slopes, so that the eye follows it; a drop is a cliff, for the line and for every band. */
const falls = ({ timeline }: Plot, seq: number): boolean =>
  timeline.total[seq]! < timeline.total[seq - 1]!

/** Walks the curve's outline; each event holds until the next. */
function outline(plot: Plot, curve: Curve | null, value: (at: number) => number): void {
  const { context, x, y } = plot
  if (curve) {
    for (let c = 0; c < curve.columns; c += 1)
      context.lineTo(((c + 0.5) / curve.columns) * plot.width, y(value(c)))
    return
  }
  let previous = value(0)
  context.lineTo(0, y(previous))
  for (let seq = 1; seq < plot.events; seq += 1) {
    const next = value(seq)
    if (next === previous) continue
    context.lineTo(x(falls(plot, seq) ? seq : seq - 1), y(previous))
    context.lineTo(x(seq), y(next))
    previous = next
  }
  context.lineTo(plot.width, y(previous))
}

function drawBands(plot: Plot, curve: Curve | null): void {
  const { context, palette, timeline } = plot
  const size = curve ? curve.columns : plot.events
  const floor = new Float32Array(size)
  const ceiling = new Float32Array(size)
  for (const band of BANDS) {
    const column = curve ? curve.bands[band.part] : timeline.parts[band.part]
    for (let i = 0; i < size; i += 1) ceiling[i] = floor[i]! + column[i]!
    context.beginPath()
    outline(plot, curve, (i) => ceiling[i]!)
    backwards(plot, curve, floor)
    context.closePath()
    context.globalAlpha = band.alpha
    context.fillStyle = palette[band.color] as string
    context.fill()
    floor.set(ceiling)
  }
  context.globalAlpha = 1
}

function backwards(plot: Plot, curve: Curve | null, floor: Float32Array): void {
  const { context, x, y } = plot
  if (curve) {
    for (let c = curve.columns - 1; c >= 0; c -= 1)
      context.lineTo(((c + 0.5) / curve.columns) * plot.width, y(floor[c]!))
    return
  }
  let next = floor[plot.events - 1]!
  context.lineTo(plot.width, y(next))
  for (let seq = plot.events - 1; seq > 0; seq -= 1) {
    const previous = floor[seq - 1]!
    if (next === previous) continue
    context.lineTo(x(seq), y(next))
    context.lineTo(x(falls(plot, seq) ? seq : seq - 1), y(previous))
    next = previous
  }
  context.lineTo(0, y(next))
}

function drawLine(plot: Plot, curve: Curve | null): void {
  const { context, palette, timeline, y } = plot
  context.strokeStyle = palette.ink2
  context.lineJoin = 'round'
  if (curve) {
    // Every column from its lowest to its highest value: no spike is lost at any width.
    context.lineWidth = plot.hair
    context.beginPath()
    let joint = curve.low[0]!
    for (let c = 0; c < curve.columns; c += 1) {
      const at = ((c + 0.5) / curve.columns) * plot.width
      context.moveTo(at, y(Math.min(curve.low[c]!, joint)) + plot.hair)
      context.lineTo(at, y(Math.max(curve.high[c]!, joint)))
      joint = curve.last[c]!
    }
    context.stroke()
    return
  }
  context.lineWidth = 1.4
  context.beginPath()
  outline(plot, null, (seq) => timeline.total[seq]!)
  context.stroke()
}

/** Threshold and window of each moment, as steps over time. */
function drawLimits(plot: Plot): void {
  const { context, palette, timeline } = plot
  const line = (key: 'threshold' | 'window', color: string, dash: number[], alpha: number) => {
    context.strokeStyle = color
    context.globalAlpha = alpha
    context.lineWidth = 1
    context.setLineDash(dash)
    context.beginPath()
    timeline.limits.forEach((limit, i) => {
      const value = limit[key]
      if (value === undefined || value > plot.ceiling || limit.seq >= plot.events) return
      const next = timeline.limits[i + 1]?.seq ?? plot.events
      const at = Math.round(plot.y(value)) + 0.5
      context.moveTo(plot.x(limit.seq), at)
      context.lineTo(plot.x(Math.min(next, plot.events - 1)), at)
    })
    context.stroke()
    context.setLineDash([])
    context.globalAlpha = 1
  }
  line('threshold', palette.err, [4, 4], 0.75)
  line('window', palette.ink3, [1, 3], 0.9)
}

function drawFloor({ context, palette, timeline, width, height, events, x }: Plot): void {
  context.fillStyle = palette.line2
  context.fillRect(0, height, width, 1)
  context.fillStyle = palette.faint
  let last = -3
  for (const turn of timeline.turns) {
    if (turn.start >= events) break
    const at = x(turn.start)
    if (at - last < 3) continue
    context.fillRect(Math.round(at), height, 1, 4)
    last = at
  }
}

function drawAxis(plot: Plot): void {
  const { context, palette, width, height } = plot
  context.font = `10px ${palette.sans}`
  context.textAlign = 'right'
  context.textBaseline = 'middle'
  const threshold = plot.timeline.limits.at(-1)?.threshold
  const taken = threshold !== undefined && threshold <= plot.ceiling ? plot.y(threshold) : null
  if (taken !== null && threshold !== undefined) {
    context.fillStyle = palette['err-ink']
    context.fillText(short(threshold), width + AXIS_ROOM - 2, taken)
  }
  context.fillStyle = palette.ink3
  for (const tick of ticksOf(plot.ceiling, Math.max(2, Math.floor(height / 28)))) {
    const y = plot.y(tick)
    if (y < 10 || (taken !== null && Math.abs(y - taken) < 11)) continue
    context.fillText(short(tick), width + AXIS_ROOM - 2, y)
  }
}
