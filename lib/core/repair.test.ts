import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventDraft, SessionEvent } from './event'
import { headOf } from './head'
import { applyAppend, loadLog, planAppend, surfaceNodes } from './log'
import { type Block, textOf } from './message'
import { checkPairing } from './pairing'
import { NOT_STARTED, OUTCOME_UNKNOWN, planRepair, type StreamLeft } from './repair'
import { arbitraryLog } from './testing/arbitrary'
import {
  assistant,
  bracket,
  build,
  call,
  EPOCH,
  forge,
  header,
  type Part,
  sessionHeader,
  start,
  stepEnd,
  stepStart,
  turn,
  turnStart,
  use,
  user,
} from './testing/build'
import { readCases } from './testing/cases'

const text = (words: string): Block => ({ type: 'text', text: words })
const ids = () => {
  let next = 0
  return () => `new-${next++}`
}
const row = (content: Block[], patch: Partial<StreamLeft> = {}): StreamLeft => ({
  turn: 1,
  step: 1,
  provider: 'test',
  model: 'model-a',
  content,
  ...patch,
})
const repair = (parts: Part[], stream: StreamLeft | null = null) =>
  planRepair(build(header(), ...parts).log, stream, ids())
const types = (drafts: EventDraft[]) => drafts.map((draft) => draft.type)
const reopen: EventDraft = { type: 'session/open', data: { writer: 'w', reason: 'resumed' } }

describe('reference cases', () => {
  type Closer = {
    type: string
    turn: number
    step?: number
    callId?: string
    started?: boolean
    reason?: string
  }
  type Case = { id: string; events: EventDraft[]; closers: Closer[] }
  const { cases } = readCases<object, Case>('repair')

  function closerOf(draft: EventDraft): Closer {
    const { type } = draft
    switch (draft.type) {
      case 'tool/result': {
        const { turn: ofTurn = 0, step, callId, content, isError } = draft.data
        expect(isError).toBe(true)
        return { type, turn: ofTurn, step, callId, started: textOf(content) === OUTCOME_UNKNOWN }
      }
      case 'step/end':
      case 'turn/end':
        return { type, ...draft.data }
      default:
        throw new Error(type)
    }
  }
  it('[R2] are at least 40', () => expect(cases.length).toBeGreaterThanOrEqual(40))
  it.each(cases)('[R2] closes as the reference does: $id', ({ events, closers }) => {
    const log = loadLog(sessionHeader(), forge(...events).map(headOf))
    if (!log.ok) throw new Error(log.error.message)
    const drafts = planRepair(log.value, null, ids())
    expect(drafts.map(closerOf)).toEqual(closers)
    expect(planAppend(log.value, [...drafts, reopen], EPOCH)).toMatchObject({ ok: true })
  })
})

