/** Blocks of one row: single ones with shape and words, those thinner than a pixel as columns. */

import { NODE_KINDS } from '@/lib/core/projections/strata'
import { yOf } from './camera'
import { drawShape, fillOf, hatchOf, kindAt, onOf } from './fills'
import { sizeOf, titleOf } from './labels'
import { inSight, type Pen } from './pen'

/** Narrower than this many device pixels, nodes share columns. */
const SLIVER = 1.5
const SHAPE_FROM = 13
const WORDS_FROM = 58
const SIZE_FROM = 92

/** The surface stands out; what is shadowed fades with depth. */
const alphaAt = (depth: number, dark: boolean): number =>
  depth === 0 ? 0.94 : Math.max(0.2, (dark ? 0.42 : 0.4) - (depth - 1) * 0.06)

export function drawRow(pen: Pen, depth: number): void {
  const { scene, ratio } = pen
  const { layout, rows, camera } = scene
  const y = yOf(rows, camera, depth)
  if (!scene.before && (y > pen.height || y + rows.height < 0)) return
  const [from, to] = inSight(pen, depth)
  const columns = createColumns(pen, depth)
  for (let i = from; i < to; i += 1) {
    const left = pen.snap(pen.x(layout.left[i]!))
    const right = pen.snap(pen.x(layout.right[i]!))
    if ((right - left) * ratio < SLIVER) columns.add(left, i)
    else {
      columns.flush()
      drawBlock(pen, i, depth, left, right)
    }
  }
  columns.flush()
}

/** Gathers slivers a device pixel at a time and paints each column in the kind that fills it most. */
function createColumns(pen: Pen, depth: number) {
  const { context, palette, scene, ratio } = pen
  const { layout, rows } = scene
  const weights = new Float64Array(NODE_KINDS.length)
  let at = Number.NaN
  let first = -1
  const flush = () => {
    if (first < 0) return
    let most = 0
    for (let kind = 1; kind < weights.length; kind += 1)
      if (weights[kind]! > weights[most]!) most = kind
    context.globalAlpha = alphaAt(depth, palette.dark) * (depth === 0 ? 0.9 : 1)
    context.fillStyle = fillOf(palette, most)
    context.fillRect(at, pen.y(first, depth), Math.max(1, 1 / ratio), rows.height)
    context.globalAlpha = 1
    weights.fill(0)
    first = -1
  }
  return {
    flush,
    add(left: number, i: number) {
      if (left !== at) flush()
      at = left
      if (first < 0) first = i
      weights[layout.kind[i]!]! += layout.right[i]! - layout.left[i]!
    },
  }
}

function drawBlock(pen: Pen, i: number, depth: number, left: number, right: number): void {
  const { context, palette, scene } = pen
  const { layout, rows, heads } = scene
  const head = heads[layout.seq[i]!]!
  const kind = layout.kind[i]!
  const y = pen.y(i, depth)
  const gap = right - left > 3 ? 1 : 0
  const width = Math.max(0.75, right - left - gap)
  const height = rows.height
  const alpha = alphaAt(depth, palette.dark)
  const hollow = kindAt(kind) === 'pruned'
  context.globalAlpha = alpha * appearing(pen, i) * (hollow ? 0.35 : 1)
  context.fillStyle = fillOf(palette, kind)
  box(context, left + gap / 2, y, width, height)
  if (kindAt(kind) === 'call') foot(pen, left + gap / 2, y, width, height)
  if (hollow) hatch(pen, left + gap / 2, y, width, height, alpha * appearing(pen, i))
  context.globalAlpha = 1
  if (head.kind === 'error' || head.kind === 'interrupted')
    drawFlaw(pen, left + gap / 2, y, width, head.kind === 'error')
  if (width >= SHAPE_FROM && height >= 12) drawWords(pen, i, depth, left + gap / 2, y, width)
}

/** A node that is new at this moment fades in while the others move. */
function appearing(pen: Pen, i: number): number {
  const { before, progress, layout } = pen.scene
  if (!before || progress >= 1) return 1
  return (before.indexBySeq[layout.seq[i]!] ?? -1) < 0 ? progress : 1
}

function box(context: CanvasRenderingContext2D, x: number, y: number, w: number, h: number): void {
  if (w < 4) {
    context.fillRect(x, y, w, h)
    return
  }
  context.beginPath()
  context.roundRect(x, y, w, h, Math.min(3, w / 2))
  context.fill()
}

