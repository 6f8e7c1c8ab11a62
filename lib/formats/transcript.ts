/** The two doors of this room: any file in, any of our formats out (write.ts). */

import type { Refusal } from '../core/result'
import { createSha256 } from '../core/sha256'
import type { KeepBlob, Part } from './foreign'
import type { Source } from './lines'
import { nothingIn, type OpenOptions, openTranscript, refusalFrom } from './open'
import { readNative } from './read-native'
import type { Origin, ReadResult, ReadSession, TranscriptBlob } from './report'

export { writeTranscript } from './write'

export type ReadOptions = OpenOptions

/** Media in memory, once each by content. */
function collectBlobs(): { blobs: Map<string, TranscriptBlob>; keepBlob: KeepBlob } {
  const blobs = new Map<string, TranscriptBlob>()
  return {
    blobs,
    async keepBlob(bytes, mediaType) {
      const sha = createSha256()
      sha.update(bytes)
      const hash = sha.hex()
      const known = blobs.get(hash) ?? { bytes, mediaType }
      blobs.set(hash, known)
      return { type: 'blob', hash, media_type: known.mediaType, bytes: bytes.length }
    },
  }
}

type Collected = { sessions: ReadSession[]; refusal: Refusal | null }

/** Sessions read so far are kept when a reader gives up. */
async function collect(
  parts: AsyncGenerator<Part>,
  blobs: ReadSession['blobs'],
): Promise<Collected> {
  const sessions: ReadSession[] = []
  let current: (Pick<ReadSession, 'header' | 'events'> & { origins: Origin[] }) | null = null
  try {
    for await (const part of parts) {
      if (part.type === 'session') current = { header: part.header, events: [], origins: [] }
      else if (part.type === 'events') {
        current?.events.push(...part.events)
        current?.origins.push(...part.origins)
      } else if (part.type === 'again') current = null
      else if (current) sessions.push({ ...current, blobs, report: part.report })
    }
  } catch (error) {
    const refusal = refusalFrom(error)
    if (!refusal) throw error
    return { sessions, refusal }
  }
  return { sessions, refusal: null }
}

async function readArchive(
  files: { name: string; source: Blob; problem: string | null }[],
  options: ReadOptions,
): Promise<ReadResult> {
  const sessions: ReadSession[] = []
  let format: string | null = null
  let refusal: Refusal | null = null
  for (const { name, source, problem } of files) {
    if (problem) {
      refusal ??= { rule: 'T', message: `${name} could not be unpacked: ${problem}` }
      continue
    }
    const found = await readTranscript(source, { ...options, name, sha256: undefined })
    sessions.push(...found.sessions)
    format ??= found.format
    if (found.format !== null) refusal ??= found.refusal
  }
  const nothing: Refusal = {
    rule: 'T',
    message: 'The archive holds no transcript in a known format.',
  }
  return { format, sessions, refusal: sessions.length > 0 ? refusal : (refusal ?? nothing) }
}

/**
 * Reads a transcript of any known format, found by content. What cannot be read is said in `refusal`
 * and in each session's report; throws nothing but the reason of `signal` and read errors of the file.
 */
export async function readTranscript(
  source: Source,
  options: ReadOptions = {},
): Promise<ReadResult> {
  const opened = await openTranscript(source, options)
  switch (opened.kind) {
    case 'native':
      return readNative(opened.source, options)
    case 'refused':
      return { format: null, sessions: [], refusal: opened.refusal }
    case 'archive':
      return readArchive(opened.files, options)
    case 'foreign': {
      const { blobs, keepBlob } = collectBlobs()
      const { sessions, refusal } = await collect(opened.read(keepBlob), blobs)
      const nothing: Refusal = { rule: 'T', message: nothingIn(opened.format) }
      return {
        format: opened.format,
        sessions,
        refusal: refusal ?? (sessions.length > 0 ? null : nothing),
      }
    }
  }
}
