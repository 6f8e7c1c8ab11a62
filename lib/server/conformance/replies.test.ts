/** What replies are made of, over the whole wire and back: nothing is lost, nothing is sent back wrong (R3, Q3, Q4, P2, L5). */

import { describe, expect, it } from 'vitest'
import { reader, tool } from '../../agent/testing/rig'
import type { SessionEvent } from '../../core/event'
import { isText, isToolUse } from '../../core/message'
import { bodyOf, collect, contentOf, errorOf } from '../../providers/testing/fake'
import { endOf, lastReply, raw, reply, say, script, sse, startBench } from '../testing/conformance'

const bench = startBench()
const echo = tool('echo')

/** The reply of a scripted stream, as the page gets it. */
async function received(...chunks: unknown[]) {
  script(bench, raw(chunks))
  const events = await collect(bench.model(), bodyOf('hi'))
  return { events, content: contentOf(events), end: events.at(-1) }
}
const lines = (events: object[], eol = '\n') =>
  events
    .map(
      (event) =>
        `event: ${(event as { type: string }).type}${eol}data: ${JSON.stringify(event)}${eol}${eol}`,
    )
    .join('')
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Blocks of the first reply. */
const lastAsked = (events: SessionEvent[]) => {
  const first = events.find((event) => event.type === 'assistant/message')
  return first?.type === 'assistant/message' ? first.data.content.filter(isToolUse) : []
}

describe('text', () => {
  it.each([
    ['one piece', ['Hello.']],
    ['many pieces', ['Hel', 'lo', '.']],
    ['empty pieces among others', ['', 'Hello', '', '.']],
    ['letters beyond ASCII and emoji', ['Grüße, 狐 ', '🦊', ' — done']],
    ['line separators and NUL-free control characters', ['a\u2028b\u2029c\r\n\td']],
    ['things that look like events', ['data: {"type":"message_stop"}\n\n', 'event: ping\n']],
  ])('[M2] in %s arrives whole', async (_, pieces) => {
    const { content, end } = await received(...reply(sse.text(0, ...pieces)))
    expect(content).toEqual([{ type: 'text', text: pieces.join('') }])
    expect(end).toMatchObject({ type: 'end', stopReason: 'end_turn' })
  })

  it('[L5] whose surrogate pair was cut in two is joined again', async () => {
    const { content } = await received(...reply(sse.text(0, 'a\ud83e', '\udd8ab')))
    expect(content).toEqual([{ type: 'text', text: 'a🦊b' }])
  })

  it('[L5] with a lone surrogate is repaired, and the next request is taken', async () => {
    const run = bench.agent()
    script(bench, raw(reply(sse.text(0, 'a\ud83e', 'b'))))
    await say(run, 'one')
    expect(lastReply(run).content).toEqual([{ type: 'text', text: 'a\ufffdb' }])
    await say(run, 'two')
    expect(bench.calls().at(-1)?.status).toBe(200)
  })

  it.each([1, 2, 3, 7, 64])('cut into packets of %i bytes arrives whole', async (size) => {
    const whole = bytesOf(lines(reply(sse.text(0, 'Grüße 狐🦊', ' und mehr'))))
    const packets: Uint8Array[] = []
    for (let at = 0; at < whole.length; at += size) packets.push(whole.slice(at, at + size))
    expect((await received(...packets)).content).toEqual([
      { type: 'text', text: 'Grüße 狐🦊 und mehr' },
    ])
  })

  it.each([
    ['CRLF line ends', lines(reply(sse.text(0, 'ok')), '\r\n')],
    [
      'comments between events',
      `: hello\n\n${lines(reply(sse.text(0, 'ok'))).replaceAll('event: ', ': keep-alive\n\nevent: ')}`,
    ],
    [
      'pings everywhere',
      lines(reply(sse.text(0, 'ok')).flatMap((event) => [{ type: 'ping' }, event])),
    ],
    [
      'events of unknown types',
      lines([sse.start(), { type: 'weather', rain: 1 }, ...sse.text(0, 'ok'), ...sse.end()]),
    ],
  ])('in a stream with %s arrives whole', async (_, text) => {
    const { content, end } = await received(text)
    expect(end).toMatchObject({ type: 'end' })
    expect(content).toEqual([{ type: 'text', text: 'ok' }])
  })

  it('of 10 MB arrives whole, in order, and lands in the log', async () => {
    const piece = 'lorem ipsum dolor '.repeat(3640)
    const count = Math.ceil(10_000_000 / piece.length)
    const run = bench.agent()
    script(
      bench,
      raw(reply(sse.text(0, ...Array.from({ length: count }, (_, n) => `${n}:${piece}`)))),
    )
    await say(run, 'all of it')
    const [block] = lastReply(run).content
    const text = block && isText(block) ? block.text : ''
    expect(text.length).toBeGreaterThan(10_000_000)
    expect([...text.matchAll(/(\d+):/g)].map(([, n]) => Number(n))).toEqual(
      Array.from({ length: count }, (_, n) => n),
    )
  }, 30_000)

  it('that is no text at all ends the turn, keeps nothing and breaks no later request', async () => {
    const run = bench.agent()
    script(bench, raw(reply([])), { empty: true, text: '' })
    await say(run, 'one')
    await say(run, 'two')
    expect(endOf(run)).toBe('completed')
    expect(bench.calls().map((call) => call.status)).toEqual([200, 200])
    await run.verify()
  })
})

