import { expect, it } from 'vitest'
import type { EventHead } from '@/lib/core/event'
import { clockAxis, columnStarts, eventAxis } from './axis'

const at = (...times: number[]) => times.map((time, seq) => ({ seq, time }) as EventHead)
const MINUTE = 60_000

it('by event, events stand evenly', () => {
  const axis = eventAxis(5)
  expect([0, 1, 2, 3, 4].map(axis.shareOf)).toEqual([0, 0.25, 0.5, 0.75, 1])
  expect([0, 0.3, 0.9].map(axis.seqAt)).toEqual([0, 1, 4])
})

it('by clock, events stand by their time', () => {
  const axis = clockAxis(at(0, MINUTE, 4 * MINUTE), 3)
  expect([0, 1, 2].map(axis.shareOf)).toEqual([0, 0.25, 1])
  expect([0, 0.2, 0.25, 0.99, 1].map(axis.seqAt)).toEqual([0, 0, 1, 1, 2])
  expect(axis.gaps).toEqual([])
})

it('a long pause is folded and told', () => {
  const day = 24 * 60 * MINUTE
  const axis = clockAxis(at(0, MINUTE, MINUTE + day, 2 * MINUTE + day), 4)
  expect(axis.gaps).toEqual([{ after: 1, ms: day }])
  expect(axis.shareOf(2) - axis.shareOf(1)).toBeLessThan(0.03)
  expect(axis.shareOf(1)).toBeCloseTo(0.495, 2)
})

it('a clock that went back never reorders: the event stands where the one before stood', () => {
  const axis = clockAxis(at(0, 10, 5, 20), 4)
  expect([0, 1, 2, 3].map(axis.shareOf)).toEqual([0, 0.5, 0.5, 1])
  expect(axis.seqAt(0.5)).toBe(2)
})

it('every event belongs to one column, in order', () => {
  const axis = clockAxis(at(0, 1, 2, 50, 100), 5)
  const starts = [...columnStarts(axis, 4)]
  expect(starts).toEqual([0, 3, 3, 4, 5])
})

it('without any time passing it is even', () => {
  expect(clockAxis(at(7, 7, 7), 3).shareOf(1)).toBe(0.5)
})
