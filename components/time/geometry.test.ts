import { expect, it } from 'vitest'
import type { Mark } from '@/lib/core/projections/timeline'
import { ceilingOf, markLabel, markNear, nextStop, placeLabels, ticksOf } from './geometry'

const mark = (kind: Mark['kind'], seq: number, change: Partial<Mark> = {}): Mark => ({
  kind,
  status: 'done',
  from: seq,
  seq,
  to: seq,
  before: 10,
  after: 5,
  count: 1,
  ...change,
})

it('[C7] shows the threshold unless the curve would vanish beneath it', () => {
  expect(ceilingOf(50_000, 160_000)).toBeGreaterThan(160_000)
  expect(ceilingOf(2_000, 160_000)).toBeLessThan(10_000)
  expect(ceilingOf(200_000, 160_000)).toBeGreaterThan(200_000)
  expect(ceilingOf(0, undefined)).toBeGreaterThan(0)
})

it('spaces the axis in round values', () => {
  expect(ticksOf(178_000, 4)).toEqual([50_000, 100_000, 150_000])
  expect(ticksOf(9_000, 3)).toEqual([5_000])
  expect(ticksOf(0, 3)).toEqual([])
})

it('lets no two labels touch and gives summaries the room', () => {
  const marks = [mark('micro', 100), mark('auto', 104), mark('micro', 108), mark('prune', 300)]
  const labels = placeLabels(
    marks,
    (m) => m.seq,
    (m) => m.kind,
    () => 30,
    400,
  )
  expect(labels.map((label) => label.text)).toEqual(['auto', 'prune'])
})

it('keeps labels inside the plot', () => {
  const [label] = placeLabels(
    [mark('auto', 398)],
    (m) => m.seq,
    () => 'auto',
    () => 40,
    400,
  )
  expect(label!.x).toBe(380)
})

it('[C5] calls an attempt by its outcome', () => {
  expect(markLabel(mark('auto', 4))).toBe('auto')
  expect(markLabel(mark('auto', 4, { status: 'cancelled' }))).toBe('cancelled')
  expect(markLabel(mark('model', 4))).toBe('asked for')
})

it('walks from compaction to compaction and stops at the ends', () => {
  expect(nextStop([10, 20, 30], 20, true)).toBe(30)
  expect(nextStop([10, 20, 30], 20, false)).toBe(10)
  expect(nextStop([10, 20, 30], 30, true)).toBeNull()
  expect(nextStop([], 5, false)).toBeNull()
})

it('finds the glyph under the pointer, and of two as near the one that matters more', () => {
  const marks = [mark('micro', 100), mark('auto', 102), mark('manual', 200)]
  const at = (x: number) => markNear(marks, ({ seq }) => seq, x)?.kind ?? null
  expect([at(101), at(100), at(206), at(150)]).toEqual(['auto', 'auto', 'manual', null])
  expect(at(93)).toBe('micro')
})