/** A message that calls tools stands on a foot in their colour. */
function foot(pen: Pen, x: number, y: number, width: number, height: number): void {
  const { context, palette } = pen
  const foot = Math.max(4, Math.round(height * 0.16))
  context.fillStyle = palette.call
  context.beginPath()
  context.roundRect(x, y + height - foot, width, foot, [
    0,
    0,
    Math.min(3, width / 2),
    Math.min(3, width / 2),
  ])
  context.fill()
}

/** A pruned result is a shell: hatched, with an edge, and light inside. */
function hatch(pen: Pen, x: number, y: number, width: number, height: number, alpha: number) {
  const { context, palette, ratio } = pen
  const pattern = hatchOf(context, palette.pruned, ratio)
  if (!pattern) return
  context.globalAlpha = alpha * 0.75
  context.fillStyle = pattern
  box(context, x, y, width, height)
  if (width < 6) return
  context.globalAlpha = alpha
  context.strokeStyle = palette.pruned
  context.lineWidth = 1
  context.beginPath()
  context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, Math.min(3, width / 2))
  context.stroke()
}

/** Failed: a red edge and, where there is room, a cross. Interrupted: the same in grey. */
function drawFlaw(pen: Pen, x: number, y: number, width: number, failed: boolean): void {
  const { context, palette, scene } = pen
  const { height } = scene.rows
  const color = failed ? palette.err : palette.ink3
  context.fillStyle = color
  context.fillRect(x, y, width, 2.5)
  if (width < 9) return
  const size = 3
  const cx = x + width - size - 3.5
  const cy = y + height - size - 4
  context.fillStyle = palette.panel
  context.beginPath()
  context.arc(cx, cy, size + 2.5, 0, Math.PI * 2)
  context.fill()
  context.strokeStyle = color
  context.lineWidth = 1.6
  context.beginPath()
  context.moveTo(cx - size, cy - size)
  context.lineTo(cx + size, cy + size)
  context.moveTo(cx + size, cy - size)
  context.lineTo(cx - size, cy + size)
  context.stroke()
}

function drawWords(
  pen: Pen,
  i: number,
  depth: number,
  left: number,
  y: number,
  full: number,
): void {
  const { context, palette, scene } = pen
  const { layout, rows, heads } = scene
  // Words stay in sight while any of the block is.
  const x = Math.max(0, left)
  const width = Math.min(left + full, pen.width) - x
  if (width < SHAPE_FROM) return
  const head = heads[layout.seq[i]!]!
  const kind = layout.kind[i]!
  const onFill = depth === 0 && kindAt(kind) !== 'pruned'
  const color = onFill ? onOf(palette, kind) : palette.ink
  const line = Math.min(20, rows.height / 2 + 4)
  const roomy = width >= WORDS_FROM
  context.fillStyle = color
  context.globalAlpha = appearing(pen, i) * (depth === 0 ? 1 : 0.85)
  drawShape(context, kindAt(kind), roomy ? x + 6 : x + width / 2 - 4, y + line - 8.5, 8)
  if (roomy) {
    context.textAlign = 'left'
    context.textBaseline = 'alphabetic'
    context.font = `600 11px ${palette.sans}`
    context.fillText(cut(context, titleOf(head), width - 24), x + 18, y + line)
    if (width >= SIZE_FROM && rows.height >= 38) {
      context.font = `10.5px ${palette.sans}`
      context.fillStyle = onFill ? color : palette.ink2
      const beneath = layout.childStart[i]! < layout.childStart[i + 1]!
      const size = sizeOf(head, beneath ? under(pen, i) : undefined)
      context.fillText(cut(context, size, width - 12), x + 6, y + line + 16)
    }
  }
  context.globalAlpha = 1
}

/** Tokens of what `i` replaced directly. */
function under(pen: Pen, i: number): number {
  const { layout, heads } = pen.scene
  let sum = 0
  for (let j = layout.childStart[i]!; j < layout.childStart[i + 1]!; j += 1)
    sum += heads[layout.seq[j]!]!.tokens
  return sum
}

/** As much of `text` as fits, with an ellipsis. */
function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle
    else high = middle - 1
  }
  return low < 2 ? '' : `${text.slice(0, low)}…`
}
