import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countChanges, diffRows } from './diff-rows'

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })
  .map((lines) => lines.join('\n'))

it('what is kept and gone is the old text, what is kept and came the new one', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const rows = diffRows(before, after)!
      const folded = rows.reduce((sum, row) => sum + (row.kind === 'fold' ? row.lines : 0), 0)
      const old = rows.filter((row) => row.kind === 'same' || row.kind === 'gone').length + folded
      const fresh = rows.filter((row) => row.kind === 'same' || row.kind === 'came').length + folded
      const count = (text: string) => (text === '' ? 0 : text.split('\n').length)
      expect(old).toBe(count(before))
      expect(fresh).toBe(count(after))
    }),
  )
})

it('numbers lines on both sides and folds what did not change', () => {
  const many = Array.from({ length: 20 }, (_, i) => `line ${i}`)
  const rows = diffRows(many.join('\n'), [...many.slice(0, 19), 'new'].join('\n'))!
  expect(rows[0]).toEqual({ kind: 'fold', lines: 16 })
  expect(rows[1]).toMatchObject({ kind: 'same', before: 17, after: 17 })
  expect(rows.at(-1)).toEqual({ kind: 'came', text: 'new', before: null, after: 20 })
  expect(countChanges(rows)).toEqual({ gone: 1, came: 1 })
})

it('does not try what would take too long', () => {
  expect(diffRows('x'.repeat(1_500_000), 'y'.repeat(1_500_000))).toBeNull()
})
