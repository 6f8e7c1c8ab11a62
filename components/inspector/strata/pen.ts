/** The context of one drawing and the mapping from the layout to the canvas. */

import { depthOf, firstInRow } from '@/lib/core/projections/strata-layout'
import type { Palette } from '../canvas/palette'
import type { Size } from '../canvas/use-canvas'
import { xOf, yOf } from './camera'
import type { Scene } from './scene'

/** Everything the parts of the drawing need. */
export type Pen = {
  context: CanvasRenderingContext2D
  palette: Palette
  scene: Scene
  width: number
  height: number
  /** Device pixels to a CSS pixel. */
  ratio: number
  /** To the nearest device pixel. */
  snap(value: number): number
  x(unit: number): number
  /** Top of the row that node `i` stands in now, on its way there if it moves. */
  y(i: number, depth: number): number
}

export function penOf(
  context: CanvasRenderingContext2D,
  size: Size,
  palette: Palette,
  scene: Scene,
): Pen {
  const { camera, rows, before, progress, layout } = scene
  const settled = !before || progress >= 1
  return {
    context,
    palette,
    scene,
    width: size.width,
    height: size.height,
    ratio: size.ratio,
    snap: (value) => Math.round(value * size.ratio) / size.ratio,
    x: (unit) => xOf(camera, unit, size.width),
    y(i, depth) {
      const y = yOf(rows, camera, depth)
      if (settled) return y
      const old = before.indexBySeq[layout.seq[i]!] ?? -1
      if (old < 0) return y
      return y + (yOf(rows, camera, depthOf(before, old)) - y) * (1 - progress)
    },
  }
}

/** Indices of row `depth` that are in sight: from, up to. */
export function inSight(pen: Pen, depth: number): [number, number] {
  const { layout, camera } = pen.scene
  const from = firstInRow(layout, depth, camera.from)
  let to = layout.rowStart[depth + 1]!
  let low = from
  while (low < to) {
    const middle = (low + to) >>> 1
    if (layout.left[middle]! < camera.to) low = middle + 1
    else to = middle
  }
  return [from, to]
}
