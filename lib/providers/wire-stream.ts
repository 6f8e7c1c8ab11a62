/** Model events as a byte stream and back. */

import type { ModelEvent } from '../ports'
import { CANCELLED, failure, isLast, parseJson, parseModelEvent } from './wire'

/** A sign of life while the model is silent; no event. */
type Ping = { type: 'ping' }
export type WireEvent = ModelEvent | Ping

const PING: Ping = { type: 'ping' }
const isPing = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'ping'

/** Between signs of life of our server, in ms. */
const PING_MS = 10_000
/** Silence after which our server is given up, in ms: three pings missed, and some. */
export const SILENCE_MS = 35_000

/** Ours are understood unless one side was updated; no reason to ask, and pay, again. */
const UNREADABLE: ModelEvent = failure({
  code: 'outdated',
  message:
    'The server sent something this page does not understand. It was probably updated since the page was opened.',
})

/**
 * Events as a stream that is pulled: an event is taken from the model only when the reader wants one, and
 * a ping is sent only when the reader has taken all before. `cancel` is called once if the reader goes away.
 */
export function streamEvents(
  events: AsyncIterable<ModelEvent>,
  cancel: () => void,
  pingMs = PING_MS,
): ReadableStream<WireEvent> {
  const iterator = events[Symbol.asyncIterator]()
  return new ReadableStream<WireEvent>({
    async pull(controller) {
      const pinging = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(PING)
      }, pingMs)
      try {
        const next = await iterator.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      } finally {
        clearInterval(pinging)
      }
    },
    async cancel() {
      cancel()
      await iterator.return?.()
    },
  })
}

/** The same as lines of JSON in UTF-8. */
export function encodeEvents(events: ReadableStream<WireEvent>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return events.pipeThrough(
    new TransformStream<WireEvent, Uint8Array>({
      transform: (event, controller) =>
        controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`)),
    }),
  )
}

/**
 * What a stream holds, as an iterator that an abort ends at once, even where nobody errors the stream.
 * Throws after `silenceMs` of waiting in vain.
 */
async function* readAll<T>(
  stream: ReadableStream<T>,
  signal: AbortSignal,
  silenceMs: number,
): AsyncGenerator<T> {
  const reader = stream.getReader()
  const stop = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  let isSilent = false
  try {
    while (!signal.aborted) {
      const timer = setTimeout(() => {
        isSilent = true
        stop()
      }, silenceMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (isSilent) throw new Error(SILENT)
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

const SILENT = 'The Palimpsest server went silent in the middle of the reply.'
const LOST = 'The connection to the Palimpsest server was lost in the middle of the reply.'

/** Lines back to values; a line that is not JSON becomes undefined, which no event schema accepts. */
async function* valuesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const json = parseJson(line)
      yield json.ok ? json.value : undefined
    }
  }
}

/**
 * Checked events of one reply from untrusted values: ends with exactly one `end` or `error`, whatever
 * arrives. A stream that stops early, breaks or goes silent is `unreachable`, an abort `cancelled`.
 */
async function* checkEvents(
  values: AsyncIterable<unknown>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let message = LOST
  try {
    for await (const value of values) {
      if (isPing(value)) continue
      const event = parseModelEvent(value)
      if (!event.ok) {
        yield UNREADABLE
        return
      }
      yield event.value
      if (isLast(event.value)) return
    }
  } catch (error) {
    // An abort is told apart below.
    if (error instanceof Error && error.message === SILENT) message = SILENT
  }
  yield signal.aborted ? CANCELLED : failure({ code: 'unreachable', message })
}

/** Reads a reply of `encodeEvents`. */
export const decodeEvents = (
  bytes: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  silenceMs = SILENCE_MS,
) => checkEvents(valuesOf(readAll(bytes, signal, silenceMs)), signal)

/** Reads a reply of `streamEvents` that crossed the wire of a server action. */
export const receiveEvents = (
  events: ReadableStream<unknown>,
  signal: AbortSignal,
  silenceMs = SILENCE_MS,
) => checkEvents(readAll(events, signal, silenceMs), signal)
