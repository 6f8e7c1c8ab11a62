import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventDraft, EventOf, Policy, Seq } from './event'
import { headOf } from './head'
import { loadLog } from './log'
import type { Block } from './message'
import { readMeter } from './meter'
import { PRESETS } from './policy'
import {
  checkBudgets,
  choosePrune,
  MARKER,
  type PruneBudgets,
  type PruneReport,
  planMicro,
  pruneContent,
  pruneDrafts,
  reportPrune,
  shortenResult,
} from './prune'
import { foldSurface } from './surface'
import {
  assistant,
  type Built,
  build,
  FOREIGN,
  forge,
  header,
  type Part,
  pin,
  prune,
  restore,
  result,
  step,
  unpin,
  use,
  user,
} from './testing/build'
import { readCases } from './testing/cases'
import { codePoints } from './text'

const { standard, teaching } = PRESETS
const text = (words: string): Block => ({ type: 'text', text: words })
const long = 'word '.repeat(100)

/** A step that calls one tool and gets `words` back. */
const read = (id: string, words = long, name = 'read_file'): Part => {
  const answer: Part = (writer) => {
    const { turn, step } = writer.log.state
    const place = turn === null || step === null ? {} : { turn, step }
    writer.write({
      type: 'tool/result',
      data: { id: `r-${id}`, ...place, callId: id, name, content: [text(words)], isError: false },
      surfaceOp: 'append',
    })
  }
  return (writer) => {
    assistant([use(id, name)])(writer)
    answer(writer)
  }
}
const micro = (built: Built, policy: Policy = teaching) =>
  planMicro(built.log, policy, readMeter(built.log))
const textsOf = (plan: { content: Block[] }[]) => plan.map(({ content }) => content)
const seqOf = (built: Built, callId: string): Seq =>
  built.heads.find((head) => head.type === 'tool/result' && head.calls?.[0] === callId)!.seq

describe('pruneContent', () => {
  type Case = { id: string; config: PruneBudgets; blocks: Block[]; out: Block[] | null }
  const { shared, cases } = readCases<
    { marker: string; budgets: { config: Partial<PruneBudgets>; ok: boolean }[] },
    Case
  >('pruner-content')

  it('[X2] has at least 40 reference cases and their marker', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40)
    expect(MARKER).toBe(shared.marker)
  })
  it.each(cases)('[X2] cuts as the reference does: $id', ({ config, blocks, out }) => {
    expect(pruneContent(blocks, config)).toEqual(out)
    if (out) expect(pruneContent(out, config)).toBeNull()
  })
  it.each(shared.budgets)('[X2] accepts or refuses budgets: $config', ({ config, ok }) => {
    expect(checkBudgets({ ...standard.prune, ...config }) === null).toBe(ok)
  })

  const budgets = fc
    .record({ headChars: fc.nat(30), tailChars: fc.nat(30), spare: fc.nat(30) })
    .map(({ headChars, tailChars, spare }) => ({
      headChars,
      tailChars,
      thresholdChars: headChars + tailChars + codePoints(MARKER) + spare,
    }))
  const image: Block = {
    type: 'image',
    source: { type: 'blob', hash: 'h', media_type: 'image/png', bytes: 1 },
  }
  const piece = fc.string({ unit: 'grapheme', maxLength: 80 }).map(text)
  const blocks = fc.array(fc.oneof(piece, fc.constant(image)), { maxLength: 6 })

  it('[X2] stays within the threshold, halves no surrogate pair, keeps other blocks, is idempotent', () => {
    fc.assert(
      fc.property(blocks, budgets, (content, limits) => {
        const joined = (all: Block[]) => all.map((b) => (b.type === 'text' ? b.text : '')).join('')
        const pruned = pruneContent(content, limits)
        if (pruned === null) return codePoints(joined(content)) <= limits.thresholdChars
        const before = [...joined(content)]
        const [head, tail] = joined(pruned).split(MARKER)
        expect(head).toBe(before.slice(0, limits.headChars).join(''))
        expect(tail).toBe(limits.tailChars > 0 ? before.slice(-limits.tailChars).join('') : '')
        expect(pruned.filter((b) => b === image)).toEqual(content.filter((b) => b === image))
        return pruneContent(pruned, limits) === null
      }),
    )
  }, 20_000)
})

