/** Draws a scene: ribbons, then blocks row by row, then brackets, outlines and the chosen range. */

import type { Doubt } from '@/lib/core/projections/strata'
import { depthOf, type StrataLayout } from '@/lib/core/projections/strata-layout'
import type { Draw } from '../canvas/use-canvas'
import { yOf } from './camera'
import { drawRow } from './draw-blocks'
import { drawBrackets, drawPins } from './draw-marks'
import { fillOf, hatchOf } from './fills'
import { inSight, type Pen, penOf } from './pen'
import type { Scene } from './scene'

export function drawStrata(scene: Scene): Draw {
  return (context, size, palette) => {
    const pen = penOf(context, size, palette, scene)
    const { layout } = scene
    // From the bottom up, so that what lies over something is drawn over it while it sinks.
    for (let depth = layout.rows - 1; depth >= 0; depth -= 1) {
      drawRibbons(pen, depth)
      drawRow(pen, depth)
    }
    drawLineage(pen, scene.hovered, 1)
    drawLineage(pen, scene.selected, 1.75)
    drawRange(pen)
    drawBrackets(pen)
    drawPins(pen)
  }
}

const hasChildren = (layout: StrataLayout, i: number): boolean =>
  layout.childStart[i]! < layout.childStart[i + 1]!

/** A replacement and its span have the same edges: the ribbon between them is the gap, tinted. */
function drawRibbons(pen: Pen, depth: number): void {
  const { context, palette, scene } = pen
  const { layout, rows } = scene
  const [from, to] = inSight(pen, depth)
  context.globalAlpha = palette.dark ? 0.2 : 0.15
  for (let i = from; i < to; i += 1) {
    if (!hasChildren(layout, i)) continue
    const left = pen.snap(pen.x(layout.left[i]!))
    const right = pen.snap(pen.x(layout.right[i]!))
    if (right - left < 3) continue
    context.fillStyle = fillOf(palette, layout.kind[i]!)
    const top = pen.y(i, depth) + rows.height
    const bottom = pen.y(layout.childStart[i]!, depth + 1)
    const doubt = scene.doubts.get(layout.seq[i]!)
    if (doubt) drawDoubt(pen, doubt, { left, right, top, bottom })
    else context.fillRect(left + 0.5, top, right - left - 1.5, Math.max(0, bottom - top))
  }
  context.globalAlpha = 1
}

/** A span that was worked out, or not known at all: no solid ribbon, broken edges, and a word for it. */
function drawDoubt(
  pen: Pen,
  doubt: Doubt,
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
): void {
  const { context, palette, ratio } = pen
  const alpha = context.globalAlpha
  const height = Math.max(0, bottom - top)
  if (doubt === 'derived') {
    context.fillStyle = hatchOf(context, palette.summary, ratio) ?? palette.summary
    context.globalAlpha = 0.5
    context.fillRect(left + 0.5, top, right - left - 1.5, height)
  }
  context.globalAlpha = 0.9
  context.strokeStyle = palette.summary
  context.lineWidth = 1
  context.setLineDash([2, 2])
  context.strokeRect(left + 0.5, top + 0.5, Math.max(0, right - left - 2), Math.max(0, height - 1))
  context.setLineDash([])
  const words = `range ${doubt}`
  context.font = `9.5px ${palette.sans}`
  if (height >= 10 && right - left > context.measureText(words).width + 14) {
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillStyle = palette.panel
    const half = context.measureText(words).width / 2 + 4
    const middle = (left + right) / 2
    context.fillRect(middle - half, top + 1, half * 2, height - 2)
    context.fillStyle = palette['summary-ink']
    context.fillText(words, middle, (top + bottom) / 2)
  }
  context.globalAlpha = alpha
}

/** Outlines a node and ties it to the surface above and to all it lies on. */
function drawLineage(pen: Pen, seq: number | null, weight: number): void {
  const { context, palette, scene } = pen
  const { layout, rows } = scene
  const i = seq === null ? -1 : (layout.indexBySeq[seq] ?? -1)
  if (i < 0) return
  const depth = depthOf(layout, i)
  const left = pen.snap(pen.x(layout.left[i]!))
  const right = Math.max(left + 2, pen.snap(pen.x(layout.right[i]!)))
  const y = pen.y(i, depth)
  context.fillStyle = palette.ink
  context.globalAlpha = 0.14
  let above = i
  for (let up = depth; up > 0; up -= 1) {
    above = layout.parent[above]!
    const bottom = pen.y(above, up - 1) + rows.height
    context.fillRect(left, bottom, right - left, rows.gap)
  }
  if (hasChildren(layout, i)) {
    context.fillStyle = fillOf(palette, layout.kind[i]!)
    context.globalAlpha = 0.35
    context.fillRect(left, y + rows.height, right - left, rows.gap)
    context.globalAlpha = 0.9
    const bottom = y + rows.height + rows.gap
    context.fillRect(left, bottom - 1.5, right - left - 0.5, 1.5)
  }
  context.globalAlpha = 1
  context.strokeStyle = palette.ink
  context.lineWidth = weight
  context.beginPath()
  context.roundRect(left - 1, y - 1.5, right - left + 1, rows.height + 3, 4)
  context.stroke()
}

function drawRange(pen: Pen): void {
  const { context, palette, scene } = pen
  const { layout, rows, range, camera } = scene
  if (!range || layout.rows === 0) return
  const left = pen.snap(pen.x(layout.left[range.from]!))
  const right = pen.snap(pen.x(layout.right[range.to]!))
  const y = yOf(rows, camera, 0)
  context.fillStyle = palette.accent
  context.globalAlpha = 0.18
  context.fillRect(left, y - 4, right - left, rows.height + 8)
  context.globalAlpha = 1
  context.strokeStyle = palette.accent
  context.lineWidth = 1.5
  context.setLineDash([5, 3])
  context.strokeRect(left - 0.5, y - 4, right - left, rows.height + 8)
  context.setLineDash([])
  context.fillStyle = palette.accent
  for (const edge of [left, right]) {
    context.beginPath()
    context.roundRect(edge - 2.5, y + rows.height / 2 - 9, 5, 18, 2.5)
    context.fill()
  }
}