describe('thinking', () => {
  it('[Q3] goes back byte-identical, signature and whitespace included', async () => {
    const run = bench.agent({ tools: [reader] })
    script(bench, {
      thinking: '  First,\n\n“weigh”\tboth — 狐🦊 ',
      redacted: true,
      calls: [{ name: 'read', input: { size: 20 } }],
    })
    await say(run, 'think')
    // The stand-in verifies signatures and refuses a changed block.
    expect(bench.calls().map((call) => call.status)).toEqual([200, 200])
    const sent = bench.calls()[1]?.body as { messages: { content: { type: string }[] }[] }
    expect(sent.messages[1]?.content.map((block) => block.type)).toEqual([
      'thinking',
      'redacted_thinking',
      'tool_use',
    ])
    await run.verify()
  })

  it('[Q3] that was cut off before its signature is kept and never sent back', async () => {
    const run = bench.agent()
    script(
      bench,
      raw(
        [
          sse.start(),
          sse.open(0, { type: 'thinking', thinking: '', signature: '' }),
          sse.delta(0, { type: 'thinking_delta', thinking: 'Half a th' }),
        ],
        { after: 'cut' },
      ),
    )
    await say(run, 'one')
    expect(lastReply(run)).toMatchObject({
      interrupted: true,
      content: [{ type: 'thinking', thinking: 'Half a th' }],
    })
    await say(run, 'two')
    expect(bench.calls().at(-1)?.status).toBe(200)
    expect(JSON.stringify(bench.calls().at(-1)?.body)).not.toContain('Half a th')
    await run.verify()
  })

  it('whose signature comes in pieces is whole', async () => {
    const { content } = await received(
      ...reply([
        sse.open(0, { type: 'thinking', thinking: '', signature: '' }),
        sse.delta(0, { type: 'thinking_delta', thinking: 'x' }),
        sse.delta(0, { type: 'signature_delta', signature: 'ab+/' }),
        sse.delta(0, { type: 'signature_delta', signature: 'cd==' }),
        sse.close(0),
      ]),
    )
    expect(content).toEqual([{ type: 'thinking', thinking: 'x', signature: 'ab+/cd==' }])
  })

  it('by redaction arrives byte-identical', async () => {
    const data = 'EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpP'
    const { content } = await received(
      ...reply([
        sse.open(0, { type: 'redacted_thinking', data }),
        sse.close(0),
        ...sse.text(1, 'so'),
      ]),
    )
    expect(content[0]).toEqual({ type: 'redacted_thinking', data })
  })
})

