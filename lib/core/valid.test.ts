import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SurfaceEvent } from './event'
import type { Block, Message } from './message'
import { buildRequest, type RequestBody, validateRequest, validateStructure } from './request'
import { arbitraryLog } from './testing/arbitrary'
import { requestHeader, use } from './testing/build'
import type { RequestLimits } from './valid'

const text = (words: string): Block => ({ type: 'text', text: words })
const answer = (id: string, content = [text('ok')], is_error = false): Block => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  is_error,
})
const said = (...content: Block[]): Message => ({ role: 'user', content })
const replied = (...content: Block[]): Message => ({ role: 'assistant', content })
const body = (messages: Message[], patch: Partial<RequestBody> = {}): RequestBody => ({
  model: 'm',
  max_tokens: 100,
  system: [{ type: 'text', text: 'S' }],
  tools: [],
  messages,
  ...patch,
})
const good = [
  said(text('go')),
  replied(text('so'), use('a'), use('b')),
  said(answer('a'), answer('b'), text('and')),
]
const why = (messages: Message[], limits?: RequestLimits) =>
  validateRequest(body(messages), limits)?.message ?? null
const mark = (block: Block): Block => ({ ...block, cache_control: { type: 'ephemeral' } })

describe('validateRequest', () => {
  it('[Q4] finds nothing wrong with a good request', () => expect(why(good)).toBeNull())

  it.each<[string, Message[], string]>([
    ['no message', [], 'There is no message.'],
    ['an assistant first', good.slice(1), 'The first message is not the user’s.'],
    ['an assistant last', [...good, replied(text('x'))], 'The last message is not the user’s.'],
    ['no content', [said(), ...good.slice(1)], 'Message 1 has no content.'],
    ['blank text', [said(text('go'), text(' \n'))], 'A text block is empty or blank.'],
    [
      'blank text in a result',
      [...good.slice(0, 2), said(answer('a', [text('')]), answer('b'))],
      'A text block is empty or blank.',
    ],
    [
      'an empty error result',
      [...good.slice(0, 2), said(answer('a', [], true), answer('b'))],
      'An error result has no content.',
    ],
    [
      'a missing result',
      [...good.slice(0, 2), said(answer('a'))],
      'Call b has no result in the message after it.',
    ],
    [
      'an orphan result',
      [...good.slice(0, 2), said(answer('a'), answer('b'), answer('c'))],
      'Result c has no call in the message before it.',
    ],
    [
      'a result too late',
      [
        ...good.slice(0, 2),
        said(answer('a'), answer('b')),
        replied(text('x')),
        said(answer('b'), text('y')),
      ],
      'Result b has no call in the message before it.',
    ],
    [
      'a double result',
      [...good.slice(0, 2), said(answer('a'), answer('b'), answer('b'))],
      'A call is answered twice.',
    ],
    [
      'a result behind text',
      [...good.slice(0, 2), said(answer('a'), text('x'), answer('b'))],
      'A tool result stands after other content of its message.',
    ],
    [
      'a call id used twice',
      [...good, replied(use('a')), said(answer('a'))],
      'Two calls share one id.',
    ],
    [
      'an illegal call id',
      [said(text('go')), replied(use('a.1')), said(answer('a.1'))],
      'Call id "a.1" holds illegal characters.',
    ],
    [
      'a result in an assistant message',
      [said(text('go')), replied(answer('a')), said(text('x'))],
      'A tool result stands in an assistant message.',
    ],
    [
      'thinking without a signature',
      [
        said(text('go')),
        replied({ type: 'thinking', thinking: 'x', signature: '' }, text('y')),
        said(text('z')),
      ],
      'Thinking has no signature.',
    ],
    [
      'thinking at the end of a message',
      [
        said(text('go')),
        replied(text('y'), { type: 'thinking', thinking: 'x', signature: 's' }),
        said(text('z')),
      ],
      'An assistant message ends with thinking.',
    ],
    ['two of one role', [said(text('a')), said(text('b'))], 'Messages 1 and 2 share a role.'],
    [
      'five breakpoints',
      [said(...['a', 'b', 'c', 'd', 'e'].map((words) => mark(text(words))))],
      'There are 5 cache breakpoints; 4 are allowed.',
    ],
    [
      'a breakpoint on thinking',
      [
        said(text('go')),
        replied(mark({ type: 'thinking', thinking: 'x', signature: 's' }), text('y')),
        said(text('z')),
      ],
      'A cache breakpoint stands on thinking or on an empty block.',
    ],
    [
      'a breakpoint on an empty result',
      [said(text('go')), replied(use('a')), said(mark(answer('a', [])), text('x'))],
      'A cache breakpoint stands on thinking or on an empty block.',
    ],
  ])('[Q4] refuses %s', (_, messages, sentence) => expect(why(messages)).toContain(sentence))

  it('[Q4] lets a paused reply be continued', () => {
    const paused = [said(text('go')), replied(text('so far'))]
    expect(why(paused)).not.toBeNull()
    expect(why(paused, { paused: true })).toBeNull()
  })
  it('[Q4] refuses tools no provider would take', () => {
    const tool = (name: string) => ({ name, description: '', input_schema: {} })
    const with_ = (...names: string[]) =>
      validateRequest(body(good, { tools: names.map(tool) }))?.message
    expect(with_('read_file', 'bash')).toBeUndefined()
    expect(with_('read file')).toContain('Tool name "read file" is not legal.')
    expect(with_('bash', 'bash')).toContain('Two tools share one name.')
  })
  it('[Q4][C10] refuses what the window cannot hold, by the best figure there is', () => {
    expect(why(good, { window: 1000 })).toBeNull()
    expect(why([said(text('x'.repeat(4400)))], { window: 1000 })).toContain(
      'the window holds 1000.',
    )
    expect(why([said(text('x'.repeat(4400)))], { window: 1000, tokens: 900 })).toBeNull()
    expect(why(good, { window: 1000, tokens: 1000 })).not.toBeNull()
  })
  it('[Q4][M4] refuses bytes and media beyond the limits, counting media as they travel', () => {
    const image = (bytes: number): Block => ({
      type: 'image',
      source: { type: 'blob', hash: 'h', media_type: 'image/png', bytes },
    })
    const heavy = (count: number) => Array.from({ length: count }, () => image(3_000_000))
    expect(why([said(...heavy(7))])).toBeNull()
    expect(why([said(...heavy(8))])).toContain('bytes long')
    const many = Array.from({ length: 101 }, () => image(1))
    expect(why([said(...many)])).toContain('101 images and documents')
    expect(why([said(image(1), image(1))], { media: 1 })).not.toBeNull()
  })
  it('[Q4] says every problem, a sentence each', () => {
    const message = why([replied(text(''))])!
    expect(message).toBe(
      'The first message is not the user’s. A text block is empty or blank. The last message is not the user’s.',
    )
  })
})

