import { describe, expect, it } from 'vitest'
import type { EventDraft } from './event'
import type { Block } from './message'
import { isEventType, parseEvent, parseHeader } from './shape'
import {
  all,
  assistant,
  bracket,
  build,
  call,
  draft,
  fail,
  forge,
  header,
  open,
  pin,
  prune,
  requestHeader,
  restore,
  result,
  sessionHeader,
  start,
  stepEnd,
  stepStart,
  summary,
  title,
  turnEnd,
  turnStart,
  user,
} from './testing/build'
import { SHAPES } from './vocabulary'

const rule = (value: unknown): string => {
  const parsed = parseEvent(value)
  return parsed.ok ? 'accepted' : parsed.error.rule
}
const message = (value: unknown): string => {
  const parsed = parseEvent(value)
  return parsed.ok ? '' : parsed.error.message
}
const said = (content: unknown, type = 'user/message') => {
  const [event] = build(type === 'user/message' ? user('a') : assistant('a')).events
  return { ...event, data: { ...event!.data, content } }
}
const headerWith = (patch: object) =>
  forge({ type: 'request/header', data: { ...requestHeader(), ...patch } } as EventDraft)[0]

describe('the door for events', () => {
  it('[L3] lets every event of the vocabulary pass unchanged', () => {
    const steps = all(stepStart, call('x'), start('x'), result('x'), stepEnd)
    const { events } = build(
      ...[open(), title('t'), header(), turnStart, user('a'), steps, turnEnd(), user('b')],
      ...[bracket(4, 4), draft(), bracket(4, 4), fail(), summary(4, 4), prune(8), pin(11)],
      restore(19),
    )
    const failure = { code: 'overloaded', status: 529, message: 'busy', retryAfterMs: 10 }
    const others = forge(
      { type: 'request/failed', data: { turn: 1, step: 1, attempt: 1, error: failure } },
      {
        type: 'compact/window',
        data: { compactionId: 'c', index: 0, range: { start: 0, end: 1 }, summary: 's', ms: 1 },
      },
    )
    for (const event of [...events, ...others]) {
      const parsed = parseEvent(event)
      expect(parsed.ok && parsed.value).toBe(event)
    }
    const types = new Set<string>([...events, ...others].map((event) => event.type))
    expect([...SHAPES.keys()].filter((type) => !types.has(type))).toEqual([])
  })

  it('[L3] names the place of what it does not know', () => {
    expect(message(said([{ type: 'text' }]))).toBe('user/message.content[0].text is missing')
    expect(message(said('a'))).toBe('user/message.content is not a list')
    expect(message(headerWith({ params: { max_tokens: '5' } }))).toBe(
      'request/header.params.max_tokens is not a whole number',
    )
    expect(message(headerWith({ cost: 1 }))).toBe('request/header.cost is unknown')
  })

  it('[L3] keeps blocks of unknown types and unknown members of known blocks verbatim', () => {
    expect(rule(said([{ type: 'search_result', items: [1] }]))).toBe('accepted')
    expect(rule(said([{ type: 'text', text: 'a', citations: [] }]))).toBe('accepted')
  })

  it.each(['__proto__', 'constructor', 'toString'])(
    '[L3] keeps a block whose type is %s like any unknown one',
    (type) => {
      const event = {
        seq: 0,
        time: 0,
        type: 'user/message',
        data: { id: 'm', content: [{ type }], source: { kind: 'human' } },
        surfaceOp: 'append',
      }
      expect(parseEvent(event).ok).toBe(true)
    },
  )

  it('[L3] lets only models call, and results be nothing but events', () => {
    const use: Block = { type: 'tool_use', id: 'x', name: 't', input: {} }
    expect(rule(said([use]))).toBe('L3')
    expect(rule(said([use], 'assistant/message'))).toBe('accepted')
    const block = { type: 'tool_result', tool_use_id: 'x', content: [] }
    expect(rule(said([block]))).toBe('L3')
    expect(rule(said([block], 'assistant/message'))).toBe('L3')
  })

  it('[L3] media name a blob', () => {
    const source = { type: 'blob', hash: 'ab', media_type: 'image/png', bytes: 3 }
    expect(rule(said([{ type: 'image', source }]))).toBe('accepted')
    expect(rule(said([{ type: 'image', source: { type: 'base64', data: '' } }]))).toBe('L3')
  })

  it('[L2] knows its envelope', () => {
    const event = build(user('a')).events[0]!
    expect(rule(null)).toBe('L2')
    expect(rule({ ...event, seq: -1 })).toBe('L2')
    expect(rule({ ...event, time: 1.5 })).toBe('L2')
    expect(rule({ ...event, extra: 1 })).toBe('L2')
    expect(rule({ ...event, ignorable: true })).toBe('accepted')
    const { data: _, ...bodiless } = event
    expect(rule(bodiless)).toBe('L2')
  })

  it('[L5] refuses lone surrogates anywhere, keys included, and what JSON cannot hold', () => {
    const input = (value: unknown) =>
      said([{ type: 'tool_use', id: 'x', name: 't', input: { value } }], 'assistant/message')
    expect(rule(input('fine 😀'))).toBe('accepted')
    expect(rule(input('\udc00'))).toBe('L5')
    expect(rule(input({ '\ud800': 1 }))).toBe('L5')
    for (const value of [undefined, Number.NaN, 1n, () => 1, Symbol.iterator]) {
      expect(rule(input(value))).toBe('L5')
    }
  })

  it('[L5] reads JSON of any depth', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 20_000; level++) deep = [deep]
    const event = said([{ type: 'other', deep }])
    expect(rule(event)).toBe('accepted')
  })

  it('[L6] passes unknown types that are ignorable', () => {
    const newer = { seq: 0, time: 0, type: 'todo/write', data: {} }
    expect(rule(newer)).toBe('L3')
    expect(rule({ ...newer, ignorable: true })).toBe('accepted')
    expect(isEventType('todo/write')).toBe(false)
    expect(isEventType('toString')).toBe(false)
    expect(isEventType('pin/set')).toBe(true)
  })
})

describe('the door for headers', () => {
  it('[L1] lets a header pass and refuses what is none', () => {
    const parent = { id: 'other', seq: 4 }
    expect(parseHeader(sessionHeader({ parent })).ok).toBe(true)
    const refused = (patch: object) => {
      const parsed = parseHeader({ ...sessionHeader(), ...patch })
      return parsed.ok ? 'accepted' : parsed.error.rule
    }
    expect(refused({ id: '' })).toBe('L1')
    expect(refused({ parent: { id: 'x' } })).toBe('L1')
    expect(refused({ extra: 1 })).toBe('L1')
    expect(refused({ version: 'x' })).toBe('L1')
    expect(parseHeader('{}')).toMatchObject({ ok: false, error: { rule: 'L1' } })
  })

  it('[L6] calls a newer version newer, whatever else it holds', () => {
    expect(parseHeader({ version: 2, codec: 'zstd' })).toMatchObject({
      ok: false,
      error: { rule: 'L6', message: expect.stringMatching('newer version') },
    })
  })
})
