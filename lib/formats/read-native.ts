/** Reading the native format (native.ts) as a stream: a file of any size, held by no more than some events. */

import { createChecker } from '../core/check'
import type { SessionEvent, SessionHeader } from '../core/event'
import type { Json, JsonObject } from '../core/message'
import { type Refusal, type Result, refuse } from '../core/result'
import { inspectEvent, parseHeader } from '../core/shape'
import { decodeBase64 } from './base64'
import { blobHashes } from './blob-refs'
import { isRow, withoutMinusZero } from './json'
import { decodeLine, type Line, type LineOptions, readLineRuns, type Source } from './lines'
import { parseRecords, type Records } from './records'
import {
  emptyReport,
  type ReadResult,
  type ReadSession,
  type Report,
  remark,
  type TranscriptBlob,
} from './report'

/**
 * Sessions one after another: each begins, says its media and events, and ends with its report. `refused`
 * comes last, and says why nothing more is read.
 */
export type NativePart =
  | { type: 'session'; header: SessionHeader }
  | { type: 'blob'; hash: string; blob: TranscriptBlob }
  | { type: 'events'; events: SessionEvent[] }
  | { type: 'end'; report: Report }
  | { type: 'refused'; refusal: Refusal }

/** One session as it is being read. */
type Reading = {
  header: SessionHeader
  report: Report
  check: ReturnType<typeof createChecker>
  /** Events read so far, and hashes of media: named by them, and there. */
  length: number
  named: Set<string>
  held: Set<string>
  expected?: number
}

const HASH = /^[0-9a-f]{64}$/

function beginSession(value: Json): Result<Reading, Refusal> {
  const { palimpsest, events } = isRow(value) ? withoutMinusZero(value) : {}
  const parsed = parseHeader(palimpsest)
  if (!parsed.ok) return parsed
  const header = parsed.value
  const expected = Number.isSafeInteger(events) && Number(events) >= 0 ? Number(events) : undefined
  const empty = { length: 0, named: new Set<string>(), held: new Set<string>() }
  const reading = {
    header,
    report: emptyReport(),
    check: createChecker(header),
    ...empty,
    expected,
  }
  return { ok: true, value: reading }
}

/** A run of lines refused for one reason is one entry: a gap in a large file would list all the rest. */
const reject = ({ report }: Reading, line: number, reason: string): void =>
  remark(report.rejected, line, reason)

