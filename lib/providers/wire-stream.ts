/** Model events as a byte stream and back. */

import type { ModelEvent } from '../ports'
import { CANCELLED, failure, isLast, parseJson, parseModelEvent } from './wire'

const unreadable = (message: string): ModelEvent => failure({ code: 'server', message })

/**
 * Events as a stream that is pulled: an event is taken from the model only when the reader wants one.
 * `cancel` is called once if the reader goes away.
 */
export function streamEvents(
  events: AsyncIterable<ModelEvent>,
  cancel: () => void,
): ReadableStream<ModelEvent> {
  const iterator = events[Symbol.asyncIterator]()
  return new ReadableStream<ModelEvent>({
    async pull(controller) {
      const next = await iterator.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    async cancel() {
      cancel()
      await iterator.return?.()
    },
  })
}

/** The same as lines of JSON in UTF-8. */
export function encodeEvents(events: ReadableStream<ModelEvent>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return events.pipeThrough(
    new TransformStream<ModelEvent, Uint8Array>({
      transform: (event, controller) =>
        controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`)),
    }),
  )
}

/** What a stream holds, as an iterator that an abort ends at once, even where nobody errors the stream. */
async function* readAll<T>(stream: ReadableStream<T>, signal: AbortSignal): AsyncGenerator<T> {
  const reader = stream.getReader()
  const stop = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  try {
    while (!signal.aborted) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Lines back to values; a line that is not JSON becomes undefined, which no event schema accepts. */
async function* valuesOf(
  bytes: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of readAll(bytes, signal)) {
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
 * arrives. A stream that stops early or breaks is a `network` error, an abort `cancelled`.
 */
async function* checkEvents(
  values: AsyncIterable<unknown>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  try {
    for await (const value of values) {
      const event = parseModelEvent(value)
      if (!event.ok) {
        yield unreadable('The server sent an event this page does not understand.')
        return
      }
      yield event.value
      if (isLast(event.value)) return
    }
  } catch {
    // The two cases are told apart below.
  }
  yield signal.aborted
    ? CANCELLED
    : failure({ code: 'network', message: 'The connection to the server was lost.' })
}

/** Reads a reply of `encodeEvents`. */
export const decodeEvents = (bytes: ReadableStream<Uint8Array>, signal: AbortSignal) =>
  checkEvents(valuesOf(bytes, signal), signal)

/** Reads a reply of `streamEvents` that crossed the wire of a server action. */
export const receiveEvents = (events: ReadableStream<unknown>, signal: AbortSignal) =>
  checkEvents(readAll(events, signal), signal)
