import { expect, it } from 'vitest'
import { createHistory } from '@/lib/core/history'
import { createStrata, extendStrata } from '@/lib/core/projections/strata'
import { layoutStrata } from '@/lib/core/projections/strata-layout'
import { build, type Part, pin, summary, user } from '@/lib/core/testing/build'
import { rangeOf, seqsIn, snapTo } from './range'

const layoutOf = (...parts: Part[]) => {
  const { heads } = build(...parts).log
  const index = extendStrata(createStrata(), heads)
  return layoutStrata(index, createHistory(heads), heads.length - 1)
}

it('a range is its nodes: it stays while they stand side by side, and goes with them', () => {
  const said = [user('a'), user('b'), user('c'), user('d')]
  const chosen = seqsIn(layoutOf(...said), { from: 1, to: 2 })
  expect(rangeOf(layoutOf(...said, pin(1), user('e')), chosen)).toEqual({ from: 1, to: 2 })
  expect(rangeOf(layoutOf(...said, summary(0, 0)), chosen)).toEqual({ from: 1, to: 2 })
  expect(rangeOf(layoutOf(...said, summary(0, 1)), chosen)).toBeNull()
  expect(rangeOf(layoutOf(...said, summary(1, 2)), chosen)).toBeNull()
})

it('[P1] a range grows to the nearest balanced cuts', () => {
  expect(snapTo([0, 1, 3, 4], 1, 1)).toEqual({ from: 1, to: 2 })
  expect(snapTo([0, 1, 3, 4], 2, 0)).toEqual({ from: 0, to: 2 })
  expect(snapTo([0, 1, 3, 4], 3, 3)).toEqual({ from: 3, to: 3 })
})

it('[P1] there is no range around a call that is still open', () => {
  expect(snapTo([0, 1], 1, 2)).toBeNull()
})
