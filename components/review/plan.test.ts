import { expect, it } from 'vitest'
import { readMeter } from '@/lib/core/meter'
import { PRESETS } from '@/lib/core/policy'
import { assistant, build, call, pin, result, user } from '@/lib/core/testing/build'
import { planRegion, planWhole } from './plan'

const { standard } = PRESETS
const long = (word: string) => `${word} `.repeat(1200)
/** #0 go, #1 call, #2 its result, #3 a keepsake, #4 call, #5 its result, #6 bye, #7 the reply. */
const parts = [
  user('go'),
  call('a'),
  result('a', long('berth')),
  user('keep me'),
  call('b'),
  result('b', long('crane')),
  user('bye'),
  assistant('well'),
]

it('[P1] a region is widened to whole units, in whichever order its ends are given', () => {
  const { log } = build(...parts)
  const plan = planRegion(log, log.heads.length, { one: 5, other: 2 }, standard)
  expect(plan?.runs.map(({ start, end }) => [start, end])).toEqual([[1, 5]])
})

it('[K1] a pinned message parts a region into runs and is named as staying', () => {
  const { log } = build(...parts, pin(3))
  const plan = planRegion(log, log.heads.length, { one: 0, other: 6 }, standard)!
  expect(plan.runs.map(({ seqs }) => seqs)).toEqual([
    [0, 1, 2],
    [4, 5, 6],
  ])
  expect(plan.rows.find(({ seq }) => seq === 3)?.kept).toBe('pinned')
})

it('[C3] the newest unit stays, and a region of nothing else says why', () => {
  const { log } = build(...parts)
  const plan = planRegion(log, log.heads.length, { one: 7, other: 7 }, standard)!
  expect(plan.runs).toEqual([])
  expect(plan.refusal).toBe('The newest exchange stays as it is.')
})

it('[C6] a region too little to gain anything is refused in words', () => {
  const { log } = build(...parts)
  const plan = planRegion(log, log.heads.length, { one: 3, other: 3 }, standard)!
  expect(plan.runs).toEqual([])
  expect(plan.refusal).toContain('could free at most')
})

it('a region with an end that is not on the surface has no plan', () => {
  const { log } = build(...parts)
  expect(planRegion(log, log.heads.length, { one: 2, other: 99 }, standard)).toBeNull()
})

it('[C8] the whole lists what stays between its runs', () => {
  const { log } = build(...parts, pin(3))
  const plan = planWhole(log, readMeter(log), standard)
  expect(plan.runs).toHaveLength(2)
  expect(plan.rows.filter(({ kept }) => kept !== null)).toEqual([{ seq: 3, kept: 'pinned' }])
})
