import { expect, it } from 'vitest'
import { createHistory } from '@/lib/core/history'
import { attemptsAt, createStrata, extendStrata } from '@/lib/core/projections/strata'
import { layoutStrata } from '@/lib/core/projections/strata-layout'
import { playActs } from '@/lib/core/testing/structure'
import { fitRows, wholeOf } from './camera'
import { bandOf, bracketAt, bracketsOf, bracketY } from './scene'

// Acts of testing/structure.ts: 0 user, 7 summary, 8 cancelled attempt, 10 restore.
const bracketsAfter = (...list: number[]) => {
  const { heads } = playActs(list.map((act) => ({ act, a: 0, b: 99, tokens: 10 })))
  const index = extendStrata(createStrata(), heads)
  const at = heads.length - 1
  return bracketsOf(layoutStrata(index, createHistory(heads), at), attemptsAt(index, at))
}

it('[C5] a failed attempt is marked over its span while that stands on the surface', () => {
  expect(bracketsAfter(0, 8)).toMatchObject([{ kind: 'cancelled', seq: 1, left: 0, right: 10 }])
  expect(bracketsAfter(0, 8, 7)).toEqual([])
})

it('[S7] a restored summary is marked over what came back', () => {
  expect(bracketsAfter(0, 0, 7, 10)).toMatchObject([
    { kind: 'restored', seq: 3, left: 0, right: 20, depth: 0, lane: 0 },
  ])
})

it('brackets over the same span stand one above the other', () => {
  const lanes = bracketsAfter(0, 7, 10, 8).map((bracket) => bracket.lane)
  expect(lanes).toEqual([0, 1])
  expect(bandOf(bracketsAfter(0, 7, 10, 8), false)).toBeGreaterThan(
    bandOf(bracketsAfter(0, 7, 10), false),
  )
  expect(bandOf([], false)).toBeLessThan(bandOf([], true))
})

it('a bracket is found where its line is drawn and nowhere else', () => {
  const brackets = bracketsAfter(0, 7, 10, 8)
  const rows = fitRows(1, 300, bandOf(brackets, false))
  const camera = wholeOf(10)
  for (const bracket of brackets) {
    const y = bracketY(rows, camera, bracket)
    expect(bracketAt(brackets, rows, camera, 5, y)).toBe(bracket)
    expect(bracketAt(brackets, rows, camera, 11, y)).toBeNull()
  }
  expect(bracketAt(brackets, rows, camera, 5, rows.top + 20)).toBeNull()
})
