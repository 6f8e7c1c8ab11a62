import { describe, expect, it } from 'vitest'
import type { Policy } from './event'
import { decide, isHeavy, PRESETS, REQUEST_LIMITS, thresholdOf } from './policy'

const { standard, teaching } = PRESETS
const load = { total: 0, bytes: 0, media: 0, window: 100_000, maxTokens: 20_000 }

describe('thresholdOf', () => {
  it('[C7] is the ratio of what the window leaves after the reserved output', () =>
    expect(thresholdOf(standard, 100_000, 20_000)).toBe(64_000))
  it('[C7] is the absolute figure where that is less', () => {
    expect(thresholdOf(teaching, 200_000, 8_000)).toBe(50_000)
    expect(thresholdOf(teaching, undefined, 8_000)).toBe(50_000)
  })
  it('[C7] the teaching preset is capped by a small window', () =>
    expect(thresholdOf(teaching, 16_000, 2_000)).toBe(11_200))
  it('[C7] is none where neither is known', () =>
    expect(thresholdOf(standard, undefined, 8_000)).toBeUndefined())
  it('[C7] is never negative, whatever is reserved', () =>
    expect(thresholdOf(standard, 1_000, 8_000)).toBe(0))
})

describe('decide', () => {
  it('[C7] rests at the threshold and below', () => {
    expect(decide({ ...load, total: 64_000 }, standard)).toBe('rest')
    expect(decide({ ...load, total: 64_000 }, standard, true)).toBe('rest')
  })
  it('[C7] prunes first, and summarises only if still above', () => {
    expect(decide({ ...load, total: 64_001 }, standard)).toBe('prune')
    expect(decide({ ...load, total: 64_001 }, standard, true)).toBe('compact')
  })
  it('[C7] is off with an unknown window and no absolute figure', () => {
    const unknown = { ...load, total: 10_000_000, window: undefined }
    expect(decide(unknown, standard)).toBe('rest')
    expect(decide(unknown, teaching)).toBe('prune')
  })
  it('[C7] judges a model switch by the window it is given', () => {
    const smaller = { ...load, total: 60_000, window: 50_000 }
    expect(decide(smaller, standard)).toBe('prune')
  })
  it('[M4] media overflow before tokens do', () => {
    const heavy = { ...load, bytes: REQUEST_LIMITS.bytes * 0.81 }
    expect(decide(heavy, standard)).toBe('prune')
    expect(isHeavy({ bytes: REQUEST_LIMITS.bytes * 0.79, media: 100 })).toBe(false)
    expect(isHeavy({ bytes: 0, media: 101 })).toBe(true)
  })
})

describe('PRESETS', () => {
  it('[X1][X5] micro runs where it pays, or always', () => {
    const micro = { keepRecent: 3, minChars: 100, exempt: [] }
    expect(standard.micro).toEqual({ ...micro, when: 'worthwhile', recallHint: true })
    expect(teaching.micro).toEqual({ ...micro, when: 'always', recallHint: false })
  })
  it('[X2][C6][C8] share prune budgets and gain, and differ in the tail', () => {
    const shared = (policy: Policy) => ({ prune: policy.prune, minGain: policy.minGain })
    const expected = {
      prune: { thresholdChars: 8192, headChars: 4096, tailChars: 1024 },
      minGain: { ratio: 0.1, tokens: 500 },
    }
    expect(shared(standard)).toEqual(expected)
    expect(shared(teaching)).toEqual(expected)
    expect([standard.keepTail, teaching.keepTail]).toEqual(['recent', 'newest-unit'])
  })
})
