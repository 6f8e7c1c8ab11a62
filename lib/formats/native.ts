/**
 * The native format: JSON Lines. The first line is `{"palimpsest": <header>, "events"?: <how many>}`;
 * then one event a line, in order, each preceded by the blobs it is the first to name, as
 * `{"blob": {"hash", "media_type", "base64"}}`. Another header line begins another session.
 */

import type { SessionEvent, SessionHeader } from '../core/event'
import { encodeBase64 } from './base64'
import { blobHashes } from './blob-refs'
import type { TranscriptBlob } from './report'
import { streamText } from './stream'

export type Many<T> = Iterable<T> | AsyncIterable<T>
export type BlobOf = (hash: string) => Promise<TranscriptBlob | null>

export type NativeOptions = {
  /** Where the bytes of media come from. Without it, and for what it answers null, blobs are left out. */
  blobOf?: BlobOf
  /** How many events there are, where known: lets a reader notice that the file was cut off. */
  count?: number
}

async function* nativeLines(
  header: SessionHeader,
  events: Many<SessionEvent>,
  { blobOf, count }: NativeOptions,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ palimpsest: header, events: count })}\n`
  const written = new Set<string>()
  for await (const event of events) {
    for (const hash of blobOf ? blobHashes(event) : []) {
      if (written.has(hash)) continue
      written.add(hash)
      const blob = await blobOf?.(hash)
      if (!blob) continue
      const line = { hash, media_type: blob.mediaType, base64: encodeBase64(blob.bytes) }
      yield `${JSON.stringify({ blob: line })}\n`
    }
    yield `${JSON.stringify(event)}\n`
  }
}

/** A whole log as native JSONL, UTF-8, lossless; nothing is read from `events` before it is asked for. */
export const writeNative = (
  header: SessionHeader,
  events: Many<SessionEvent>,
  options: NativeOptions = {},
): ReadableStream<Uint8Array> => streamText(nativeLines(header, events, options))