describe('choosePrune and pruneDrafts', () => {
  type Case = {
    id: string
    events: EventDraft[]
    result: PruneReport
    contents: Block[][]
    surface: Seq[]
  }
  const { shared, cases } = readCases<{ config: PruneBudgets }, Case>('pruner-session')

  it('[X2] has at least 40 reference sessions', () =>
    expect(cases.length).toBeGreaterThanOrEqual(40))

  // The reference prunes results no request has carried; ours does so on overflow alone (X2).
  it.each(cases)('[X2][X3] prunes a session as the reference does: $id', (one) => {
    const events = forge(...one.events)
    const loaded = loadLog(FOREIGN, events.map(headOf))
    if (!loaded.ok) throw new Error(loaded.error.message)
    const log = loaded.value
    const policy = { ...standard, prune: shared.config }
    const drafts = choosePrune(log, policy, 'overflow').flatMap((seq) => {
      const event = events[seq] as EventOf<'tool/result'>
      const content = shortenResult(event.data.content, policy.prune, false)
      return content ? pruneDrafts(log, seq, event, content, 'pressure') : []
    })
    const after = forge(...one.events, ...drafts)
    const heads = after.map(headOf)
    const fold = foldSurface(heads)
    expect(fold.ok && fold.value.nodes).toEqual(one.surface)
    expect(reportPrune(heads, events.length)).toEqual(one.result)
    const results = drafts.filter((draft) => draft.type === 'tool/result')
    expect(results.map((draft) => draft.data.content)).toEqual(one.contents)
    const again = loadLog(FOREIGN, heads)
    expect(again.ok && choosePrune(again.value, policy, 'overflow')).toEqual([])
  })

  const big = 'x'.repeat(9000)
  it('[X2] spares a result no request has carried, except on overflow', () => {
    const built = build(header(), user('go'), read('a', big), assistant('seen'), read('b', big))
    expect(choosePrune(built.log, standard, 'pressure')).toEqual([seqOf(built, 'a')])
    expect(choosePrune(built.log, standard, 'overflow')).toHaveLength(2)
  })
  it('[X2][K1][S7] spares pinned and restored results', () => {
    const parts = [user('go'), read('a', big), read('b', big), assistant('seen')]
    const plain = build(...parts)
    const [a, b] = [seqOf(plain, 'a'), seqOf(plain, 'b')]
    expect(choosePrune(plain.log, standard, 'pressure')).toEqual([a, b])
    expect(choosePrune(build(...parts, pin(a)).log, standard, 'pressure')).toEqual([b])
    const undone = [...parts, prune(b), restore(plain.heads.length + 1)]
    expect(choosePrune(build(...undone).log, standard, 'pressure')).toEqual([a])
    expect(choosePrune(build(...undone, unpin(b)).log, standard, 'pressure')).toEqual([a, b])
  })
  it('[X2][M4] drops media of old results first when bytes run out', () => {
    const image: Block = {
      type: 'image',
      source: { type: 'blob', hash: 'h', media_type: 'image/png', bytes: 30_000_000 },
    }
    const built = build(user('go'), assistant([use('a')]), result('a', [image]), assistant('seen'))
    expect(choosePrune(built.log, standard, 'pressure')).toEqual([seqOf(built, 'a')])
    expect(shortenResult([image], standard.prune, true)).toEqual([
      text('[image left out: image/png]'),
    ])
    expect(shortenResult([image], standard.prune, false)).toBeNull()
  })
  it('[X3][S5] announces each replacement next to it and changes nothing but content', () => {
    const built = build(user('go'), read('a', big), assistant('seen'))
    const seq = seqOf(built, 'a')
    const event = built.events[seq] as EventOf<'tool/result'>
    const drafts = pruneDrafts(built.log, seq, event, [text('short')], 'micro')
    expect(drafts.map((draft) => draft.type)).toEqual(['compact/prune', 'tool/result'])
    expect(drafts[0]!.data).toEqual({
      cause: 'micro',
      shadowedRange: { start: seq, end: seq },
      shadowedSeqs: [seq],
      shadowedTokenCount: built.heads[seq]!.tokens,
    })
    expect(drafts[1]!.data).toEqual({ ...event.data, content: [text('short')] })
  })
})

