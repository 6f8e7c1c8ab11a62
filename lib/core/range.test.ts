import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Policy, Seq } from './event'
import { readMeter } from './meter'
import { balancedCuts } from './pairing'
import { PRESETS } from './policy'
import { checkRange, chooseRuns, newestUnitOf, type RunMode, snapRange } from './range'
import {
  assistant,
  type Built,
  build,
  call,
  header,
  type Part,
  pin,
  restore,
  result,
  start,
  step,
  summary,
  turn,
  unpin,
  use,
  user,
} from './testing/build'

const { standard, teaching } = PRESETS
const words = (tokens: number) => 'x'.repeat(tokens * 4)
/** A user message of about `tokens` tokens: 8 of them are overhead (M1). */
const said = (tokens: number) => user(words(tokens - 8))
const read = (id: string, tokens: number): Part[] => [call(id), result(id, words(tokens))]
const runs = (built: Built, policy: Policy = standard, mode: RunMode = 'pressure') =>
  chooseRuns(built.log, readMeter(built.log), policy, mode)
const seqs = (built: Built, policy?: Policy, mode?: RunMode) =>
  runs(built, policy, mode).map((run) => run.seqs)

describe('checkRange', () => {
  const parts = [user('go'), ...read('a', 10), assistant('b'), ...read('c', 10), user('bye')]
  const { log } = build(...parts)
  const rule = (from: Seq, to: Seq, of = log) => checkRange(of, from, to)?.rule ?? null

  it('[C3] takes whole units before the newest, in any place', () => {
    expect(rule(0, 0)).toBeNull()
    expect(rule(0, 5)).toBeNull()
    expect(rule(1, 2)).toBeNull()
    expect(rule(3, 3)).toBeNull()
  })
  it('[C3] refuses ends that are not on the surface or not in order', () => {
    expect(rule(99, 2)).toBe('C3')
    expect(rule(0, 99)).toBe('C3')
    expect(rule(3, 0)).toBe('C3')
  })
  it('[C3][P1] refuses an edge between a call and its result', () => {
    expect(rule(0, 1)).toBe('C3')
    expect(rule(2, 3)).toBe('C3')
  })
  it('[C3] refuses the newest unit', () => {
    expect(rule(0, 6)).toBe('C3')
    expect(rule(6, 6)).toBe('C3')
    expect(checkRange(log, 0, 6, { undo: true })).toBeNull()
  })
  it('[C3] refuses calls in progress', () => {
    const open = build(header(), ...parts, turn(step(call('d'), start('d'), result('d')))).log
    expect(rule(1, 1, open)).toBeNull()
    const busy = build(user('go'), assistant('b'), call('d')).log
    expect(rule(0, 1, busy)).toBeNull()
    expect(rule(0, 2, busy)).toBe('C3')
    expect(rule(2, 2, busy)).toBe('C3')
  })
  it('[C3][K1] refuses a pinned node and all of its unit, also for an undo', () => {
    const pinned = build(...parts, pin(2)).log
    expect(rule(1, 2, pinned)).toBe('C3')
    expect(rule(0, 3, pinned)).toBe('C3')
    expect(rule(3, 5, pinned)).toBeNull()
    expect(checkRange(pinned, 0, 3, { undo: true })?.rule).toBe('C3')
  })
  it('[C6] refuses a range that cannot gain enough where a gain is asked for', () => {
    expect(checkRange(log, 0, 5, { minGain: standard.minGain })?.rule).toBe('C6')
    expect(checkRange(log, 0, 5, { minGain: standard.minGain, undo: true })).toBeNull()
  })
})