describe('planRepair', () => {
  it('[R2] leaves a closed log alone', () =>
    expect(repair([turn(user('a')), user('b')], row([text('late')]))).toEqual([]))

  it('[R2] closes in order: message, results, compaction, step, turn', () => {
    const parts = [user('a'), user('b'), turnStart, stepStart]
    const stream = row([text('so'), use('c', 'bash', { command: 'ls' }), text('and')])
    expect(types(repair(parts, stream))).toEqual([
      'assistant/message',
      'tool/result',
      'step/end',
      'turn/end',
    ])
    const compacting = [user('a'), user('b'), turnStart, bracket(1, 1)]
    expect(types(repair(compacting))).toEqual(['compact/end', 'turn/end'])
    const both = [user('a'), user('b'), turnStart, stepStart, call('c'), bracket(1, 1)]
    expect(types(repair(both))).toEqual(['tool/result', 'compact/end', 'step/end', 'turn/end'])
  })
  it('[R2] a compaction cut off is interrupted, in the turn it belongs to', () => {
    const [end] = repair([user('a'), user('b'), bracket(1, 1, { id: 'k' })])
    expect(end).toMatchObject({
      type: 'compact/end',
      data: { compactionId: 'k', turn: null, error: { code: 'interrupted' } },
    })
    const inTurn = repair([user('a'), user('b'), turnStart, bracket(1, 1)])
    expect(inTurn[0]).toMatchObject({ data: { turn: 1 } })
    expect(inTurn[1]).toEqual({ type: 'turn/end', data: { turn: 1, reason: 'interrupted' } })
  })
  it('[R2] tells a call that never started from one whose outcome is unknown', () => {
    const drafts = repair([turnStart, user('a'), stepStart, call('x', 'y'), start('x')])
    expect(drafts.slice(0, 2)).toEqual([
      {
        type: 'tool/result',
        data: {
          id: 'new-0',
          turn: 1,
          step: 1,
          callId: 'x',
          name: 'read_file',
          content: [text(OUTCOME_UNKNOWN)],
          isError: true,
        },
        surfaceOp: 'append',
        sourceEventSeqs: [5],
      },
      {
        type: 'tool/result',
        data: {
          id: 'new-1',
          turn: 1,
          step: 1,
          callId: 'y',
          name: 'read_file',
          content: [text(NOT_STARTED)],
          isError: true,
        },
        surfaceOp: 'append',
      },
    ])
    expect(OUTCOME_UNKNOWN).toMatch(/outcome unknown/i)
    expect(NOT_STARTED).toMatch(/not started/i)
  })
  it('[R2] answers a call whose step had ended outside any step', () => {
    const [answer] = repair([turnStart, user('a'), stepStart, call('x'), stepEnd])
    expect(answer).toMatchObject({ type: 'tool/result', data: { callId: 'x' } })
    expect(answer!.data).not.toHaveProperty('step')
  })
  const waiting = [turnStart, user('a'), stepStart]
  it('[R3] streamed text becomes an interrupted message of the open step', () => {
    const [message] = repair(waiting, row([text('so far')]))
    expect(message).toEqual({
      type: 'assistant/message',
      data: {
        id: 'new-0',
        turn: 1,
        step: 1,
        content: [text('so far')],
        provider: 'test',
        model: 'model-a',
        interrupted: true,
      },
      surfaceOp: 'append',
      sourceEventSeqs: [],
    })
  })
  it.each<[string, Block]>([
    [
      'whose arguments are half a text',
      { type: 'tool_use', id: 'c', name: 'bash', input: '{"com' },
    ],
    ['without arguments', { type: 'tool_use', id: 'c', name: 'bash' }],
    ['at the end, still waiting for arguments', use('c', 'bash', {})],
  ])('[R3] leaves out a call %s', (_, partial) => {
    const drafts = repair(waiting, row([text('so'), partial]))
    expect(drafts[0]!.data).toMatchObject({ content: [text('so')] })
    expect(types(drafts)).not.toContain('tool/result')
  })
  it('[R3] keeps whole calls that were not run and answers them', () => {
    const calls = [use('c', 'bash', {}), use('d', 'bash', { command: 'ls' })]
    const drafts = repair(waiting, row([text('so'), ...calls]))
    expect(drafts[0]!.data).toMatchObject({ content: [text('so'), ...calls] })
    const answers = drafts.filter((draft) => draft.type === 'tool/result')
    expect(answers.map(({ data }) => [data.callId, textOf(data.content)])).toEqual([
      ['c', NOT_STARTED],
      ['d', NOT_STARTED],
    ])
  })
  it('[R3] writes no message where nothing had come', () => {
    expect(types(repair(waiting, row([])))).toEqual(['step/end', 'turn/end'])
    expect(types(repair(waiting, row([use('c', 'bash', {})])))).toEqual(['step/end', 'turn/end'])
  })
  it('[R3] ignores a row of another step, or of a reply that is already in the log', () => {
    const other = row([text('old')], { step: 2 })
    expect(types(repair(waiting, other))).toEqual(['step/end', 'turn/end'])
    const replied = [...waiting, assistant('old')]
    expect(types(repair(replied, row([text('old')])))).toEqual(['step/end', 'turn/end'])
  })

  const streams = fc.option(
    fc.array(
      fc.constantFrom<Block>(
        text('so'),
        { type: 'thinking', thinking: 'hm', signature: '' },
        use('cut-1', 'bash', { a: 1 }),
        use('cut-2', 'bash', {}),
      ),
      { maxLength: 4 },
    ),
    { nil: null },
  )
  it('[R2][R4] a log cut anywhere opens again after one transaction, and keeps its surface', () => {
    fc.assert(
      fc.property(arbitraryLog(), streams, fc.nat(), (built, content, cut) => {
        const events = whole(built.events, cut % (built.events.length + 1))
        const loaded = loadLog(sessionHeader(), events.map(headOf))
        if (!loaded.ok) throw new Error(loaded.error.message)
        const log = loaded.value
        const before = surfaceNodes(log)
        const { turn: ofTurn, step } = log.state
        const distinct = content?.filter((block, index) => content.indexOf(block) === index)
        const left = distinct && row(distinct, { turn: ofTurn ?? 0, step: step ?? 0 })
        const plan = planAppend(log, [...planRepair(log, left ?? null, ids()), reopen], EPOCH)
        if (!plan.ok) throw new Error(`${plan.error.rule}: ${plan.error.message}`)
        applyAppend(log, plan.value)
        expect(log.state).toMatchObject({ turn: null, step: null, bracket: null, openCalls: [] })
        expect(surfaceNodes(log).slice(0, before.length)).toEqual(before)
        expect(checkPairing(surfaceNodes(log), log.heads)).toBeNull()
        expect(planRepair(log, left ?? null, ids())).toEqual([])
      }),
      { numRuns: 50 },
    )
  }, 20_000)
  /** The events before `cut`, without the parts of a transaction that the cut would halve (R4). */
  function whole(events: SessionEvent[], cut: number): SessionEvent[] {
    const last = events[cut - 1]
    const type = last?.type
    const halves =
      type === 'compact/summary' || type === 'compact/draft' || type === 'compact/prune'
    const isCheckpoint = last?.type === 'user/message' && last.data.source.kind === 'checkpoint'
    if (halves) return events.slice(0, cut - 1)
    return events.slice(0, isCheckpoint ? cut - 2 : cut)
  }
})