describe('a tool call', () => {
  /** One step that calls `echo` with this argument text, then the stand-in's closing words. */
  async function called(...pieces: string[]) {
    const run = bench.agent({ tools: [echo] })
    script(bench, raw(reply(sse.call(0, 'toolu_1', 'echo', ...pieces), 'tool_use')))
    await say(run, 'go')
    const events = run.events()
    const call = events.find((event) => event.type === 'tool/call')
    const result = events.find((event) => event.type === 'tool/result')
    await run.verify()
    expect(bench.calls().map((one) => one.status)).toEqual([200, 200])
    const [block] = lastAsked(events)
    return {
      input: block?.input,
      call: call?.type === 'tool/call' ? call.data : undefined,
      result: result?.type === 'tool/result' ? result.data : undefined,
    }
  }

  it.each<[string, string[], unknown]>([
    ['no argument text', [], {}],
    ['empty argument text', [''], {}],
    ['an object in one piece', ['{"a":1}'], { a: 1 }],
    [
      'an object in single letters',
      [...'{"a":["b",null,true,1.5e3]}'],
      { a: ['b', null, true, 1500] },
    ],
    ['escapes cut in two', ['{"a":"x\\', 'u00', 'e9\\', 'n"}'], { a: 'xé\n' }],
    [
      'prototype-like keys',
      ['{"constructor":1,"a":{"toString":2}}'],
      { constructor: 1, a: { toString: 2 } },
    ],
  ])('with %s runs with exactly that', async (_, pieces, input) => {
    const found = await called(...pieces)
    expect(found.input).toEqual(input)
    expect(found.result?.isError).toBe(false)
  })

  it.each([
    ['cut off', ['{"a":']],
    ['not JSON', ['{a: 1}']],
    ['an array', ['[1,2]']],
    ['a bare string', ['"x"']],
    ['two objects', ['{"a":1}', '{"b":2}']],
    ['a number too large for any machine', ['{"a":1e999}']],
  ])(
    '[P2] with arguments that are %s is answered with what is wrong, and the turn goes on',
    async (_, pieces) => {
      const found = await called(...pieces)
      expect(found.input).toEqual({})
      expect(found.result?.isError).toBe(true)
      expect(JSON.stringify(found.result?.content)).toMatch(/arguments are/)
    },
  )

  it('with integers beyond 2^53 keeps the digits as the model wrote them', async () => {
    const found = await called('{"id":12345678901234567891,"n":9007199254740993}')
    expect(JSON.stringify(found.call)).toContain('12345678901234567891')
    expect(JSON.stringify(found.call)).toContain('9007199254740993')
  })

  it('[P2] whose id was used before gets its own, and both results find their calls', async () => {
    const run = bench.agent({ tools: [echo] })
    const same = raw(reply(sse.call(0, 'toolu_same', 'echo', '{"n":1}'), 'tool_use'))
    script(bench, same, same)
    await say(run, 'go')
    const ids = run
      .events()
      .flatMap((event) => (event.type === 'tool/call' ? [event.data.callId] : []))
    expect(new Set(ids).size).toBe(2)
    expect(bench.calls().map((call) => call.status)).toEqual([200, 200, 200])
    await run.verify()
  })

  it('[P2] whose id stands twice in one reply is two calls', async () => {
    const run = bench.agent({ tools: [echo] })
    const twice = [
      ...sse.call(0, 'toolu_x', 'echo', '{"n":1}'),
      ...sse.call(1, 'toolu_x', 'echo', '{"n":2}'),
    ]
    script(bench, raw(reply(twice, 'tool_use')))
    await say(run, 'go')
    expect(lastReply(run)).toBeDefined()
    expect(bench.calls().map((call) => call.status)).toEqual([200, 200])
    await run.verify()
  })

  it.each([
    ['an id no wire takes back', 'call:1/ä', 'echo'],
    ['an empty id', '', 'echo'],
    ['a name no wire takes back', 'toolu_1', 'no such tool!'],
    ['a very long name', 'toolu_1', 'x'.repeat(300)],
  ])('[Q4] with %s does not void the next request', async (_, id, name) => {
    const run = bench.agent({ tools: [echo] })
    script(bench, raw(reply(sse.call(0, id, name, '{}'), 'tool_use')))
    await say(run, 'go')
    expect(bench.calls().map((call) => call.status)).toEqual([200, 200])
    await run.verify()
  })

  it('beside four others runs in parallel, after words and thinking', async () => {
    const run = bench.agent({ tools: [echo] })
    script(bench, {
      thinking: 'plan',
      text: 'Five at once.',
      calls: [1, 2, 3, 4, 5].map((n) => ({ name: 'echo', input: { n } })),
    })
    await say(run, 'go')
    const [first] = run.events().filter((event) => event.type === 'assistant/message')
    expect(first?.data.content.filter(isToolUse)).toHaveLength(5)
    expect(run.types().filter((type) => type === 'tool/result')).toHaveLength(5)
    expect(bench.calls().map((call) => call.status)).toEqual([200, 200])
    await run.verify()
  })
})