describe('chooseRuns', () => {
  const ten = Array.from({ length: 10 }, () => said(1000))

  it('[C8] keeps a recent tail of 0.16 of the window', () => {
    const window = header({ contextWindow: 20_000, params: { max_tokens: 0 } })
    // 3,200 tokens hold three messages of 1,000; T is 16,000 and 0.3 of it more.
    expect(seqs(build(window, ...ten))).toEqual([[1, 2, 3, 4, 5, 6, 7]])
  })
  it('[C8] keeps a recent tail of 0.3 of T where that is less', () => {
    const policy: Policy = { ...standard, threshold: { absolute: 8_000, ratio: 0.8 } }
    const built = build(header({ contextWindow: 100_000, policy }), ...ten)
    expect(seqs(built, policy)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8]])
  })
  it('[C8] moves the tail toward the head to a whole unit', () => {
    const window = header({ contextWindow: 20_000, params: { max_tokens: 0 } })
    const unit = [call('a'), result('a', words(990)), said(1000), said(1000)]
    expect(seqs(build(window, ...ten, ...unit))).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]])
  })
  it('[C8] keeps the newest unit even where it alone exceeds the tail', () => {
    const window = header({ contextWindow: 20_000, params: { max_tokens: 0 } })
    const built = build(window, ...ten, call('a'), result('a', words(9000)))
    expect(seqs(built)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]])
  })
  it('[C8] counts the tail in the tokens the provider measures', () => {
    const window = header({ contextWindow: 20_000, params: { max_tokens: 0 } })
    const usage = { input_tokens: 20_000, output_tokens: 28 }
    const built = build(window, ...ten, assistant('ok', { usage }))
    // Each message weighs 2,000 as measured, so one fits beside the reply.
    expect(seqs(built)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9]])
  })
  it('[C8] the teaching preset keeps the newest unit alone', () => {
    const built = build(header(), ...ten, ...read('a', 500))
    expect(seqs(built, teaching)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]])
  })
  it('[C9] overflow keeps the newest unit alone, whatever the preset', () => {
    const built = build(header({ contextWindow: 20_000 }), ...ten)
    expect(seqs(built, standard, 'overflow')).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9]])
  })
  it('[C6] overflow takes a gain that pressure would not', () => {
    const built = build(header(), said(300), said(100))
    expect(seqs(built, teaching)).toEqual([])
    expect(seqs(built, teaching, 'overflow')).toEqual([[1]])
  })
  it('[C8] a manual run that finds nothing before the tail takes all but the newest unit', () => {
    const built = build(header({ contextWindow: 100_000 }), ...ten)
    expect(seqs(built)).toEqual([])
    expect(seqs(built, standard, 'manual')).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9]])
    const tight = build(header({ contextWindow: 20_000, params: { max_tokens: 0 } }), ...ten)
    expect(seqs(tight, standard, 'manual')).toEqual([[1, 2, 3, 4, 5, 6, 7]])
  })
  it('[C8] turn boundaries do not protect the old steps of one long turn', () => {
    const steps = ['a', 'b', 'c', 'd'].map((id) =>
      step(call(id), start(id), result(id, words(900))),
    )
    const built = build(header(), turn(said(1000), ...steps))
    const nodes = built.nodes
    expect(seqs(built, teaching)).toEqual([nodes.slice(0, -2)])
  })
  it('[C8][K1] pins part the range, and each side is a run of its own', () => {
    const built = build(header(), ...ten, pin(5))
    const parted = runs(built, teaching)
    expect(parted.map((run) => run.seqs)).toEqual([
      [1, 2, 3, 4],
      [6, 7, 8, 9],
    ])
    expect(parted[0]).toMatchObject({ start: 1, end: 4, tokens: 4000 })
    expect(seqs(build(header(), ...ten, pin(5), unpin(5)), teaching)).toHaveLength(1)
  })
  it('[C8][K1] a pinned result keeps its call out of every run', () => {
    const built = build(header(), said(1000), ...read('a', 900), said(1000), said(1000), pin(3))
    expect(seqs(built, teaching)).toEqual([[1], [4]])
  })
  it('[C8][S7] restored nodes part the range', () => {
    const built = build(header(), ...ten, summary(3, 5), restore(13))
    expect(built.nodes.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(seqs(built, teaching)).toEqual([
      [1, 2],
      [6, 7, 8, 9],
    ])
  })
  it('[C8] an earlier checkpoint merges into the new run', () => {
    const built = build(header(), ...ten, summary(1, 4))
    expect(seqs(built, teaching)[0]![0]).toBe(13)
    expect(runs(built, teaching)[0]).toMatchObject({ start: 13, end: 9 })
  })
  it('[C8] a run of nothing but checkpoints is skipped, however long', () => {
    const built = build(header(), ...ten, summary(1, 4, { text: words(3000) }), pin(5))
    expect(seqs(built, teaching)).toEqual([[6, 7, 8, 9]])
  })
  it('[C6][C8] a run that cannot gain enough is skipped', () => {
    const built = build(header(), said(400), said(1000), said(1000), said(1000), pin(2))
    expect(seqs(built, teaching)).toEqual([[3]])
  })
  it('[C8] an empty surface has no runs', () => expect(seqs(build(header()))).toEqual([]))
})

