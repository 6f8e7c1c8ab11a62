/**
 * The native format: JSON Lines. The first line is `{"palimpsest": <header>, "events"?: <how many>}`;
 * then one event a line, in order, each preceded by the blobs it is the first to name, as
 * `{"blob": {"hash", "media_type", "base64"}}`. Another header line begins another session.
 */

import { z } from 'zod'
import { createChecker } from '../core/check'
import type { SessionEvent, SessionHeader } from '../core/event'
import type { Json } from '../core/message'
import { type Refusal, type Result, refuse } from '../core/result'
import { parseEvent, parseHeader } from '../core/shape'
import { decodeBase64, encodeBase64 } from './base64'
import { blobHashes } from './blob-refs'
import { decodeLine, type Line, type LineOptions, readLines, type Source } from './lines'
import { parseRecords } from './records'
import {
  emptyReport,
  type ReadResult,
  type ReadSession,
  remark,
  type TranscriptBlob,
} from './report'
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

const headerLine = z.object({ palimpsest: z.unknown(), events: z.int().nonnegative().optional() })
const blobLine = z.object({
  blob: z.object({
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    media_type: z.string(),
    base64: z.string(),
  }),
})

/** One session as it is being read. */
type Reading = ReadSession & {
  check: ReturnType<typeof createChecker>
  named: Set<string>
  expected?: number
}

const has = (value: Json, key: string): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)

function beginSession(value: Json): Result<Reading, Refusal> {
  const line = headerLine.safeParse(value)
  const parsed = parseHeader(line.data?.palimpsest)
  if (!parsed.ok) return parsed
  const reading: Reading = {
    header: parsed.value,
    events: [],
    blobs: new Map(),
    report: emptyReport(),
    check: createChecker(parsed.value),
    named: new Set(),
    expected: line.data?.events,
  }
  return { ok: true, value: reading }
}

/** A run of lines refused for one reason is one entry: a gap in a large file would list all the rest. */
const reject = ({ report }: Reading, line: number, reason: string): void =>
  remark(report.rejected, line, reason)

async function takeBlob(reading: Reading, value: Json, line: number): Promise<void> {
  const parsed = blobLine.safeParse(value)
  const bytes = parsed.success ? decodeBase64(parsed.data.blob.base64) : null
  if (!parsed.success || !bytes) return reject(reading, line, 'it is no blob of this format')
  const { hash, media_type: mediaType } = parsed.data.blob
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (found !== hash) return reject(reading, line, 'the bytes of the blob do not have its hash')
  reading.blobs.set(hash, { bytes, mediaType })
}

/** Why an event cannot be the next one, if it cannot. */
function misplaced(seq: number, next: number): string | null {
  if (seq < next) return `event ${seq} was read before`
  return seq > next ? `it follows a gap: event ${next} is missing` : null
}

function takeEvent(reading: Reading, value: Json, line: number, damaged: boolean): void {
  const parsed = parseEvent(value)
  const problem = parsed.ok
    ? misplaced(parsed.value.seq, reading.events.length)
    : `it is no event: ${parsed.error.message} (${parsed.error.rule})`
  if (!parsed.ok || problem) return void reject(reading, line, problem ?? '')
  const event = parsed.value
  reading.events.push(event)
  if (damaged) reading.report.recovered += 1
  else reading.report.read += 1
  for (const hash of blobHashes(event)) reading.named.add(hash)
  reading.report.violations.push(...reading.check.add(event))
}

function finish(reading: Reading): ReadSession {
  const { header, events, blobs, report, check, named, expected } = reading
  report.violations.push(...check.end())
  report.missingBlobs = [...named].filter((hash) => !blobs.has(hash))
  if (expected !== undefined && events.length < expected) {
    const reason = `the file was written with ${expected} events; ${events.length} could be read`
    report.rejected.push({ line: report.lines, reason })
  }
  return { header, events, blobs, report }
}

/** Takes what a line holds; answers the session the next line belongs to, or why reading must end. */
async function takeLine(
  line: Line,
  current: Reading | null,
  done: ReadSession[],
): Promise<Result<Reading | null, Refusal>> {
  const { text, broken } = decodeLine(line)
  let reading = current
  if (text.trim() !== '') {
    const { values, repaired, damaged, problem } = parseRecords(text)
    for (const value of values) {
      if (has(value, 'palimpsest')) {
        const begun = beginSession(value)
        if (!begun.ok) return begun
        if (reading) done.push(finish(reading))
        reading = begun.value
      } else if (!reading) break
      else if (has(value, 'blob')) await takeBlob(reading, value, line.number)
      else takeEvent(reading, value, line.number, damaged || broken || repaired > 0)
    }
    if (!reading) return refuse('L1', `Line ${line.number} is not the header of a session.`)
    reading.report.repaired += repaired + (broken ? (text.match(/\ufffd/g)?.length ?? 0) : 0)
    if (problem) reject(reading, line.number, line.last ? 'the last line is cut off' : problem)
  }
  if (reading) {
    reading.report.lines = line.number
    reading.report.bytes += line.bytes.length + (line.last ? 0 : 1)
  }
  return { ok: true, value: reading }
}

/**
 * Reads native JSONL, whatever its state: damaged lines are reported by number and passed over, a file
 * of a newer version is refused politely (L6). Events after a gap cannot join the log (L1) and are
 * reported as one run. Throws nothing but the reason of `signal` and the source's own read errors.
 */
export async function readNative(source: Source, options: LineOptions = {}): Promise<ReadResult> {
  const sessions: ReadSession[] = []
  let reading: Reading | null = null
  let refusal: Refusal | null = null
  for await (const line of readLines(source, options)) {
    const taken = await takeLine(line, reading, sessions)
    if (!taken.ok) {
      refusal = taken.error
      break
    }
    reading = taken.value
  }
  if (reading) sessions.push(finish(reading))
  else refusal ??= { rule: 'L1', message: 'The file is empty.' }
  return { format: 'native', sessions, refusal }
}
