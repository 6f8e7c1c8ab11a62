import { describe, expect, it } from 'vitest'
import type { RequestBody } from '../core/request'
import type { ModelEvent } from '../ports'
import { bodyOf, text, user } from './testing/fake'
import {
  isLast,
  parseModelEvent,
  parseRefusal,
  parseRequestBody,
  parseSummaryId,
  parseSummaryRequest,
} from './wire'
import { inlineMedia } from './wire-media'
import { decodeEvents, encodeEvents, receiveEvents, streamEvents } from './wire-stream'

const events: ModelEvent[] = [
  { type: 'start', model: 'm', usage: { input_tokens: 3, output_tokens: 1 } },
  { type: 'block', index: 0, block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'delta', index: 0, delta: { type: 'thinking', thinking: 'a\n"b" 🦊' } },
  { type: 'delta', index: 0, delta: { type: 'signature', signature: 'c2ln=' } },
  { type: 'block', index: 1, block: { type: 'novel', z: [1, null], a: { y: 'x' } } },
  { type: 'end', stopReason: 'something_new' },
]
async function* iterate<T>(values: readonly T[]) {
  yield* values
}
async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}
const open = () => new AbortController().signal
const bytesOf = (...chunks: (string | Uint8Array)[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
      controller.close()
    },
  })
const ignore = () => undefined

describe('events on the wire', () => {
  it('come out as they went in', async () => {
    const bytes = encodeEvents(streamEvents(iterate(events), ignore))
    expect(await collect(decodeEvents(bytes, open()))).toEqual(events)
    const received = receiveEvents(streamEvents(iterate(events), ignore), open())
    expect(await collect(received)).toEqual(events)
  })

  it('survive being cut at every byte', async () => {
    const bytes = encodeEvents(streamEvents(iterate(events), ignore))
    const whole = new Uint8Array(await new Response(bytes).arrayBuffer())
    const single = bytesOf(...Array.from(whole, (byte) => Uint8Array.of(byte)))
    expect(await collect(decodeEvents(single, open()))).toEqual(events)
  })

  it('stop at the first end, whatever follows', async () => {
    const line = `${JSON.stringify(events.at(-1))}\n`
    expect(await collect(decodeEvents(bytesOf(line, line), open()))).toEqual([events.at(-1)])
  })

  it.each([
    ['{"type":"start"', 'unreachable'],
    ['not json\n', 'outdated'],
    ['{"type":"delta","index":0,"delta":{"type":"audio"}}\n', 'outdated'],
    ['', 'unreachable'],
  ])('end with one error when the bytes are %j', async (bytes, code) => {
    const got = await collect(decodeEvents(bytesOf(bytes), open()))
    expect(got).toMatchObject([{ type: 'error', error: { code } }])
  })

  it('[C5] end as cancelled on an abort, even where nobody errors the stream', async () => {
    const abort = new AbortController()
    const silent = new ReadableStream<ModelEvent>({
      start: (controller) => controller.enqueue(events[0]!),
    })
    const got: ModelEvent[] = []
    for await (const event of receiveEvents(silent, abort.signal)) {
      got.push(event)
      queueMicrotask(() => abort.abort())
    }
    expect(got).toMatchObject([{ type: 'start' }, { type: 'error', error: { code: 'cancelled' } }])
  })

  it('give up a server that says nothing, but not one that sends signs of life', async () => {
    const silent = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(`${JSON.stringify(events[0])}\n`)),
    })
    const got = await collect(decodeEvents(silent, open(), 30))
    expect(got).toMatchObject([{ type: 'start' }, { error: { code: 'unreachable' } }])
    expect(JSON.stringify(got)).toContain('silent')
    async function* slow() {
      yield events[0]!
      await new Promise((go) => setTimeout(go, 200))
      yield events.at(-1)!
    }
    const alive = encodeEvents(streamEvents(slow(), ignore, 10))
    expect(await collect(decodeEvents(alive, open(), 100))).toEqual([events[0], events.at(-1)])
  })

  it('are pinged only to a reader that takes them', async () => {
    let pings = 0
    const stuck = streamEvents(
      (async function* () {
        await new Promise((go) => setTimeout(go, 100))
        yield* []
      })(),
      ignore,
      5,
    )
    await new Promise((go) => setTimeout(go, 120))
    const reader = stuck.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) pings++
    expect(pings).toBe(1)
  })

  it('tell the sender once when the reader goes away', async () => {
    let cancels = 0
    const reader = streamEvents(iterate(events), () => cancels++).getReader()
    await reader.read()
    await reader.cancel()
    expect(cancels).toBe(1)
  })

  it('are refused by name of the path, never by content', () => {
    const secret = { type: 'block', index: 'secret', block: { type: 'text', text: 'secret' } }
    const parsed = parseModelEvent(secret)
    expect(parsed.ok).toBe(false)
    expect(JSON.stringify(parsed)).not.toContain('secret')
    expect(parsed.ok || parsed.error).toContain('index')
  })

  it('know their last', () => {
    expect(events.map(isLast)).toEqual([false, false, false, false, false, true])
  })
})