describe('any log', () => {
  type Turn = { kind: 'user' | 'text' | 'calls'; tokens: number; calls: number; open: boolean }
  const turns = fc.array(
    fc.record({
      kind: fc.constantFrom<Turn['kind']>('user', 'text', 'calls'),
      tokens: fc.integer({ min: 1, max: 3000 }),
      calls: fc.integer({ min: 1, max: 3 }),
      open: fc.boolean(),
    }),
    { minLength: 1, maxLength: 25 },
  )
  function conversation(list: Turn[]): Part[] {
    return list.flatMap(({ kind, tokens, calls, open }, index) => {
      if (kind === 'user') return [user(words(tokens))]
      if (kind === 'text') return [assistant(words(tokens))]
      const ids = Array.from({ length: calls }, (_, n) => `t${index}-${n}`)
      const answered = open && index === list.length - 1 ? ids.slice(1) : ids
      const uses = assistant(ids.map((id) => use(id)))
      return [uses, ...answered.map((id) => result(id, words(tokens)))]
    })
  }
  const modes = fc.constantFrom<RunMode>('pressure', 'overflow', 'manual')
  const windows = fc.option(fc.integer({ min: 5_000, max: 100_000 }), { nil: undefined })

  it('[C3][C8] every run is whole, in order, apart from the others, and passes checkRange', () => {
    fc.assert(
      fc.property(
        turns,
        modes,
        windows,
        fc.array(fc.nat(), { maxLength: 3 }),
        (list, mode, contextWindow, marks) => {
          const parts = [header({ contextWindow }), ...conversation(list)]
          const plain = build(...parts)
          const built = build(
            ...parts,
            ...marks.map((mark) => pin(plain.nodes[mark % plain.nodes.length]!)),
          )
          const { log, nodes, heads } = built
          const newest = newestUnitOf(log)
          const cuts = balancedCuts(nodes, heads)
          let last = 0
          for (const run of runs(built, standard, mode)) {
            const from = nodes.indexOf(run.start)
            expect(from).toBeGreaterThanOrEqual(last)
            last = from + run.seqs.length
            expect(nodes.slice(from, last)).toEqual(run.seqs)
            expect(cuts).toContain(from)
            expect(cuts).toContain(last)
            expect(run.seqs.some((seq) => log.state.pins.has(seq) || newest.includes(seq))).toBe(
              false,
            )
            expect(run.tokens).toBe(run.seqs.reduce((sum, seq) => sum + heads[seq]!.tokens, 0))
            const trigger =
              mode === 'overflow' ? ('context-overflow' as const) : ('pressure' as const)
            const checks = { minGain: standard.minGain, trigger }
            expect(checkRange(log, run.start, run.end, checks)).toBeNull()
          }
        },
      ),
    )
  }, 20_000)
  it('[P1] a snapped range is the smallest of whole units around both nodes, either way round', () => {
    fc.assert(
      fc.property(turns, fc.nat(), fc.nat(), (list, a, b) => {
        const { log, nodes, heads } = build(...conversation(list))
        const [one, other] = [nodes[a % nodes.length]!, nodes[b % nodes.length]!]
        const snapped = snapRange(log, one, other)!
        expect(snapRange(log, other, one)).toEqual(snapped)
        const [from, to] = [nodes.indexOf(snapped.start), nodes.indexOf(snapped.end) + 1]
        const cuts = [...balancedCuts(nodes, heads), nodes.length]
        const [first, last] = [nodes.indexOf(one), nodes.indexOf(other)].sort((x, y) => x - y)
        expect(from).toBe(Math.max(...cuts.filter((cut) => cut <= first!)))
        expect(to).toBe(Math.min(...cuts.filter((cut) => cut > last!)))
      }),
    )
  }, 20_000)
  it('[P1] a node that is not on the surface has no range', () =>
    expect(snapRange(build(user('a')).log, 0, 7)).toBeNull())
})
