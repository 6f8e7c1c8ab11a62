/** The two doors of this room: any file in, any of our formats out. */

import type { Seq, SessionEvent, SessionHeader } from '../core/event'
import { detectFormat } from './detect'
import type { LineOptions, Source } from './lines'
import { writeMarkdown } from './markdown'
import { type BlobOf, type Many, readNative, writeNative } from './native'
import type { ReadResult } from './report'

export type ReadOptions = LineOptions

export type WriteFormat = 'native' | 'markdown'

export type WriteOptions = {
  /** Native: where media come from. */
  blobOf?: BlobOf
  /** Native: how many events will be written, where known. */
  count?: number
  /** Markdown: heading of the document. */
  title?: string
  /** Markdown: the surface as the model saw it after this event, instead of the conversation. */
  at?: Seq
  /** Only events before this one: the transcript as it stood before a compaction. */
  until?: Seq
}

/** What to say of a file we cannot read. */
const refusalOf = (looksLike: string | null): string =>
  looksLike
    ? `This looks like ${looksLike}. Reading it is not supported yet.`
    : 'This is no transcript in a format Palimpsest knows.'

/**
 * Reads a transcript of any known format, found by content. What cannot be read is said in `refusal`
 * and in each session's report; throws nothing but the reason of `signal` and read errors of the file.
 */
export async function readTranscript(
  source: Source,
  options: ReadOptions = {},
): Promise<ReadResult> {
  options.signal?.throwIfAborted()
  const detected = await detectFormat(source)
  if (detected.known === 'native') return readNative(source, options)
  const message = refusalOf(detected.looksLike)
  return { format: null, sessions: [], refusal: { rule: 'T', message } }
}

async function* before(events: Many<SessionEvent>, until: Seq): AsyncGenerator<SessionEvent> {
  for await (const event of events) {
    if (event.seq >= until) return
    yield event
  }
}

/** A session as a file, streamed: events are read as the stream is taken. */
export function writeTranscript(
  format: WriteFormat,
  header: SessionHeader,
  events: Many<SessionEvent>,
  options: WriteOptions = {},
): ReadableStream<Uint8Array> {
  const { until, count } = options
  const chosen = until === undefined ? events : before(events, until)
  if (format === 'markdown') return writeMarkdown(header, chosen, options)
  const bounded =
    until === undefined || count === undefined ? count : Math.min(count, Math.max(0, until))
  return writeNative(header, chosen, { blobOf: options.blobOf, count: bounded })
}
