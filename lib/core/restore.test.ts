import { describe, expect, it } from 'vitest'
import { draftAt, draftsOf, waitingDrafts } from './drafts'
import type { Policy } from './event'
import { explainFloor } from './loop'
import { readMeter } from './meter'
import { PRESETS } from './policy'
import { compactionCost, costSeqs } from './projections/cost'
import { previewRestore } from './restore'
import {
  bracket,
  build,
  call,
  draft,
  fail,
  header,
  pin,
  prune,
  restore,
  result,
  summary,
  turnEnd,
  turnStart,
  unpin,
  user,
} from './testing/build'

const policy: Policy = { ...PRESETS.teaching, threshold: { absolute: 5000, ratio: 1 } }
const words = (tokens: number) => 'x'.repeat((tokens - 8) * 4)
const top = header({ policy, contextWindow: 20_000 })

describe('previewRestore', () => {
  it('[S7] counts what comes back and what goes, for one layer and for two', () => {
    const inner = [top, user(words(3000)), user(words(2000)), user('c'), summary(1, 2)]
    const one = build(...inner)
    const innerSeq = one.log.heads.findLast(({ kind }) => kind === 'checkpoint')!.seq
    const preview = previewRestore(one.log, innerSeq)
    expect(preview).toMatchObject({ path: [innerSeq], returns: [1, 2], refusal: null })
    const undone = build(...inner, restore(innerSeq))
    expect(preview.after).toBe(readMeter(undone.log).total)
    expect(preview).toMatchObject({ isAboveThreshold: true, isAboveWindow: false })

    const two = build(...inner, user('d'), summary(innerSeq, 3))
    const outerSeq = two.log.heads.findLast(({ kind }) => kind === 'checkpoint')!.seq
    const nested = previewRestore(two.log, innerSeq)
    expect(nested.path).toEqual([outerSeq, innerSeq])
    const both = build(
      ...inner,
      user('d'),
      summary(innerSeq, 3),
      restore(outerSeq),
      restore(innerSeq),
    )
    expect(nested.after).toBe(readMeter(both.log).total)
  })
  it('[S7] of a pruned result counts its whole content', () => {
    const { log } = build(top, user('a'), call('x'), result('x', words(900)), prune(3), user('b'))
    const seq = log.heads.findLast(({ type }) => type === 'tool/result')!.seq
    expect(previewRestore(log, seq).after - readMeter(log).total).toBeGreaterThan(800)
  })
  it('[S7] refuses what replaces nothing and what is off the surface for good', () => {
    const built = build(top, user('a'), user('b'), user('c'), summary(1, 2))
    const seq = built.log.heads.findLast(({ kind }) => kind === 'checkpoint')!.seq
    expect(previewRestore(built.log, 3).refusal).toMatchObject({ rule: 'S7' })
    const { log } = build(top, user('a'), user('b'), user('c'), summary(1, 2), restore(seq))
    expect(previewRestore(log, seq)).toMatchObject({ path: [], refusal: { rule: 'S7' } })
  })
})

describe('draftsOf', () => {
  const three = [top, user('a'), user('b'), user('c')]
  it('[C16] knows every draft, what it would shadow, and which was committed', () => {
    const { log } = build(...three, bracket(1, 2), draft(), bracket(1, 2), draft('again'))
    expect(draftsOf(log)).toMatchObject([
      { draftSeq: 5, startSeq: 4, seqs: [1, 2], isStale: false, committedBy: null },
      { draftSeq: 8, startSeq: 7, seqs: [1, 2], isStale: false, committedBy: null },
    ])
    expect(draftAt(log, 8)?.startSeq).toBe(7)
    expect(draftAt(log, 7)).toBeUndefined()
  })
  it('[C16] a draft is stale by its own span alone', () => {
    const drafted = [...three, bracket(1, 2), draft()]
    expect(draftsOf(build(...drafted, user('d')).log)[0]!.isStale).toBe(false)
    expect(draftsOf(build(...drafted, user('d'), summary(3, 3)).log)[0]!.isStale).toBe(false)
    expect(draftsOf(build(...drafted, summary(2, 2)).log)[0]!.isStale).toBe(true)
    expect(draftsOf(build(...drafted, summary(1, 2)).log)[0]!.isStale).toBe(true)
  })
  it('[C16] only drafts of automatic runs hold the next one back, while they fit', () => {
    const waits = (trigger: 'pressure' | 'manual', ...rest: Parameters<typeof build>) =>
      waitingDrafts(build(...three, bracket(1, 2, { trigger }), draft(), ...rest).log).length
    expect(waits('pressure')).toBe(1)
    expect(waits('manual')).toBe(0)
    expect(waits('pressure', summary(1, 2))).toBe(0)
  })
})

describe('compactionCost', () => {
  const cost = (...parts: Parameters<typeof build>) => {
    const { log, events } = build(...parts)
    const id = log.heads.findLast(({ type }) => type === 'compact/start')!.compactionId!
    return compactionCost(
      log,
      costSeqs(log.heads, id).map((seq) => events[seq]!),
    )
  }
  it('[C11] of a summary without a named model counts no call', () => {
    expect(cost(top, user(words(900)), user('b'), summary(1, 1))).toMatchObject({
      calls: 0,
      savedPerRequest: 900 - cost(top, user(words(900)), user('b'), summary(1, 1)).after!,
    })
  })
  it('[C11] of a bracket that replaced nothing has nothing saved', () => {
    expect(cost(top, user('a'), user('b'), bracket(1, 1), fail()).savedPerRequest).toBeUndefined()
    expect(cost(top, user('a'), user('b'), bracket(1, 1)).ms).toBe(0)
  })
})

describe('explainFloor', () => {
  it('[C11] shares out the whole window, largest part first, and names what helps', () => {
    const { log } = build(
      header({ policy, contextWindow: 20_000, system: words(500) }),
      turnStart,
      user(words(300)),
      turnEnd(),
      user(words(3000)),
      user(words(2500)),
      pin(4),
    )
    const told = explainFloor(log, policy)
    expect(told.parts.map(({ kind, seqs }) => [kind, seqs])).toEqual([
      ['pins', [4]],
      ['newestUnit', [5]],
      ['system', []],
      ['history', [2]],
    ])
    expect(told.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(told.total)
    expect(told.remedies).toEqual([
      { kind: 'unpin', seqs: [4], frees: 3000 },
      { kind: 'fork', at: 3 },
    ])
  })
  it('[C11] offers a larger window where no absolute threshold binds, and the release of what was restored', () => {
    const relative: Policy = { ...policy, threshold: { ratio: 0.5 } }
    const parts = [
      header({ policy: relative, contextWindow: 8000 }),
      user(words(3000)),
      user(words(2500)),
      user('c'),
      summary(1, 2),
    ]
    const seq = build(...parts).log.heads.findLast(({ kind }) => kind === 'checkpoint')!.seq
    const { log } = build(...parts, restore(seq))
    const told = explainFloor(log, relative)
    const kinds = told.remedies.map(({ kind }) => kind)
    expect(kinds).toContain('release')
    expect(kinds).toContain('switch-model')
    const { log: released } = build(...parts, restore(seq), unpin(1, 2))
    expect(explainFloor(released, relative).remedies.map(({ kind }) => kind)).not.toContain(
      'release',
    )
  })
})
