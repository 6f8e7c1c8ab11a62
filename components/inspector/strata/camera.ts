/**
 * The part of the strata that is in sight. Horizontally in units of the layout (tokens or nodes), so
 * that moving through time leaves what is looked at where it is; vertically in CSS pixels.
 */

export type Camera = { from: number; to: number; scroll: number }

/** Rows shrink before they scroll. CSS pixels. */
export type Rows = { height: number; gap: number; top: number; step: number; overflow: number }

const ROW = { tallest: 60, shortest: 13 }
const GAP = { widest: 18, narrowest: 5 }

/** Heights for `rows` rows in `height` pixels, under a band of `band` pixels for brackets. */
export function fitRows(rows: number, height: number, band: number): Rows {
  const count = Math.max(1, rows)
  const room = height - band - 2
  const gap = Math.max(GAP.narrowest, Math.min(GAP.widest, room / count / 4))
  const row = Math.max(ROW.shortest, Math.min(ROW.tallest, (room - gap * (count - 1)) / count))
  const content = count * row + (count - 1) * gap
  return {
    height: row,
    gap,
    top: band,
    step: row + gap,
    overflow: Math.max(0, content - room),
  }
}

export const wholeOf = (total: number): Camera => ({ from: 0, to: Math.max(total, 1), scroll: 0 })

/** Keeps the camera over the picture: never wider than all of it, never beside it. */
export function clamp(camera: Camera, total: number, overflow: number): Camera {
  const whole = Math.max(total, 1)
  const span = Math.min(whole, Math.max(camera.to - camera.from, smallestSpan(whole)))
  const from = Math.min(Math.max(0, camera.from), whole - span)
  return { from, to: from + span, scroll: Math.min(Math.max(0, camera.scroll), overflow) }
}

/** A few tokens across the canvas is as close as it gets. */
const smallestSpan = (total: number): number => Math.min(total, 8)

/** Zooms by `factor` (above 1 comes closer), keeping the unit `at` under the pointer. */
export function zoom(camera: Camera, at: number, factor: number, total: number): Camera {
  const span = camera.to - camera.from
  const next = Math.min(Math.max(total, 1), Math.max(smallestSpan(total), span / factor))
  const share = span === 0 ? 0 : (at - camera.from) / span
  const from = at - share * next
  return { ...camera, from, to: from + next }
}

export function pan(camera: Camera, units: number, pixels: number): Camera {
  return {
    from: camera.from + units,
    to: camera.to + units,
    scroll: camera.scroll + pixels,
  }
}

export const isWhole = (camera: Camera, total: number): boolean =>
  camera.from <= 0 && camera.to >= total

/** The camera that shows `left` to `right` with a little air around it. */
export function focusOn(left: number, right: number, total: number): Camera {
  const air = (right - left) * 0.03
  return clamp({ from: left - air, to: right + air, scroll: 0 }, total, 0)
}

/** Moves as little as needed to bring `left` to `right` into sight. */
export function reveal(camera: Camera, left: number, right: number, total: number): Camera {
  const span = camera.to - camera.from
  if (left >= camera.from && right <= camera.to) return camera
  if (right - left > span) return focusOn(left, right, total)
  const from = left < camera.from ? left - span * 0.08 : right - span * 0.92
  return clamp({ ...camera, from, to: from + span }, total, camera.scroll)
}

export const xOf = (camera: Camera, unit: number, width: number): number =>
  ((unit - camera.from) / (camera.to - camera.from)) * width

export const unitOf = (camera: Camera, x: number, width: number): number =>
  camera.from + (x / Math.max(1, width)) * (camera.to - camera.from)

/** Top of row `depth`. */
export const yOf = (rows: Rows, camera: Camera, depth: number): number =>
  rows.top + depth * rows.step - camera.scroll

/** The row at `y`, or -1 between rows, above and below (`count` rows). */
export function rowAt(rows: Rows, camera: Camera, y: number, count: number): number {
  const from = y - rows.top + camera.scroll
  const depth = Math.floor(from / rows.step)
  if (depth < 0 || depth >= count || from - depth * rows.step > rows.height) return -1
  return depth
}
