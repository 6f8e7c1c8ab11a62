import { describe, expect, it } from 'vitest'
import { acceptSummary, checkGain, missingSections } from './accept'
import { checkpointText } from './checkpoint'
import { changedSince, commitDrafts, failDraft, startDraft, summaryMaxTokens } from './compaction'
import type { EventData, EventOf, Policy, Seq } from './event'
import { surfaceNodes } from './log'
import { type Block, textOf } from './message'
import { readMeter } from './meter'
import { decide, PRESETS } from './policy'
import { SECTIONS } from './prompt'
import { choosePrune, pruneDrafts, shortenResult } from './prune'
import { checkRange, chooseRuns } from './range'
import { BUILDER } from './request'
import {
  assistant,
  bracket,
  build,
  createWriter,
  header,
  notice,
  prune,
  pruneOf,
  requestHeader,
  result,
  summary,
  title,
  use,
  user,
  type Writer,
} from './testing/build'
import { type Scenario, scenarioHeader, scenarioLog, scenarios } from './testing/scenarios'

type Start = EventData['compact/start']
const FREE = { ratio: 0, tokens: 0 }
const words = (tokens: number) => 'x'.repeat(tokens * 4)

describe('reference scenarios', () => {
  /** What core alone decides of a scenario, with the writer standing in for the agent. */
  function play({ call, answer, during, abort, journal }: Scenario, writer: Writer) {
    const { log } = writer
    const policy: Policy = scenarioHeader.policy
    const reading = { ...readMeter(log), window: 'window' in call ? call.window : undefined }
    if (log.state.bracket) return { outcome: 'refused', code: 'busy' }
    if (call.kind === 'pressure' && decide(reading, policy) === 'rest') return nothing
    if (call.kind === 'overflow') prunePass(writer, policy)
    const chosen =
      call.kind === 'region'
        ? call
        : chooseRuns(log, reading, policy, call.kind === 'overflow' ? 'overflow' : 'manual')[0]
    if (!chosen || abort === 'before') return nothing
    const range = { start: chosen.start, end: chosen.end }
    const trigger = call.kind === 'overflow' ? ('context-overflow' as const) : call.kind
    const refused = checkRange(log, range.start, range.end, { minGain: policy.minGain, trigger })
    if (refused) return { outcome: 'refused', rule: refused.rule }
    const startSeq = log.heads.length
    const draft = startDraft({ compactionId: 'c', turn: null, trigger, range, reading })
    writer.write(draft)
    const end = (code: 'summary' | 'changed' | 'cancelled' | 'persistence') => {
      writer.write(failDraft(draft.data, code, code))
      return { outcome: 'failed', code }
    }
    if (during === 'append') user('meanwhile')(writer)
    if (during === 'log-only') title('meanwhile')(writer)
    if (typeof during === 'object')
      writer.write(...pruneOf(writer, during.prune, 'short', 'manual'))
    if (abort) return end('cancelled')
    if (answer?.error) return end('summary')
    if (changedSince(log, startSeq, draft.data)) return end('changed')
    const accepted = acceptSummary(log, draft.data, answered(answer!), policy.minGain)
    if (!accepted.ok) return end('summary')
    if (journal) return end('persistence')
    const fields = { startSeq, start: draft.data, summary: accepted.value, messageId: 'm' }
    writer.write(...commitDrafts(log, fields))
    return { outcome: 'done' }
  }
  const nothing = { outcome: 'nothing' }

  function prunePass(writer: Writer, policy: Policy) {
    for (const seq of choosePrune(writer.log, policy, 'overflow')) {
      const event = writer.events[seq] as EventOf<'tool/result'>
      const content = shortenResult(event.data.content, policy.prune, false)
      if (content) writer.write(...pruneDrafts(writer.log, seq, event, content, 'overflow'))
    }
  }
  function answered({ text, thinking, call, stopReason = 'end_turn' }: NonNullable<Answer>) {
    const content: Block[] = []
    if (thinking) content.push({ type: 'thinking', thinking, signature: 's' })
    if (text) content.push({ type: 'text', text })
    if (call) content.push(use('late', call))
    return { content, stopReason }
  }
  type Answer = Scenario['answer']

  it('[C1] cover nearly all of the reference', () => expect(scenarios.length).toBeGreaterThan(25))

  it.each(scenarios)('[C1–C8] $id', (scenario) => {
    const writer = createWriter()
    for (const batch of scenarioLog(scenario.log)) writer.write(...batch)
    const before = writer.log.heads.length
    expect(surfaceNodes(writer.log)).toEqual(scenario.surfaceBefore)
    const { verdict } = scenario
    const { outcome, code, rule } = verdict
    expect(play(scenario, writer)).toEqual({
      outcome,
      ...(code && { code }),
      ...(rule && { rule }),
    })
    const appended = writer.events.slice(before)
    expect(appended.map((event) => event.type)).toEqual(verdict.appended)
    const committed = appended.find((event) => event.type === 'compact/summary')
    expect(committed?.data.shadowedSeqs).toEqual(verdict.shadowedSeqs)
    const named = (seq: Seq) => {
      if (seq < before) return seq
      if (writer.log.heads[seq]!.kind === 'checkpoint') return 'checkpoint'
      return scenario.during ? 'during' : 'pruned'
    }
    expect(surfaceNodes(writer.log).map(named)).toEqual(verdict.surfaceAfter)
  })
})

