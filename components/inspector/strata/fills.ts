/** Colour, pattern and shape of each kind on the canvas; the shapes are those of `KindMark`. */

import { NODE_KINDS, type NodeKind } from '@/lib/core/projections/strata'
import type { ColorName, Palette } from '../canvas/palette'

const FILL: Record<NodeKind, ColorName> = {
  user: 'user',
  notice: 'system',
  assistant: 'assistant',
  call: 'assistant',
  result: 'result',
  summary: 'summary',
  pruned: 'pruned',
}
const ON: Record<NodeKind, ColorName> = {
  user: 'on-user',
  notice: 'on-system',
  assistant: 'on-assistant',
  call: 'on-assistant',
  result: 'on-result',
  summary: 'on-summary',
  pruned: 'on-pruned',
}

export const kindAt = (index: number): NodeKind => NODE_KINDS[index] ?? 'user'
export const fillOf = (palette: Palette, kind: number): string => palette[FILL[kindAt(kind)]]
export const onOf = (palette: Palette, kind: number): string => palette[ON[kindAt(kind)]]

/** Fills the kind's shape into a 10 × 10 box at `x`, `y`, scaled to `size`. */
export function drawShape(
  context: CanvasRenderingContext2D,
  kind: NodeKind,
  x: number,
  y: number,
  size: number,
): void {
  const s = size / 10
  context.beginPath()
  switch (kind) {
    case 'user':
      context.arc(x + 5 * s, y + 5 * s, 4 * s, 0, Math.PI * 2)
      break
    case 'assistant':
      context.roundRect(x + s, y + s, 8 * s, 8 * s, 2 * s)
      break
    case 'call':
      context.moveTo(x + 2 * s, y + 1.2 * s)
      context.lineTo(x + 9 * s, y + 5 * s)
      context.lineTo(x + 2 * s, y + 8.8 * s)
      break
    case 'result':
      context.rect(x + s, y + 2 * s, 8 * s, 6 * s)
      break
    case 'summary':
      context.moveTo(x + 5 * s, y + 0.4 * s)
      context.lineTo(x + 9.6 * s, y + 5 * s)
      context.lineTo(x + 5 * s, y + 9.6 * s)
      context.lineTo(x + 0.4 * s, y + 5 * s)
      break
    case 'pruned':
      context.rect(x + s, y + 4 * s, 8 * s, 2 * s)
      break
    case 'notice':
      context.rect(x + s, y + s, 8 * s, 8 * s)
      context.rect(x + 3 * s, y + 3 * s, 4 * s, 4 * s)
      break
  }
  context.fill('evenodd')
}

const hatches = new Map<string, HTMLCanvasElement>()

/** Diagonal lines in `color`, one tile of them; drawn at device resolution. */
export function hatchOf(
  context: CanvasRenderingContext2D,
  color: string,
  ratio: number,
): CanvasPattern | null {
  const key = `${color} ${ratio}`
  let tile = hatches.get(key)
  if (!tile) {
    const side = Math.max(4, Math.round(6 * ratio))
    tile = document.createElement('canvas')
    tile.width = side
    tile.height = side
    const pen = tile.getContext('2d')
    if (!pen) return null
    pen.strokeStyle = color
    pen.lineWidth = 1.3 * ratio
    pen.beginPath()
    for (const shift of [-side, 0, side]) {
      pen.moveTo(shift - 1, side + 1)
      pen.lineTo(shift + side + 1, -1)
    }
    pen.stroke()
    hatches.set(key, tile)
  }
  const pattern = context.createPattern(tile, 'repeat')
  pattern?.setTransform(new DOMMatrix().scale(1 / ratio))
  return pattern
}
