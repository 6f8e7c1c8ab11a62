/**
 * Taking secrets out of a session: every copy of each is replaced wherever it stands, in messages,
 * summaries, arguments, names, attachments and files alike. Request hashes of what was sent after the
 * first change no longer hold and are dropped (Q5).
 */

import type { SessionEvent, SessionHeader } from '../core/event'
import type { BlobRef } from '../core/message'
import { createSha256 } from '../core/sha256'
import { mediaBlocks, withSources } from './blob-refs'
import type { BlobOf, Many } from './native'
import { createMatcher, textIn, valuesInBytes } from './redact-match'
import { type Visit, walk } from './redact-walk'
import type { TranscriptBlob } from './report'

export type RedactOptions = {
  /** Where attachments come from. Without it they are named only. */
  blobOf?: BlobOf
  /** Attachments that are no text, as pictures are, stay in unless a value stands in their bytes. */
  keepMedia?: boolean
}

export type Redacted = {
  header: SessionHeader
  read(): AsyncGenerator<SessionEvent>
  /** One event alone, with its attachments; hashes of requests are left to `read`. */
  eventOf(event: SessionEvent): Promise<SessionEvent>
  /** Attachments without the values; of events that were read before. */
  blobOf: BlobOf
  /** A text of the session that stands outside its log. */
  textOf(text: string): string
  /** A file; null where a value stands in one that is no text. */
  fileOf(content: string | Uint8Array): string | Uint8Array | null
}

/** Thinking that was changed no longer has its signature, and is then never sent (Q3). */
function unsign(before: SessionEvent, after: SessionEvent): SessionEvent {
  if (after.type !== 'assistant/message' || before.type !== 'assistant/message') return after
  const content = after.data.content.map((block, index) =>
    block.type === 'thinking' && block !== before.data.content[index]
      ? { ...block, signature: '' }
      : block,
  )
  return { ...after, data: { ...after.data, content } }
}

function withoutHash(event: SessionEvent): SessionEvent {
  if (!('requestHash' in event.data)) return event
  const { requestHash: _, ...data } = event.data
  return { ...event, data } as SessionEvent
}

/** Argument text that hides a value behind escapes only its parser sees is written anew. */
function unescaped(event: SessionEvent, visit: Visit): SessionEvent {
  if (event.type !== 'tool/call' || event.data.raw === undefined) return event
  try {
    const parsed: unknown = JSON.parse(event.data.raw)
    const clean = walk(parsed, visit, 'data.raw', true)
    return clean === parsed
      ? event
      : { ...event, data: { ...event.data, raw: JSON.stringify(clean) } }
  } catch {
    return event
  }
}

/** Attachments by their old hash: kept (the same), changed (another), or left out. */
function createBlobs(
  values: readonly string[],
  replace: (text: string) => string,
  { blobOf, keepMedia = false }: RedactOptions,
) {
  const fates = new Map<string, { hash: string; bytes: number } | 'left out'>()
  const origins = new Map<string, string>()

  const clean = (blob: TranscriptBlob): TranscriptBlob | null => {
    const text = textIn(blob.bytes)
    if (text === null)
      return keepMedia && valuesInBytes(blob.bytes, values).length === 0 ? blob : null
    const replaced = replace(text)
    if (replaced === text) return blob
    return { ...blob, bytes: new TextEncoder().encode(replaced) as Uint8Array<ArrayBuffer> }
  }
  return {
    async sourceOf(source: BlobRef): Promise<BlobRef> {
      const known = fates.get(source.hash)
      if (known) return known === 'left out' ? source : { ...source, ...known }
      const blob = await blobOf?.(source.hash)
      const kept = blob && clean(blob)
      if (!kept) {
        fates.set(source.hash, 'left out')
        return source
      }
      const sha = createSha256()
      if (kept !== blob) sha.update(kept.bytes)
      const hash = kept === blob ? source.hash : sha.hex()
      origins.set(hash, source.hash)
      const fate = { hash, bytes: kept === blob ? source.bytes : kept.bytes.length }
      fates.set(source.hash, fate)
      return { ...source, ...fate }
    },
    async blobOf(hash: string): Promise<TranscriptBlob | null> {
      const origin = origins.get(hash)
      const blob = origin === undefined ? null : await blobOf?.(origin)
      return blob ? clean(blob) : null
    },
  }
}

/** The session without these values. One value has one substitute, so ids that held it still join. */
export function redact(
  header: SessionHeader,
  read: () => Many<SessionEvent>,
  values: readonly string[],
  options: RedactOptions = {},
): Redacted {
  const matcher = createMatcher(values)
  const textOf = (text: string) => matcher?.replace(text) ?? text
  const blobs = createBlobs(values, textOf, options)

  const eventOf = async (event: SessionEvent): Promise<SessionEvent> => {
    const walked = unescaped(walk(event, textOf, '', false) as SessionEvent, textOf)
    const sources = new Map<string, BlobRef>()
    for (const { source } of mediaBlocks(walked)) {
      const clean = await blobs.sourceOf(source)
      if (clean.hash !== source.hash) sources.set(source.hash, clean)
    }
    const moved = sources.size === 0 ? walked : withSources(walked, sources)
    return moved === event ? event : unsign(event, moved)
  }
  return {
    header: walk(header, textOf, 'header', false) as SessionHeader,
    eventOf,
    textOf,
    blobOf: blobs.blobOf,
    fileOf(content) {
      const text = typeof content === 'string' ? content : textIn(content)
      if (text === null)
        return valuesInBytes(content as Uint8Array, values).length === 0 ? content : null
      const clean = textOf(text)
      return clean === text ? content : clean
    },
    async *read() {
      let isChanged = false
      for await (const event of read()) {
        const clean = await eventOf(event)
        isChanged ||= clean !== event
        yield isChanged ? withoutHash(clean) : clean
      }
    },
  }
}