async function takeBlob(reading: Reading, value: Json, line: number): Promise<NativePart | null> {
  const { hash, media_type: mediaType, base64 } = isRow(value) ? value : {}
  const isSaid = typeof hash === 'string' && HASH.test(hash) && typeof mediaType === 'string'
  const bytes = isSaid && typeof base64 === 'string' ? decodeBase64(base64) : null
  if (!isSaid || !bytes) {
    reject(reading, line, 'it is no blob of this format')
    return null
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (found !== hash) {
    reject(reading, line, 'the bytes of the blob do not have its hash')
    return null
  }
  reading.held.add(hash)
  return { type: 'blob', hash, blob: { bytes, mediaType } }
}

/** Why an event cannot be the next one, if it cannot. */
function misplaced(seq: number, next: number): string | null {
  if (seq < next) return `event ${seq} was read before`
  return seq > next ? `it follows a gap: event ${next} is missing` : null
}

function takeEvent(
  reading: Reading,
  value: Json,
  line: number,
  damaged: boolean,
): SessionEvent | null {
  const event = withoutMinusZero(value) as SessionEvent
  const inspection = inspectEvent(event)
  // What disagrees with itself was an event all the same, and is told of with the log's violations.
  const flaw = inspection.flaw?.rule === 'C1' ? null : inspection.flaw
  const problem = flaw
    ? `it is no event: ${flaw.message} (${flaw.rule})`
    : misplaced(event.seq, reading.length)
  if (problem !== null) {
    reject(reading, line, problem)
    return null
  }
  reading.length += 1
  if (damaged) reading.report.recovered += 1
  else reading.report.read += 1
  for (const hash of blobHashes(event)) reading.named.add(hash)
  for (const violation of reading.check.add(event, inspection))
    reading.report.violations.push(violation)
  return event
}

function finish({ report, check, named, held, length, expected }: Reading): NativePart {
  report.violations.push(...check.end())
  report.missingBlobs = [...named].filter((hash) => !held.has(hash))
  if (expected !== undefined && length < expected) {
    const reason = `the file was written with ${expected} events; ${length} could be read`
    report.rejected.push({ line: report.lines, reason })
  }
  return { type: 'end', report }
}

/** A line as it was parsed. */
type Parsed = Records & { text: string; broken: boolean }

function parseLine(line: Line): Parsed {
  const { text, broken } = decodeLine(line)
  const isBlank = text.trim() === ''
  const records = isBlank ? { values: [], repaired: 0, damaged: false, problem: null } : null
  return { text, broken, ...(records ?? parseRecords(text)) }
}

const isMarked = (value: Json, mark: 'palimpsest' | 'blob'): value is JsonObject =>
  isRow(value) && Object.hasOwn(value, mark)

function takeEventInto(
  reading: Reading,
  value: Json,
  line: Line,
  { damaged, broken, repaired }: Parsed,
  into: NativePart[],
): void {
  const event = takeEvent(reading, value, line.number, damaged || broken || repaired > 0)
  const last = into.at(-1)
  if (event && last?.type === 'events') last.events.push(event)
  else if (event) into.push({ type: 'events', events: [event] })
}

function count({ report }: Reading, line: Line): void {
  report.lines = line.number
  report.bytes += line.bytes.length + (line.last ? 0 : 1)
}

/** Takes a line that holds one event and nothing to remark on, as nearly all do; false of any other. */
function takeQuickly(
  reading: Reading | null,
  parsed: Parsed,
  line: Line,
  into: NativePart[],
): boolean {
  const { values, repaired, broken, problem } = parsed
  const [value] = values
  if (!reading || values.length !== 1 || value === undefined || repaired > 0 || broken || problem)
    return false
  if (isMarked(value, 'palimpsest') || isMarked(value, 'blob')) return false
  takeEventInto(reading, value, line, parsed, into)
  count(reading, line)
  return true
}

/** Takes what a line holds into `into`; answers the session the next line belongs to, or why reading must end. */
async function takeLine(
  line: Line,
  parsed: Parsed,
  current: Reading | null,
  into: NativePart[],
): Promise<Result<Reading | null, Refusal>> {
  const { text, broken, values, repaired, problem } = parsed
  let reading = current
  if (text.trim() !== '') {
    for (const value of values) {
      if (isMarked(value, 'palimpsest')) {
        const begun = beginSession(value)
        if (!begun.ok) return begun
        if (reading) into.push(finish(reading))
        reading = begun.value
        into.push({ type: 'session', header: reading.header })
      } else if (!reading) break
      else if (isMarked(value, 'blob')) {
        const part = await takeBlob(reading, value.blob ?? null, line.number)
        if (part) into.push(part)
      } else takeEventInto(reading, value, line, parsed, into)
    }
    if (!reading) return refuse('L1', `Line ${line.number} is not the header of a session.`)
    reading.report.repaired += repaired + (broken ? (text.match(/\ufffd/g)?.length ?? 0) : 0)
    if (problem) reject(reading, line.number, line.last ? 'the last line is cut off' : problem)
  }
  if (reading) count(reading, line)
  return { ok: true, value: reading }
}

/**
 * Reads native JSONL, whatever its state: damaged lines are reported by number and passed over, a file
 * of a newer version is refused politely (L6). Events after a gap cannot join the log (L1) and are
 * reported as one run. Throws nothing but the reason of `signal` and the source's own read errors.
 */
export async function* streamNative(
  source: Source,
  options: LineOptions = {},
): AsyncGenerator<NativePart> {
  let reading: Reading | null = null
  let refusal: Refusal | null = null
  for await (const run of readLineRuns(source, options)) {
    const parts: NativePart[] = []
    for (const line of run) {
      const parsed = parseLine(line)
      if (takeQuickly(reading, parsed, line, parts)) continue
      const taken = await takeLine(line, parsed, reading, parts)
      if (taken.ok) reading = taken.value
      else {
        refusal = taken.error
        break
      }
    }
    yield* parts
    if (refusal) break
  }
  if (reading) yield finish(reading)
  else refusal ??= { rule: 'L1', message: 'The file is empty.' }
  if (refusal) yield { type: 'refused', refusal }
}

/** The same, all of it in memory. */
export async function readNative(source: Source, options: LineOptions = {}): Promise<ReadResult> {
  const sessions: ReadSession[] = []
  let refusal: Refusal | null = null
  for await (const part of streamNative(source, options)) {
    const current = sessions.at(-1)
    if (part.type === 'session') {
      const { header } = part
      sessions.push({ header, events: [], blobs: new Map(), report: emptyReport() })
    } else if (part.type === 'refused') refusal = part.refusal
    else if (!current) continue
    else if (part.type === 'blob') current.blobs.set(part.hash, part.blob)
    else if (part.type === 'events') for (const event of part.events) current.events.push(event)
    else current.report = part.report
  }
  return { format: 'native', sessions, refusal }
}