describe('a request on the wire', () => {
  const blob = (media_type: string) => ({
    type: 'blob' as const,
    hash: `h-${media_type}`,
    media_type,
    bytes: 3,
  })

  it('[Q3] is handed on verbatim, keys in their order', () => {
    const body = bodyOf([user({ type: 'novel', z: 1, a: 2 }, 'x')])
    const parsed = parseRequestBody(body)
    expect(parsed.ok && parsed.value).toBe(body)
  })

  it.each<[string, object]>([
    ['an unknown option', { mcp_servers: [] }],
    ['no messages', { messages: [] }],
    ['a wrong role', { messages: [{ role: 'system', content: [text('x')] }] }],
    ['a string for content', { messages: [{ role: 'user', content: 'x' }] }],
    ['max_tokens 0', { max_tokens: 0 }],
    [
      'media left as a reference',
      { messages: [user({ type: 'image', source: blob('image/png') })] },
    ],
    [
      'media by URL',
      { messages: [user({ type: 'image', source: { type: 'url', url: 'http://x' } })] },
    ],
  ])('is refused with %s', (_, more) => {
    expect(parseRequestBody({ ...bodyOf('hi'), ...more }).ok).toBe(false)
  })

  it('[C15] wraps for a summary with an id that cannot leave its path', () => {
    const body = bodyOf('hi')
    expect(parseSummaryRequest({ id: 'abcd-1234', body }).ok).toBe(true)
    expect(parseSummaryRequest({ id: 'abcd-1234', key: 'k', body }).ok).toBe(true)
    for (const id of ['', 'short', '../../etc', 'a'.repeat(65), 7])
      expect(parseSummaryId(id).ok).toBe(false)
  })

  it('carries media: base64 for images and PDF, text for text, inside results too', async () => {
    const asked: string[] = []
    const resolve = async (hash: string) => {
      asked.push(hash)
      return new Blob(['abc'])
    }
    const image = { type: 'image', source: blob('image/png') } as const
    const body = bodyOf([
      user(image, { type: 'document', source: blob('application/pdf'), title: 'T' }),
      user({ type: 'document', source: blob('text/markdown') }),
      user({ type: 'tool_result', tool_use_id: 'a', content: [image, text('x')] }),
    ])
    const before = structuredClone(body)
    const inlined = await inlineMedia(body, resolve)
    if (!inlined.ok) throw new Error(inlined.error.message)
    const base64 = { type: 'base64', media_type: 'image/png', data: 'YWJj' }
    expect(inlined.value.messages.map((message) => message.content)).toEqual([
      [
        { type: 'image', source: base64 },
        {
          type: 'document',
          source: { ...base64, media_type: 'application/pdf' },
          title: 'T',
        },
      ],
      [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'abc' } }],
      [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'image', source: base64 }, text('x')],
        },
      ],
    ])
    expect(parseRequestBody(inlined.value).ok).toBe(true)
    expect(asked.sort()).toEqual(['h-application/pdf', 'h-image/png', 'h-text/markdown'])
    expect(body).toEqual(before)
  })

  it('is not sent when an attachment is gone', async () => {
    const body: RequestBody = bodyOf([user({ type: 'image', source: blob('image/png') })])
    expect(await inlineMedia(body, async () => null)).toMatchObject({
      ok: false,
      error: { code: 'invalid-request' },
    })
  })

  it('reads a refusal, and only a refusal', () => {
    const error = { code: 'permission', message: 'no' }
    expect(parseRefusal(JSON.stringify({ error }))).toEqual(error)
    expect(parseRefusal('<html>')).toBeNull()
    expect(parseRefusal('{"error":"x"}')).toBeNull()
  })
})
