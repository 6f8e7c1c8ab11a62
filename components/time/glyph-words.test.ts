import { expect, it } from 'vitest'
import type { Mark } from '@/lib/core/projections/timeline'
import { glyphCount, glyphEffect, glyphSpoken, glyphTitle } from './glyph-words'

const mark = (change: Partial<Mark> = {}): Mark => ({
  kind: 'auto',
  status: 'done',
  from: 3,
  seq: 5,
  to: 6,
  before: 35_000,
  after: 10_500,
  count: 1,
  ...change,
})

it('says what happened, whether it landed, and what it did to the window', () => {
  expect(glyphSpoken(mark())).toBe('Compacted automatically, 35,000 → 10,500 tokens, −70%')
  expect(glyphEffect(mark({ kind: 'restore', before: 10_000, after: 15_000 }))).toContain('+50%')
  expect(glyphEffect(mark({ before: 0, after: 0 }))).toBe('0 → 0 tokens')
  expect(glyphTitle(mark({ status: 'interrupted', count: 0 }))).toBe('Compaction interrupted')
  expect(glyphEffect(mark({ status: 'failed', count: 0, after: 35_000 }))).toBe(
    '35,000 tokens, nothing changed',
  )
})

it('counts the results of a pass, and nothing else', () => {
  expect(glyphCount(mark({ kind: 'micro', count: 16 }))).toBe('16 results')
  expect(glyphCount(mark())).toBeNull()
})
