import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  clamp,
  fitRows,
  focusOn,
  pan,
  reveal,
  rowAt,
  unitOf,
  wholeOf,
  xOf,
  yOf,
  zoom,
} from './camera'

const total = 10_000
const cameras = fc
  .tuple(
    fc.double({ min: 0, max: 0.9, noNaN: true }),
    fc.double({ min: 0.01, max: 1, noNaN: true }),
  )
  .map(([from, span]) =>
    clamp({ from: from * total, to: (from + span) * total, scroll: 0 }, total, 0),
  )

it('keeps what is under the pointer under it while zooming', () => {
  fc.assert(
    fc.property(
      cameras,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.3, max: 3, noNaN: true }),
      (camera, share, factor) => {
        const x = share * 500
        const at = unitOf(camera, x, 500)
        const next = zoom(camera, at, factor, total)
        expect(xOf(next, at, 500)).toBeCloseTo(x, 6)
      },
    ),
  )
})

it('never leaves the picture, however it is moved', () => {
  fc.assert(
    fc.property(
      cameras,
      fc.double({ min: -3 * total, max: 3 * total, noNaN: true }),
      (camera, by) => {
        const moved = clamp(pan(camera, by, 50), total, 20)
        expect(moved.from).toBeGreaterThanOrEqual(0)
        expect(moved.to).toBeLessThanOrEqual(total + 1e-6)
        expect(moved.to - moved.from).toBeCloseTo(camera.to - camera.from, 6)
        expect(moved.scroll).toBeLessThanOrEqual(20)
      },
    ),
  )
})

it('cannot zoom out beyond the whole nor in beyond a few tokens', () => {
  expect(zoom(wholeOf(total), 5000, 0.1, total)).toMatchObject({ from: 0, to: total })
  const close = zoom(wholeOf(total), 5000, 1e9, total)
  expect(close.to - close.from).toBe(8)
})

it('shows the whole of what it focuses on', () => {
  const camera = focusOn(2000, 3000, total)
  expect(camera.from).toBeLessThan(2000)
  expect(camera.to).toBeGreaterThan(3000)
})

it('moves only when a node is out of sight', () => {
  const camera = { from: 1000, to: 2000, scroll: 0 }
  expect(reveal(camera, 1200, 1300, total)).toBe(camera)
  const moved = reveal(camera, 5000, 5100, total)
  expect(moved.to - moved.from).toBeCloseTo(1000)
  expect(moved.from).toBeLessThan(5000)
  expect(moved.to).toBeGreaterThan(5100)
})

it('finds the row it drew, and nothing between rows', () => {
  const rows = fitRows(4, 400, 14)
  const camera = wholeOf(total)
  for (const depth of [0, 1, 2, 3]) {
    expect(rowAt(rows, camera, yOf(rows, camera, depth) + 1, 4)).toBe(depth)
    expect(rowAt(rows, camera, yOf(rows, camera, depth) + rows.height + 2, 4)).toBe(-1)
  }
  expect(rowAt(rows, camera, 2, 4)).toBe(-1)
  expect(rowAt(rows, camera, 399, 3)).toBe(-1)
})

it('shrinks rows before it scrolls them', () => {
  expect(fitRows(3, 400, 14)).toMatchObject({ height: 60, gap: 18, overflow: 0 })
  const many = fitRows(6, 240, 14)
  expect(many.height).toBeLessThan(60)
  expect(many.overflow).toBe(0)
  expect(fitRows(40, 240, 14).overflow).toBeGreaterThan(0)
})
