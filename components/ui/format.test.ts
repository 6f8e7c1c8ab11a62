import { expect, it } from 'vitest'
import { bytes, count, duration, exact, firstLine, money, percent, short, when } from './format'

it('shortens counts without hiding their size', () => {
  expect(
    [0, 912, 999, 1000, 31_204, 99_949, 99_950, 162_410, 999_500, 1_250_000].map(short),
  ).toEqual(['0', '912', '999', '1k', '31.2k', '99.9k', '100k', '162k', '1M', '1.25M'])
})

it('groups exact values', () => expect(exact(148_116)).toBe('148,116'))

it('writes durations in the unit a person would use', () => {
  expect([0, 840, 6200, 9960, 42_000, 60_000, 185_000, 7_800_000, 7_200_000].map(duration)).toEqual(
    ['0 ms', '840 ms', '6.2 s', '10 s', '42 s', '1 min', '3 min 5 s', '2 h 10 min', '2 h'],
  )
})

it('never rounds a cost to nothing', () => {
  expect([0, 0.0004, 0.031, 0.5, 1.236].map(money)).toEqual([
    '$0',
    '<$0.001',
    '$0.031',
    '$0.5',
    '$1.24',
  ])
})

it('counts bytes in decimal units', () => {
  expect([812, 31_200, 4_800_000, 250_000_000].map(bytes)).toEqual([
    '812 B',
    '31.2 kB',
    '4.8 MB',
    '250 MB',
  ])
})

it('keeps the ends of a share honest', () => {
  expect([0, 0.004, 0.5, 0.996, 1].map(percent)).toEqual(['0%', '<1%', '50%', '>99%', '100%'])
})

it('counts nouns', () => {
  expect([count(0, 'compaction'), count(1, 'event'), count(8412, 'event')]).toEqual([
    'no compactions',
    '1 event',
    '8,412 events',
  ])
})

it('tells when in the shortest honest way', () => {
  const now = new Date(2026, 10, 30, 15, 0).getTime()
  const at = (...parts: [number, number, number, number, number]) =>
    when(new Date(...parts).getTime(), now)
  expect(when(now - 20_000, now)).toBe('just now')
  expect(when(now - 5 * 60_000, now)).toBe('5 min ago')
  expect(at(2026, 10, 30, 9, 2)).toBe('09:02')
  expect(at(2026, 10, 2, 9, 2)).toBe('Nov 2')
  expect(at(2024, 10, 2, 9, 2)).toBe('Nov 2, 2024')
})

it('cuts a line on code points', () => {
  expect(firstLine('\n  \n hello 👋 world', 8)).toBe('hello 👋…')
})