describe('planMicro', () => {
  const five = [user('go'), ...['a', 'b', 'c', 'd', 'e'].map((id) => read(id))]

  it('[X1] replaces all but the newest three by the fixed words', () => {
    const built = build(...five, assistant('done'))
    const plan = micro(built)
    expect(plan.map(({ seq }) => seq)).toEqual([seqOf(built, 'a'), seqOf(built, 'b')])
    expect(textsOf(plan)).toEqual([
      [text('[Previous: used read_file]')],
      [text('[Previous: used read_file]')],
    ])
  })
  it('[X1] the standard preset names the seq to recall, that of the result as the tool gave it', () => {
    const policy: Policy = { ...standard, micro: { ...standard.micro, when: 'always' } }
    const built = build(...five, assistant('done'))
    const a = seqOf(built, 'a')
    expect(textsOf(micro(built, policy))[0]).toEqual([
      text(`[Previous: used read_file; recall #${a}]`),
    ])
    const pruned = build(...five, assistant('done'), prune(a, 'p'.repeat(300)))
    expect(textsOf(micro(pruned, policy))[0]).toEqual([
      text(`[Previous: used read_file; recall #${a}]`),
    ])
  })
  it('[X1] leaves short results, errors and exempt tools alone', () => {
    const built = build(
      user('go'),
      read('short', 'x'.repeat(100)),
      assistant([use('bad')]),
      result('bad', long, true),
      read('kept', long, 'recall_read'),
      read('old', 'x'.repeat(101)),
      ...['c', 'd', 'e'].map((id) => read(id)),
      assistant('done'),
    )
    const exempt: Policy = { ...teaching, micro: { ...teaching.micro, exempt: ['recall_read'] } }
    expect(micro(built, exempt).map(({ seq }) => seq)).toEqual([seqOf(built, 'old')])
    expect(micro(built)).toHaveLength(2)
  })
  it('[X1] never replaces a result that no request has carried', () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const parallel = [assistant(ids.map((id) => use(id))), ...ids.map((id) => result(id, long))]
    expect(micro(build(user('go'), ...parallel))).toEqual([])
    const carried = build(user('go'), ...parallel, assistant('seen'))
    expect(micro(carried)).toHaveLength(2)
  })
  it('[X1] a failed request has carried nothing', () => {
    const failed: Part = ({ log, write }) => {
      const { turn, step } = log.state
      const error = { code: 'network', message: 'gone' }
      write({ type: 'request/failed', data: { turn: turn!, step: step!, attempt: 1, error } })
    }
    const ids = ['a', 'b', 'c', 'd', 'e']
    const parallel = [assistant(ids.map((id) => use(id))), ...ids.map((id) => result(id, long))]
    const begin: Part = ({ write }) => {
      write({ type: 'turn/start', data: { turn: 1 } })
    }
    const built = build(header(), begin, user('go'), step(...parallel), step(failed))
    expect(micro(built)).toEqual([])
  })
  it('[X1][K1][S7] never replaces pinned or restored results', () => {
    const plain = build(...five, assistant('done'))
    const [a, b] = [seqOf(plain, 'a'), seqOf(plain, 'b')]
    expect(micro(build(...five, assistant('done'), pin(a))).map(({ seq }) => seq)).toEqual([b])
    const back = [prune(b, 'short', 'micro'), restore(plain.heads.length + 1)]
    expect(micro(build(...five, assistant('done'), ...back)).map(({ seq }) => seq)).toEqual([a])
  })
  it('[X1] replaces nothing twice, even when asked to replace everything', () => {
    const policy: Policy = {
      ...teaching,
      micro: { ...teaching.micro, minChars: 0, keepRecent: 0 },
    }
    const built = build(user('go'), read('a'), assistant('done'))
    const [{ seq, content }] = micro(built, policy) as [{ seq: Seq; content: Block[] }]
    const words = content[0]!.type === 'text' ? String(content[0]!.text) : ''
    const again = build(user('go'), read('a'), assistant('done'), prune(seq, words, 'micro'))
    expect(micro(again, policy)).toEqual([])
  })

  /** Results of `tokens` tokens each, by the estimate of four characters a token. */
  const sized = (id: string, tokens: number) => read(id, 'x'.repeat(tokens * 4))
  it('[X5] the standard preset waits for 10 % of the window', () => {
    const grow = (tokens: number) =>
      build(
        header({ contextWindow: 100_000 }),
        user('go'),
        sized('a', tokens),
        ...['b', 'c', 'd'].map((id) => sized(id, 100)),
        assistant('done'),
      )
    expect(micro(grow(9_900), standard)).toEqual([])
    expect(micro(grow(10_100), standard)).toHaveLength(1)
  })
  it('[X5] a large or unknown window asks for 20,000 tokens', () => {
    const grow = (tokens: number, contextWindow?: number) =>
      build(
        header({ contextWindow }),
        user('go'),
        sized('a', tokens),
        ...['b', 'c', 'd'].map((id) => sized(id, 100)),
        assistant('done'),
      )
    expect(micro(grow(19_900, 1_000_000), standard)).toEqual([])
    expect(micro(grow(20_100, 1_000_000), standard)).toHaveLength(1)
    expect(micro(grow(19_900), standard)).toEqual([])
    expect(micro(grow(20_100), standard)).toHaveLength(1)
  })
  it('[X5] it also waits for a quarter of what stands after its oldest change', () => {
    const behind = (tokens: number) =>
      build(
        header({ contextWindow: 50_000 }),
        user('x'.repeat(80_000)),
        sized('a', 6_000),
        ...['b', 'c', 'd'].map((id) => sized(id, 100)),
        assistant('x'.repeat(tokens * 4)),
      )
    expect(micro(behind(17_000), standard)).toHaveLength(1)
    expect(micro(behind(18_500), standard)).toEqual([])
  })
  it('[X5] counts in the tokens the provider measures', () => {
    const usage = { input_tokens: 16_000, output_tokens: 0 }
    const sure = [user('go'), sized('a', 6_000), ...['b', 'c', 'd'].map((id) => sized(id, 100))]
    const top = header({ contextWindow: 100_000 })
    expect(micro(build(top, ...sure, assistant('done')), standard)).toEqual([])
    expect(micro(build(top, ...sure, assistant('done', { usage })), standard)).toHaveLength(1)
  })
})
