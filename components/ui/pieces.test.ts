import { expect, it } from 'vitest'
import { firstPiece, safeCut } from './pieces'

it('cuts no surrogate pair', () => {
  expect(safeCut('ab👋c', 3)).toBe(2)
  expect(safeCut('ab👋c', 4)).toBe(4)
  expect(safeCut('abc', 9)).toBe(3)
})

it('ends the first piece at the line limit or the size limit', () => {
  expect(firstPiece('a\nb\nc\nd', 100, 2)).toBe(3)
  expect(firstPiece('aaaa\nb', 3, 2)).toBe(3)
  expect(firstPiece('short', 100, 2)).toBe(5)
})
