/** Draws the token curve and what happened to it; everything but the playhead. */

import type { Palette } from '@/components/inspector/canvas/palette'
import type { Draw, Size } from '@/components/inspector/canvas/use-canvas'
import { short } from '@/components/ui/format'
import { bucketTimeline, type Curve } from '@/lib/core/projections/curve'
import { isSummary, type Mark, type Timeline } from '@/lib/core/projections/timeline'
import type { Part } from '@/lib/core/projections/window'
import { ceilingOf, markLabel, placeLabels, ticksOf, xOfSeq } from './geometry'

/** Room under the plot for labels and right of it for the axis, CSS pixels. */
export const LABEL_ROOM = 18
export const AXIS_ROOM = 44

type Plot = {
  context: CanvasRenderingContext2D
  palette: Palette
  timeline: Timeline
  events: number
  width: number
  height: number
  /** One device pixel in CSS pixels. */
  hair: number
  x(seq: number): number
  y(tokens: number): number
  ceiling: number
}

const BANDS: readonly { part: Part; color: keyof Palette & string; alpha: number }[] = [
  { part: 'system', color: 'ink3', alpha: 0.3 },
  { part: 'tools', color: 'ink3', alpha: 0.22 },
  { part: 'summary', color: 'summary', alpha: 0.42 },
  { part: 'user', color: 'user', alpha: 0.34 },
  { part: 'assistant', color: 'assistant', alpha: 0.3 },
  { part: 'results', color: 'result', alpha: 0.26 },
]

/** The drawing of `timeline`, whose first `events` events are shown. */
export function drawCurve(timeline: Timeline, events: number, compact: boolean): Draw {
  return (context, size, palette) => {
    const plot = plotOf(context, size, palette, timeline, events, compact)
    if (events === 0) return drawFloor(plot)
    const columns = Math.max(1, Math.round(plot.width * size.ratio))
    const curve = events > columns ? bucketTimeline(timeline, columns, 0, events) : null
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

function plotOf(
  context: CanvasRenderingContext2D,
  size: Size,
  palette: Palette,
  timeline: Timeline,
  events: number,
  compact: boolean,
): Plot {
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
    x: (seq) => xOfSeq(seq, events, width),
    y: (tokens) => height - (Math.min(tokens, ceiling) / ceiling) * (height - top),
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

const colorOf = (mark: Mark, palette: Palette): string =>
  mark.status === 'failed'
    ? palette.err
    : mark.status !== 'done' && mark.status !== 'running'
      ? palette.ink3
      : mark.kind === 'restore'
        ? palette.user
        : mark.kind === 'micro' || mark.kind === 'prune'
          ? palette.pruned
          : palette.summary

/** A cliff and a head for each: disc = summary, ring = pruned, cross = failed, triangle = restored. */
function drawMarks(plot: Plot): void {
  const { context, palette, timeline } = plot
  let lastWeak = Number.NEGATIVE_INFINITY
  for (const mark of timeline.marks) {
    if (mark.seq >= plot.events) break
    const at = plot.x(mark.seq)
    const top = plot.y(mark.before)
    const bottom = plot.y(mark.after)
    const strong = isSummary(mark) || mark.kind === 'restore' || mark.status !== 'done'
    // Micro passes can come with every request; rings closer than this would hide the curve.
    if (!strong && at - lastWeak < 4) continue
    if (!strong) lastWeak = at
    context.fillStyle = colorOf(mark, palette)
    context.strokeStyle = context.fillStyle
    // A pass of many replacements slopes: it is traced along the curve, not dropped like a cliff.
    const slopes = mark.count > 1
    if (slopes) trace(plot, mark)
    else if (mark.count > 0) {
      const width = strong ? 3 : 2
      context.fillRect(at - width / 2, Math.min(top, bottom), width, Math.abs(bottom - top))
    }
    drawHead(plot, mark, slopes ? plot.x(Math.max(0, mark.from - 1)) : at, top)
  }
}

function trace(plot: Plot, mark: Mark): void {
  const { context, timeline, x, y } = plot
  context.lineWidth = 2.5
  context.beginPath()
  context.moveTo(x(Math.max(0, mark.from - 1)), y(mark.before))
  for (let seq = mark.from; seq <= mark.to; seq += 1) {
    const value = timeline.total[seq]!
    if (value !== timeline.total[seq - 1])
      context.lineTo(x(seq), y(timeline.total[seq - 1] ?? value))
    context.lineTo(x(seq), y(value))
  }
  context.stroke()
}

function drawHead({ context, palette }: Plot, mark: Mark, x: number, y: number): void {
  context.beginPath()
  if (mark.status === 'failed' || mark.status === 'cancelled' || mark.status === 'interrupted') {
    context.moveTo(x - 3.5, y - 3.5)
    context.lineTo(x + 3.5, y + 3.5)
    context.moveTo(x + 3.5, y - 3.5)
    context.lineTo(x - 3.5, y + 3.5)
    context.lineWidth = 2
    context.stroke()
    return
  }
  if (mark.kind === 'restore') {
    context.moveTo(x - 4.5, y + 3)
    context.lineTo(x + 4.5, y + 3)
    context.lineTo(x, y - 4.5)
    context.closePath()
    context.fill()
    return
  }
  const strong = isSummary(mark) || mark.status === 'running'
  context.arc(x, y, strong ? 4.5 : 2.75, 0, Math.PI * 2)
  if (strong) {
    context.fill()
    return
  }
  context.fillStyle = palette.panel
  context.fill()
  context.lineWidth = 1.5
  context.stroke()
}

function drawFailures({ context, palette, timeline, events, x, height }: Plot): void {
  context.strokeStyle = palette.err
  context.lineWidth = 1.5
  context.beginPath()
  for (const failure of timeline.failures) {
    if (failure.seq >= events) break
    const at = x(failure.seq)
    const y = height - 6
    context.moveTo(at - 2.5, y - 2.5)
    context.lineTo(at + 2.5, y + 2.5)
    context.moveTo(at + 2.5, y - 2.5)
    context.lineTo(at - 2.5, y + 2.5)
  }
  context.stroke()
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

function drawLabels(plot: Plot): void {
  const { context, palette, timeline, width, height } = plot
  context.font = `10.5px ${palette.sans}`
  context.textAlign = 'center'
  context.textBaseline = 'alphabetic'
  const marks = timeline.marks.filter((mark) => mark.seq < plot.events)
  const widths = new Map<string, number>()
  const measure = (text: string): number => {
    const width = widths.get(text) ?? context.measureText(text).width
    widths.set(text, width)
    return width
  }
  const labels = placeLabels(marks, (mark) => plot.x(mark.seq), markLabel, measure, width)
  for (const label of labels) {
    const mark = marks[label.mark]!
    context.fillStyle = mark.status === 'failed' ? palette['err-ink'] : palette.ink2
    context.fillText(label.text, label.x, height + 14)
  }
}
