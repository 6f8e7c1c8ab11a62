/** Marks outside the blocks: brackets over spans and pins over nodes. */

import { depthOf } from '@/lib/core/projections/strata-layout'
import type { ColorName } from '../canvas/palette'
import type { Pen } from './pen'
import { type Bracket, bracketY } from './scene'

const COLOR: Record<Bracket['kind'], ColorName> = {
  restored: 'user',
  failed: 'err',
  cancelled: 'ink3',
  running: 'summary',
}

export function drawBrackets(pen: Pen): void {
  const { scene, width } = pen
  for (const bracket of scene.brackets) {
    const left = pen.x(bracket.left)
    const right = pen.x(bracket.right)
    if (right < 0 || left > width) continue
    drawBracket(pen, bracket, Math.max(-2, left), Math.min(width + 2, right))
  }
}

function drawBracket(pen: Pen, bracket: Bracket, left: number, right: number): void {
  const { context, palette, scene } = pen
  const color = palette[COLOR[bracket.kind]]
  const y = pen.snap(bracketY(scene.rows, scene.camera, bracket)) + 0.5
  const chosen = scene.selected === bracket.seq
  context.strokeStyle = chosen ? palette.ink : color
  context.lineWidth = chosen ? 2.5 : 1.5
  if (bracket.kind !== 'failed') context.setLineDash(bracket.kind === 'running' ? [2, 2] : [5, 3])
  context.beginPath()
  context.moveTo(left + 1, y + 3.5)
  context.lineTo(left + 1, y)
  context.lineTo(right - 1.5, y)
  context.lineTo(right - 1.5, y + 3.5)
  context.stroke()
  context.setLineDash([])
  if (bracket.kind === 'failed' || bracket.kind === 'cancelled')
    cross(pen, (left + right) / 2, y, color)
  label(pen, bracket, left, right, y, color)
}

function cross({ context, palette }: Pen, x: number, y: number, color: string): void {
  context.fillStyle = palette.panel
  context.fillRect(x - 6, y - 5, 12, 10)
  context.strokeStyle = color
  context.lineWidth = 1.75
  context.beginPath()
  context.moveTo(x - 3, y - 3)
  context.lineTo(x + 3, y + 3)
  context.moveTo(x + 3, y - 3)
  context.lineTo(x - 3, y + 3)
  context.stroke()
}

function label(pen: Pen, bracket: Bracket, left: number, right: number, y: number, color: string) {
  const { context, palette } = pen
  context.font = `10px ${palette.sans}`
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  const text = `${bracket.kind === 'restored' ? '↺ ' : ''}${bracket.label}`
  const room = context.measureText(text).width
  const x = left + 8
  if (x + room + 16 > right) return
  context.fillStyle = palette.panel
  context.fillRect(x - 3, y - 6, room + 6, 12)
  context.fillStyle = bracket.kind === 'failed' ? palette['err-ink'] : color
  if (bracket.kind === 'cancelled') context.fillStyle = palette.ink3
  context.fillText(text, x, y + 0.5)
}

/** A pin stands in the node's top edge, whatever its width. */
export function drawPins(pen: Pen): void {
  const { context, palette, scene } = pen
  const { layout, camera } = scene
  for (const seq of scene.pins) {
    const i = layout.indexBySeq[seq] ?? -1
    if (i < 0 || layout.right[i]! < camera.from || layout.left[i]! > camera.to) continue
    const left = pen.x(layout.left[i]!)
    const right = pen.x(layout.right[i]!)
    const x = Math.max(5, right - left > 30 ? right - 9 : (left + right) / 2)
    const y = pen.y(i, depthOf(layout, i))
    context.strokeStyle = palette.panel
    context.lineWidth = 2
    context.fillStyle = palette.ink
    context.beginPath()
    context.moveTo(x - 1, y - 3)
    context.lineTo(x, y + 9)
    context.lineTo(x + 1, y - 3)
    context.closePath()
    context.stroke()
    context.fill()
    context.beginPath()
    context.arc(x, y - 4, 3.75, 0, Math.PI * 2)
    context.stroke()
    context.fill()
  }
}