describe('acceptSummary', () => {
  const built = build(user(words(2000)), assistant(words(2000)), user('and now?'))
  const span = { range: { start: 0, end: 1 }, trigger: 'pressure' as const }
  const { minGain } = PRESETS.standard
  const say = (text: string, stopReason = 'end_turn') => ({
    content: [{ type: 'text', text } satisfies Block],
    stopReason,
  })

  it('[C6] takes text that ended normally and trims it', () => {
    const accepted = acceptSummary(built.log, span, say('  short  '), minGain)
    expect(accepted).toEqual({ ok: true, value: 'short' })
  })
  it('[C6] drops thinking, calls and media of the answer', () => {
    const content: Block[] = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'short' },
      use('a'),
    ]
    const accepted = acceptSummary(built.log, span, { content, stopReason: 'tool_use' }, minGain)
    expect(accepted).toEqual({ ok: true, value: 'short' })
  })
  it.each(['max_tokens', 'refusal', 'pause_turn', 'model_context_window_exceeded'])(
    '[C6] refuses a summary that stopped with %s',
    (stop) => {
      const refused = acceptSummary(built.log, span, say('short', stop), minGain)
      expect(refused).toMatchObject({ ok: false, error: { rule: 'C6' } })
    },
  )
  it('[C6] refuses blank text', () =>
    expect(acceptSummary(built.log, span, say(' \n '), minGain).ok).toBe(false))
  it('[C6] asks for both a tenth and 500 tokens, the frame counted in', () => {
    const frame = 90
    const accepts = (log: typeof built.log, tokens: number) =>
      acceptSummary(log, span, say(words(tokens)), minGain).ok
    expect(accepts(built.log, 3500 - frame)).toBe(true)
    expect(accepts(built.log, 3600 - frame)).toBe(false)
    const large = build(user(words(5000)), assistant(words(5000)), user('and now?')).log
    expect(accepts(large, 8900 - frame)).toBe(true)
    expect(accepts(large, 9100 - frame)).toBe(false)
  })
  it('[C6] takes any gain on overflow, and none that is no gain', () => {
    const overflow = { ...span, trigger: 'context-overflow' as const }
    expect(acceptSummary(built.log, overflow, say(words(3900)), minGain).ok).toBe(true)
    expect(acceptSummary(built.log, overflow, say(words(4000)), minGain).ok).toBe(false)
  })
  it('[C6] refuses a range that no summary could shrink, before a model is asked', () => {
    const heads = (...tokens: number[]) => build(...tokens.map((t) => user(words(t)))).heads
    expect(checkGain(heads(550), minGain, 'pressure')?.rule).toBe('C6')
    expect(checkGain(heads(650), minGain, 'pressure')).toBeNull()
    expect(checkGain(heads(550), minGain, 'context-overflow')).toBeNull()
    expect(checkGain(heads(50), minGain, 'context-overflow')?.rule).toBe('C6')
    expect(checkGain(heads(150), FREE, 'region')).toBeNull()
  })
})

