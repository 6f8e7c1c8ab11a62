import { describe, expect, it } from 'vitest'
import type { CompactFailure, CompactTrigger, Policy } from './event'
import { automaticStopped, floorOf } from './loop'
import { PRESETS } from './policy'
import {
  bracket,
  build,
  call,
  commit,
  fail,
  header,
  type Part,
  pin,
  prune,
  result,
  unpin,
  user,
} from './testing/build'

const policy: Policy = { ...PRESETS.teaching, threshold: { absolute: 5_000, ratio: 1 } }
const words = (tokens: number) => 'x'.repeat((tokens - 8) * 4)
const said = (tokens: number) => user(words(tokens))
const top = header({ policy })
const above = [top, said(2000), said(2000), said(2000), said(2000)]

/** An attempt on the first node, ended so. */
const tried = (code: CompactFailure, trigger: CompactTrigger = 'pressure'): Part[] => [
  bracket(1, 1, { trigger }),
  fail(code),
]
const stopped = (...parts: Part[]) => automaticStopped(build(...above, ...parts).log, policy)?.code

describe('automaticStopped', () => {
  it('[C11] stops after two automatic attempts in a row that failed by themselves', () => {
    expect(stopped()).toBeUndefined()
    expect(stopped(...tried('summary'))).toBeUndefined()
    expect(stopped(...tried('summary'), ...tried('commit'))).toBe('failures')
    expect(stopped(...tried('summary', 'context-overflow'), ...tried('summary'))).toBe('failures')
  })
  it.each<CompactFailure>(['cancelled', 'changed', 'interrupted', 'persistence', 'busy'])(
    '[C11] an attempt that ended %s neither counts nor ends the row',
    (code) => {
      expect(stopped(...tried(code), ...tried(code), ...tried(code))).toBeUndefined()
      expect(stopped(...tried('summary'), ...tried(code), ...tried('summary'))).toBe('failures')
    },
  )
  it('[C11] attempts by hand do not count', () => {
    expect(stopped(...tried('summary', 'manual'), ...tried('summary', 'region'))).toBeUndefined()
  })
  const failed = [...tried('summary'), ...tried('summary')]
  it('[C11] a change of model or window sets it going again, any other header does not', () => {
    expect(stopped(...failed, header({ policy, model: 'other' }))).toBeUndefined()
    expect(stopped(...failed, header({ policy, contextWindow: 50_000 }))).toBeUndefined()
    expect(stopped(...failed, header({ policy, system: 'else' }))).toBe('failures')
  })
  it('[C11] an unpin sets it going again, a pin does not', () => {
    expect(stopped(...failed, pin(2))).toBe('failures')
    expect(stopped(...failed, pin(2), unpin(2))).toBeUndefined()
  })
  it('[C11] a success sets it going again', () => {
    const success = [bracket(1, 1), commit(words(1900))]
    expect(stopped(...failed, ...success)).toBeUndefined()
  })
  it('[C11] a surface that was below the threshold sets it going again', () => {
    const big = [top, said(2000), call('a'), result('a', words(4000)), said(100)]
    const twice = [...tried('summary'), ...tried('summary')]
    const again = (...between: Part[]) =>
      automaticStopped(build(...big, ...twice, ...between, said(4000)).log, policy)
    expect(again()?.code).toBe('failures')
    expect(again(prune(3, words(3900), 'pressure'))?.code).toBe('failures')
    expect(again(prune(3, 'short', 'pressure'))).toBeNull()
  })
  it('[C11] is nothing to speak of below the threshold', () => {
    const { log } = build(top, said(2000), said(2000), bracket(1, 1), fail('summary'))
    expect(automaticStopped(log, policy)).toBeNull()
  })
  it('[C11] stops at once where nothing is left to summarise, and says what fills the window', () => {
    const parts = [header({ policy, system: 'x'.repeat(400) }), said(3000), said(3000), pin(1)]
    const stop = automaticStopped(build(...parts).log, policy)!
    expect(stop.code).toBe('floor')
    expect(stop.floor).toEqual({ system: 100, tools: 0, pins: 3000, restored: 0, newestUnit: 3000 })
    expect(stop.message).toContain('6100 of 5000')
    expect(stop.message).toContain('pins 3000')
    expect(stop.message).toContain('Unpin')
  })
  it('[C11] a pinned newest unit is counted once', () => {
    const { log } = build(top, said(3000), said(3000), pin(2))
    expect(floorOf(log)).toMatchObject({ pins: 0, newestUnit: 3000 })
  })
})
