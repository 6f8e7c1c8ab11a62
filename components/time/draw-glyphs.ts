/** Draws what happened on the curve: compactions, restores, failures, and their names. */

import type { Palette } from '@/components/inspector/canvas/palette'
import { isSummary, type Mark } from '@/lib/core/projections/timeline'
import { markLabel, placeLabels } from './geometry'
import { headOf, type Plot } from './plot'

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
export function drawMarks(plot: Plot): void {
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
    const head = headOf(plot, mark)
    drawHead(plot, mark, head.x, head.y)
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
    drawInside(context, palette, mark, x, y)
    return
  }
  context.fillStyle = palette.panel
  context.fill()
  context.lineWidth = 1.5
  context.stroke()
}

/** What asked for a summary, cut into its disc: pressure nothing, overflow a bar on end, a person a dot, the model a ring, a region a bar. */
function drawInside(
  context: CanvasRenderingContext2D,
  palette: Palette,
  { kind }: Mark,
  x: number,
  y: number,
): void {
  context.fillStyle = palette.panel
  context.strokeStyle = palette.panel
  if (kind === 'overflow') context.fillRect(x - 0.9, y - 2.8, 1.8, 5.6)
  else if (kind === 'region') context.fillRect(x - 2.8, y - 0.9, 5.6, 1.8)
  else if (kind === 'manual' || kind === 'model') {
    context.beginPath()
    context.arc(x, y, kind === 'manual' ? 1.6 : 2.2, 0, Math.PI * 2)
    if (kind === 'manual') context.fill()
    else {
      context.lineWidth = 1.1
      context.stroke()
    }
  }
}

export function drawFailures({ context, palette, timeline, events, x, height }: Plot): void {
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

export function drawLabels(plot: Plot): void {
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
