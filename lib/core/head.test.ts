import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventDraft, SessionEvent, SurfaceEvent } from './event'
import { headOf, messageOf } from './head'
import { type Block, textOf } from './message'
import { estimateMessage } from './price'
import { build, forge, header, prune, requestHeader, result, use, user } from './testing/build'
import { canonicalJson, codePoints } from './text'

const eventOf = (draft: EventDraft): SessionEvent => forge(draft)[0]!
const reply = (content: Block[], data: object = {}): SurfaceEvent =>
  eventOf({
    type: 'assistant/message',
    data: { id: 'm', content, ...data },
    surfaceOp: 'append',
  }) as SurfaceEvent
const failed = (content: Block[]): SurfaceEvent =>
  eventOf({
    type: 'tool/result',
    data: { id: 'm', callId: 'x', content, isError: true },
    surfaceOp: 'append',
  }) as SurfaceEvent
const text = (said: string): Block => ({ type: 'text', text: said })

describe('the message of a node', () => {
  it('[S9] is none where no content is left', () => {
    expect(messageOf(reply([]))).toBeNull()
    expect(messageOf(reply([text(' \n')]))).toBeNull()
    expect(messageOf(reply([{ type: 'thinking', thinking: 'hm', signature: '' }]))).toBeNull()
    expect(headOf(reply([text('')]))).toMatchObject({ blank: true, tokens: 0, bytes: 0, media: 0 })
  })

  it('[Q3][Q4] leaves out blank text and unsigned thinking, and nothing else', () => {
    const thought: Block = { type: 'thinking', thinking: 'hm', signature: 's' }
    const unsigned: Block = { type: 'thinking', thinking: 'hm', signature: '' }
    expect(messageOf(reply([thought, unsigned, text(''), text('a'), use('x')]))).toEqual({
      role: 'assistant',
      content: [thought, text('a'), use('x')],
    })
  })

  it('[Q2] of a result is a user message with one tool_result', () => {
    const node = failed([text('no such file')]) as SurfaceEvent
    expect(messageOf(node)).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'x', content: [text('no such file')], is_error: true },
      ],
    })
  })

  it('[Q4] of an error that says nothing says so', () => {
    const [block] = messageOf(failed([text(' ')]))!.content
    expect((block as { content: Block[] }).content).toHaveLength(1)
  })
})

describe('a head', () => {
  it('[L8] weighs the message its event derives', () => {
    const node = reply([text('abcdefgh'), use('x')])
    expect(headOf(node).tokens).toBe(estimateMessage([text('abcdefgh'), use('x')]))
  })

  it('[L8] names calls, tools, model and what the window held after the reply', () => {
    const usage = { input_tokens: 5, output_tokens: 3, cache_read_input_tokens: 2 }
    const node = reply([use('x', 'bash'), use('y', 'grep')], {
      model: 'm1',
      usage,
      interrupted: true,
    })
    expect(headOf(node)).toMatchObject({
      calls: ['x', 'y'],
      names: ['bash', 'grep'],
      name: 'm1',
      measured: 10,
      kind: 'interrupted',
    })
  })

  it('[C7] of a request header holds the limits that a meter needs', () => {
    const { heads } = build(header({ system: 'abcdefgh', params: { max_tokens: 20_000 } }))
    expect(heads[0]).toMatchObject({
      tokens: 2,
      name: 'model-a',
      limits: { system: 2, tools: 0, window: 100_000, threshold: 64_000, maxTokens: 20_000 },
    })
    const event = eventOf({
      type: 'request/header',
      data: requestHeader({ contextWindow: undefined }),
    })
    expect(headOf(event).limits).toEqual({ system: 4, tools: 0, maxTokens: 1000 })
  })

  it('[S5] of a result frames all of its data but the content', () => {
    const { heads } = build(
      user('a'),
      ({ write }) => {
        write({
          type: 'assistant/message',
          data: { id: 'm', content: [use('x')] },
          surfaceOp: 'append',
        })
      },
      result('x', 'four 😀'),
      prune(2, 'p'),
    )
    expect(heads[2]!.frame).toBe(heads[4]!.frame)
    expect(heads[2]).toMatchObject({ chars: 6, name: 'read_file', calls: ['x'] })
    expect(heads[4]).toMatchObject({
      chars: 1,
      op: { op: 'replace', start: 2, end: 2 },
      sources: [2],
    })
  })

  it('[S5][X2] of any result: the frame is canonical JSON, the text is counted by code points', () => {
    const said = fc.constantFrom('', ' \n', 'four', '日本 😀', 'a"b')
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
    const data = fc.record({
      id: said.map((words) => `m${words}`),
      callId: said.map((words) => `c${words}`),
      content: fc.array(said.map(text)),
      isError: fc.boolean(),
      name: optional(said),
      turn: optional(fc.nat()),
      step: optional(fc.nat()),
      durationMs: optional(fc.double({ noNaN: true, noDefaultInfinity: true })),
    })
    fc.assert(
      fc.property(data, (given) => {
        const { content, ...frame } = given
        const head = headOf(eventOf({ type: 'tool/result', data: given, surfaceOp: 'append' }))
        expect(head.frame).toBe(canonicalJson(frame))
        expect(head.chars).toBe(codePoints(textOf(content)) - Math.max(0, content.length - 1))
      }),
    )
  })

  it('[L8] has no key for what its event does not have, so that stored and fresh heads are equal', () => {
    const { heads } = build(user('a'))
    expect(Object.values(heads[0]!)).not.toContain(undefined)
    expect(structuredClone(heads[0])).toStrictEqual(heads[0])
    expect(JSON.parse(JSON.stringify(heads[0]))).toStrictEqual(heads[0])
  })

  it('[L6] of an ignorable event of an unknown type has a place and no more', () => {
    const newer = { seq: 4, time: 9, type: 'todo/write', data: { seq: 1 }, ignorable: true }
    const bare = { seq: 4, time: 9, type: 'todo/write', tokens: 0, bytes: 0, media: 0 }
    expect(headOf(newer as unknown as SessionEvent)).toEqual(bare)
  })
})
