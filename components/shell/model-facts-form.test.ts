import { expect, it } from 'vitest'
import { priceTexts, readPrice, thinkingChoice, thinkingWays } from './model-facts-form'

const NOTHING = { input: '', output: '', cacheRead: '', cacheWrite: '' }
const given = { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 }

it('what is left empty is as given; where nothing is given a cache costs what reading costs', () => {
  expect(readPrice(NOTHING, given)).toBeUndefined()
  expect(readPrice({ ...NOTHING, output: '$15' }, given)).toEqual({ ...given, output: 15 })
  const own = { input: 0.5, output: 2, cacheRead: 0.5, cacheWrite: 0.5 }
  expect(readPrice({ ...NOTHING, input: '0,5', output: ' 2 ' }, undefined)).toEqual(own)
  expect(readPrice({ ...NOTHING, input: '0', output: '0' }, undefined)?.input).toBe(0)
})

it('a price that is wrong or not complete is none', () => {
  expect(readPrice({ ...NOTHING, input: '1' }, undefined)).toBeNull()
  for (const text of ['-1', 'free', '1e9', 'NaN', '1.2.3'])
    expect(readPrice({ ...NOTHING, input: text }, given)).toBeNull()
})

it('a price and ways of thinking come back as they were kept', () => {
  expect(readPrice(priceTexts({ ...given, cacheRead: 10 * 0.025 }), undefined)).toEqual({
    ...given,
    cacheRead: 0.25,
  })
  for (const choice of ['none', 'adaptive', 'enabled', 'both'] as const)
    expect(thinkingChoice(thinkingWays(choice))).toBe(choice)
})