describe('the bracket', () => {
  const call = { provider: 'test', model: 'model-a', maxTokens: 1000 }
  const base = [header(), user(words(900)), assistant(words(900)), user('and now?')]

  it('[C2] start, summary, checkpoint and end make a valid log and one replacement', () => {
    const writer = createWriter()
    for (const part of base) part(writer)
    const { log } = writer
    const reading = readMeter(log)
    const range = { start: 1, end: 2 }
    const draft = startDraft({
      compactionId: 'c1',
      turn: null,
      trigger: 'manual',
      range,
      reading,
      instructions: 'keep names',
      call,
      requestHash: 'ff',
    })
    expect(draft.data).toEqual({
      compactionId: 'c1',
      turn: null,
      trigger: 'manual',
      range,
      instructions: 'keep names',
      measured: reading.total,
      threshold: reading.threshold,
      window: 100_000,
      ...call,
      builder: BUILDER,
      requestHash: 'ff',
    })
    writer.write(draft)
    const usage = { input_tokens: 1, output_tokens: 2 }
    const tokens = log.heads[1]!.tokens + log.heads[2]!.tokens
    const drafts = commitDrafts(log, {
      startSeq: 4,
      start: draft.data,
      summary: 'SUM',
      messageId: 'cp',
      usage,
      ms: 7,
    })
    const [made, checkpoint, end] = writer.write(...drafts)
    expect(made!.data).toEqual({
      compactionId: 'c1',
      summary: 'SUM',
      shadowedRange: range,
      shadowedSeqs: [1, 2],
      shadowedTokenCount: tokens,
      ...call,
      usage,
      ms: 7,
      certainty: 'exact',
    })
    expect(checkpoint).toMatchObject({
      data: { id: 'cp', source: { kind: 'checkpoint', compactionId: 'c1' } },
      sourceEventSeqs: [4, 5, 1, 2],
    })
    expect(end!.data).toEqual({ compactionId: 'c1', turn: null })
    expect(surfaceNodes(log)).toEqual([6, 3])
  })
  it('[C14] blank instructions are none', () => {
    const reading = readMeter(build(...base).log)
    const fields = { compactionId: 'c', turn: null, trigger: 'manual' as const, reading }
    const range = { start: 1, end: 2 }
    expect(startDraft({ ...fields, range, instructions: '  ' }).data).not.toHaveProperty(
      'instructions',
    )
  })
  it('[C4] an automatic run is stale once anything came, a manual one once its span changed', () => {
    const stale = (trigger: Start['trigger'], ...meanwhile: Parameters<typeof build>) => {
      const parts = [
        user('go'),
        assistant([use('a')]),
        result('a', words(300)),
        assistant('done'),
        user('more'),
        assistant('ok'),
      ]
      const built = build(...parts, bracket(0, 3, { trigger }), ...meanwhile)
      return changedSince(built.log, 6, { range: { start: 0, end: 3 } })
    }
    expect(stale('pressure')).toBe(false)
    expect(stale('pressure', title('log only'))).toBe(false)
    expect(stale('pressure', user('hi'))).toBe(true)
    expect(stale('manual', user('hi'))).toBe(false)
    expect(stale('region', notice('hi'))).toBe(false)
    expect(stale('region', prune(2))).toBe(true)
  })
  it('[C7] a summary never asks for more output than the session reserves', () => {
    expect(summaryMaxTokens(requestHeader({ params: { max_tokens: 2000 } }))).toBe(2000)
    expect(summaryMaxTokens(requestHeader({ params: { max_tokens: 64_000 } }))).toBe(8192)
  })
})

describe('the checkpoint', () => {
  it('[C13] frames the text as background and points to what it shadows', () => {
    const built = build(user('a'), user('b'), user('c'))
    const text = checkpointText('THE SUMMARY', built.heads.slice(0, 2))
    expect(text).toMatch(/background, not a request/)
    expect(text).toContain('\nTHE SUMMARY\n')
    expect(text).toContain('2 messages from #0 to #1: recall_read {"from":0,"to":1}')
    expect(text).toContain('recall_search')
  })
  it('[C13] points to an earlier checkpoint by its own seq', () => {
    const built = build(user('a'), user('b'), user('c'), summary(0, 1), user('d'), user('e'))
    const checkpoint = built.heads.find((head) => head.kind === 'checkpoint')!
    const shadowed = [checkpoint, built.heads[2]!, built.heads.at(-2)!]
    const text = checkpointText('S', shadowed)
    expect(text).toContain(`recall_read {"seq":${checkpoint.seq}}`)
    expect(text).toContain(`recall_read {"from":2,"to":${built.heads.length - 2}}`)
  })
  it('[C13] the pointer is in the message the model reads', () => {
    const { log } = build(user(words(900)), assistant('b'), user('c'), bracket(0, 1))
    const start = { compactionId: 'c-3', turn: null, trigger: 'manual' as const }
    const fields = { startSeq: 3, start: { ...start, range: { start: 0, end: 1 } } }
    const drafts = commitDrafts(log, { ...fields, summary: 'S', messageId: 'm' })
    const message = drafts[1]!
    expect(message.type === 'user/message' && textOf(message.data.content)).toContain('recall_read')
  })
})

describe('missingSections', () => {
  const whole = SECTIONS.map(({ title: name }) => `## ${name}\nnone`).join('\n\n')
  it('[C11][C14] finds none missing in a summary with all headings, however they are dressed', () => {
    expect(missingSections(whole)).toEqual([])
    expect(missingSections(whole.toUpperCase())).toEqual([])
    expect(missingSections(whole.replace(/## (.*)/g, '# 1. $1:'))).toEqual([])
  })
  it('[C11] names those that are missing, and is not misled by the words in the text', () => {
    const cut = whole.replace('## Next step', 'Next step')
    expect(missingSections(cut)).toEqual(['Next step'])
    expect(missingSections('nothing of it')).toHaveLength(8)
  })
})