describe('validateStructure', () => {
  it('[Q4][P1] lets the newest reply wait for results, and only that one', () => {
    const waiting = [...good.slice(0, 2), said(answer('a'), text('x'))]
    expect(validateStructure(body(good.slice(0, 2)))).toBeNull()
    expect(validateStructure(body(waiting))).toBeNull()
    expect(validateRequest(body(waiting))).not.toBeNull()
    const behind = [...waiting, replied(text('y'))]
    expect(validateStructure(body(behind))?.message).toContain('has no result')
  })
  it('[Q4] asks nothing about sizes or the last message', () => {
    expect(validateStructure(body([...good, replied(text('x'))]))).toBeNull()
  })
  it('[Q4][P1] no valid log derives a request whose pairs are broken', () => {
    fc.assert(
      fc.property(arbitraryLog(), ({ nodes, events }) => {
        const derived = buildRequest(
          requestHeader(),
          nodes.map((seq) => events[seq] as SurfaceEvent),
        )
        const problems = validateStructure(derived)?.message ?? ''
        // A test's log may begin with the assistant, or be empty.
        const rest = problems.replace(
          /There is no message\.|The first message is not the user’s\./,
          '',
        )
        expect(rest.trim()).toBe('')
      }),
    )
  }, 20_000)
})
