import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHistory } from '@/lib/core/history'
import { playActs, structures } from '@/lib/core/testing/structure'
import { compareMoments, compareRows } from './moments'

it('[S8] gone and kept are the earlier surface, kept and came the later one', () => {
  fc.assert(
    fc.property(structures, fc.nat(), fc.nat(), ({ heads, surfaces }, one, other) => {
      fc.pre(heads.length > 0)
      const a = one % heads.length
      const b = other % heads.length
      const { gone, came, kept } = compareMoments({ history: createHistory(heads) }, a, b)
      const sorted = (seqs: number[]) => [...seqs].sort((x, y) => x - y)
      expect(sorted([...gone, ...kept])).toEqual(sorted(surfaces[a]!))
      expect(sorted([...kept, ...came])).toEqual(sorted(surfaces[b]!))
    }),
  )
})

it('[S3] around a summary its span is gone and the summary came', () => {
  const { heads } = playActs([0, 0, 0, 7].map((act) => ({ act, a: 0, b: 1, tokens: 10 })))
  const comparison = compareMoments({ history: createHistory(heads) }, 2, heads.length - 1)
  expect(comparison).toEqual({ gone: [0, 1], came: [4], kept: [2] })
  const rows = compareRows(comparison, () => 10, false)
  expect(rows.filter((row) => row.row === 'title')).toMatchObject([
    { title: 'came', count: 1 },
    { title: 'gone', count: 2, tokens: 20 },
    { title: 'kept', count: 1 },
  ])
  expect(rows).toHaveLength(6)
  expect(compareRows(comparison, () => 10, true)).toHaveLength(7)
})