describe('an unknown block', () => {
  it('[Q3] arrives verbatim, with what its deltas added', async () => {
    const { content } = await received(
      ...reply([
        sse.open(0, { type: 'hologram', depth: 3, caption: 'a' }),
        sse.delta(0, { type: 'hologram_delta', caption: 'b' }),
        sse.close(0),
        ...sse.text(1, 'there'),
      ]),
    )
    expect(content).toEqual([
      { type: 'hologram', depth: 3, caption: 'ab' },
      { type: 'text', text: 'there' },
    ])
  })
})

describe('usage', () => {
  it('[M2] with cache fields adds up, from the start and the end of the reply', async () => {
    const { end } = await received(
      sse.start({
        usage: {
          input_tokens: 5,
          output_tokens: 1,
          cache_creation_input_tokens: 300,
          cache_read_input_tokens: 4000,
        },
      }),
      ...sse.text(0, 'ok'),
      ...sse.end(),
    )
    expect(end).toMatchObject({
      usage: {
        input_tokens: 5,
        output_tokens: 7,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 4000,
      },
    })
  })

  it.each([
    ['null fields', { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: null }],
    [
      'unknown fields',
      {
        input_tokens: 5,
        output_tokens: 1,
        server_tool_use: { web_search_requests: 1 },
        speed: 'fast',
      },
    ],
  ])('[M2] with %s is read', async (_, usage) => {
    const { end } = await received(sse.start({ usage }), ...sse.text(0, 'ok'), ...sse.end())
    expect(end).toMatchObject({ usage: { input_tokens: 5, output_tokens: 7 } })
  })

  it('[M2] of nothing but zeros is no measurement', async () => {
    const none = { input_tokens: 0, output_tokens: 0 }
    const { end } = await received(
      sse.start({ usage: none }),
      ...sse.text(0, 'ok'),
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: none,
      },
      { type: 'message_stop' },
    )
    expect(end).not.toHaveProperty('usage')
  })
})

describe('a stream that makes no sense', () => {
  it.each<[string, unknown[]]>([
    [
      'a delta for a block that never began',
      [sse.start(), sse.delta(3, { type: 'text_delta', text: 'x' }), ...sse.end()],
    ],
    ['data that is not JSON', ['event: message_start\ndata: {nonsense\n\n']],
    ['data without event fields', [lines(reply(sse.text(0, 'ok'))).replaceAll(/event: .*\n/g, '')]],
    ['a web page', ['<!doctype html><title>Login</title>']],
    ['nothing at all', []],
  ])('%s is an error and no reply', async (_, chunks) => {
    const run = bench.agent()
    script(bench, ...Array.from({ length: 3 }, () => raw(chunks)))
    await say(run, 'hi')
    expect(endOf(run)).toBe('error')
    expect(run.agent.live.problem).toBeDefined()
    await run.verify()
  })

  it('is told apart from a network that failed', async () => {
    script(bench, raw(['event: message_start\ndata: {nonsense\n\n']))
    expect(errorOf(await collect(bench.model(), bodyOf('hi'))).code).toBe('server')
  })
})
