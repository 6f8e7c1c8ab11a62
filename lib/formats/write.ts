/** The door out: a session in any of the formats we write. The door in is transcript.ts. */

import type { Seq, SessionEvent, SessionHeader } from '../core/event'
import { writeMarkdown } from './markdown'
import { type BlobOf, type Many, writeNative } from './native'
import { writeDsh } from './write-dsh'
import { writeHtml } from './write-html'
import { writeOpenai } from './write-openai'
import { writeText } from './write-text'

export type WriteFormat = 'native' | 'html' | 'markdown' | 'text' | 'openai' | 'dsh'

export type WriteOptions = {
  /** Where media come from; without it, and for what it answers null, they are named only. */
  blobOf?: BlobOf
  /** How many events there are, where known: `native`, `html`. */
  count?: number
  /** Heading of the document. */
  title?: string
  /** Only events before this one: the session as it stood then. */
  until?: Seq
  /** `markdown`, `text`, `openai`: the surface as the model saw it after this event, not the conversation. */
  at?: Seq
}

type Read = () => Many<SessionEvent>

async function* before(events: Many<SessionEvent>, until: Seq): AsyncGenerator<SessionEvent> {
  for await (const event of events) {
    if (event.seq >= until) return
    yield event
  }
}

/** Events that can be asked for again, as most formats do; a stream that cannot is collected once. */
function readerOf(events: Many<SessionEvent> | Read): Read {
  if (typeof events === 'function') return events
  if (Array.isArray(events)) return () => events
  let kept: Promise<SessionEvent[]> | null = null
  return async function* () {
    kept ??= collect(events)
    yield* await kept
  }
}

async function collect(events: Many<SessionEvent>): Promise<SessionEvent[]> {
  const list: SessionEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

/** How often a format asks for the events: what progress is counted against. */
export function passesOf(format: WriteFormat, { at }: Pick<WriteOptions, 'at'>): number {
  switch (format) {
    case 'native':
      return 1
    case 'markdown':
    case 'text':
      return at === undefined ? 1 : 2
    case 'openai':
    case 'dsh':
      return 2
    case 'html':
      return 3
  }
}

/** A session as a file, UTF-8, streamed: events are read as the stream is taken. */
export function writeTranscript(
  format: WriteFormat,
  header: SessionHeader,
  events: Many<SessionEvent> | Read,
  options: WriteOptions = {},
): ReadableStream<Uint8Array> {
  const { until, at, blobOf, title } = options
  const all = format === 'native' && typeof events !== 'function' ? () => events : readerOf(events)
  const read = until === undefined ? all : () => before(all(), until)
  const count =
    until === undefined || options.count === undefined
      ? options.count
      : Math.min(options.count, Math.max(0, until))
  switch (format) {
    case 'native':
      return writeNative(header, read(), { blobOf, count })
    case 'html':
      return writeHtml(header, read, { title, blobOf, count })
    case 'markdown':
      return writeMarkdown(header, read, { title, at })
    case 'text':
      return writeText(header, read, { title, at })
    case 'openai':
      return writeOpenai(read, { at, blobOf, layer: at === undefined ? 'originals' : 'surface' })
    case 'dsh':
      return writeDsh(header, read)
  }
}
