import { describe, expect, it } from 'vitest'
import { planTree } from './tree'

/** A line of `length` nodes, and `ends` replies to its last but one. */
const comb = (length: number, ends: number, bytes: number) => [
  ...Array.from({ length }, (_, at) => ({ parent: at - 1, speaks: true, bytes })),
  ...Array.from({ length: ends }, () => ({ parent: length - 2, speaks: true, bytes })),
]

describe('a tree of messages', () => {
  it('[T2] gives every other end as a branch with the beginning it shares', () => {
    const { shown, branches } = planTree(comb(3, 2, 10), 2)
    expect(shown).toEqual([0, 1, 2])
    expect(branches).toEqual([
      [0, 1, 4],
      [0, 1, 3],
    ])
  })

  it('of a large file leaves out ends whose copies would be many times the file', () => {
    const megabyte = 1 << 20
    const { branches } = planTree(comb(100, 50, megabyte), 99)
    // 150 MB three times over have room for four copies of 100 MB.
    expect(branches).toHaveLength(4)
  })
})
