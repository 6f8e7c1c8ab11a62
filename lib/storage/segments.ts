/**
 * Rows of events, as values: fresh rows of one event, and segments, which hold the heads of a run of
 * events in one row and their bodies in chunks apart, so that structure loads without bodies (L8).
 * IndexedDB is paid per row: a log of 100,000 events is some hundred rows of heads.
 */

import { type HeadColumns, packColumns } from '../core/columns'
import type { EventHead, Seq, SessionEvent } from '../core/event'
import { headOf } from '../core/head'
import { openColumns, plainHead } from '../core/packed-head'
import { parseEvent } from '../core/shape'
import { checksum, longChecksum } from './checksum'
import { DamagedRow } from './failure'
import type { BodiesRow, FreshRow, SegmentRow } from './rows'

/** Raised when `headOf` answers something else for the same event: heads stored before are made anew. */
export const HEAD_FORM = 4

/**
 * Raised when `parseEvent` lets other events through. Only what it let through is packed, so that a chunk of this
 * form, as it was written, need not be inspected again to be read. Chunks of before version 5 have no form, and
 * the checksum of short texts.
 */
export const BODIES_FORM = 1

/**
 * Bytes in memory a chunk of bodies aims at; a larger body has a row of its own. More than what Chromium keeps
 * within its index: a value above 64 KiB is a file of its own, which is read much faster by the byte. Less than
 * what V8 holds apart as a large object, which only a full collection clears away.
 */
const CHUNK_BYTES = 120 * 1024

/** Units beyond Latin-1: a text with one of them holds two bytes for each of its own. */
const WIDE = /[\u0100-\uffff]/

export const missingRow = (sessionId: string, seq: Seq) =>
  new DamagedRow(sessionId, seq, 'it is missing from the database')

const freshPlace = (sessionId: string, seq: Seq) => `${sessionId}/${seq}`
const rangePlace = (kind: 'heads' | 'bodies', sessionId: string, from: Seq, to: Seq) =>
  `${kind}:${sessionId}/${from}-${to}`

/** `text` is the event's JSON. */
export const packFresh = (sessionId: string, seq: Seq, text: string): FreshRow => ({
  sessionId,
  seq,
  text,
  sum: checksum(freshPlace(sessionId, seq), text),
})

/** The text of one event, parsed through the one door. Throws `DamagedRow`. */
export function openText(sessionId: string, seq: Seq, text: string): SessionEvent {
  const parsed = parseEvent(JSON.parse(text) as unknown)
  if (!parsed.ok) throw new DamagedRow(sessionId, seq, parsed.error.message)
  if (parsed.value.seq !== seq) {
    throw new DamagedRow(sessionId, seq, `the row holds event ${parsed.value.seq}`)
  }
  return parsed.value
}

/** The text of a fresh row, if it is what was written there. Throws `DamagedRow`. */
export function freshText(sessionId: string, seq: Seq, row: FreshRow | undefined): string {
  if (!row) throw missingRow(sessionId, seq)
  if (typeof row.text !== 'string') throw new DamagedRow(sessionId, seq, 'the row has no text')
  if (row.sum !== checksum(freshPlace(sessionId, seq), row.text)) {
    throw new DamagedRow(sessionId, seq, 'it is not what was written (its checksum differs)')
  }
  return row.text
}

/** An event of a sound chunk, inspected where that was not done before it was packed. Throws `DamagedRow`. */
export const openLine = (
  sessionId: string,
  seq: Seq,
  text: string,
  { form }: BodiesRow,
): SessionEvent =>
  form === BODIES_FORM ? (JSON.parse(text) as SessionEvent) : openText(sessionId, seq, text)

export const openFresh = (sessionId: string, seq: Seq, row: FreshRow | undefined): SessionEvent =>
  openText(sessionId, seq, freshText(sessionId, seq, row))

/** One event on its way into a segment. */
export type Packable = { text: string; head: EventHead }

export const packable = (event: SessionEvent): Packable => ({
  text: JSON.stringify(event),
  head: headOf(event),
})

/** The row of heads of a segment whose bodies are there already. */
export function packHeads(sessionId: string, seq: Seq, heads: readonly EventHead[]): SegmentRow {
  const end = seq + heads.length
  const { words, text } = packColumns(heads.map(plainHead))
  const sum = checksum(rangePlace('heads', sessionId, seq, end), text, words)
  // Bytes, because that is what a backup can write.
  const bytes = new Uint8Array(words.buffer)
  return { sessionId, seq, end, form: HEAD_FORM, heads: { words: bytes, text }, sum }
}

function packBodies(sessionId: string, seq: Seq, texts: readonly string[]): BodiesRow {
  const end = seq + texts.length
  const text = texts.join('\n')
  const sum = longChecksum(rangePlace('bodies', sessionId, seq, end), text)
  return { sessionId, seq, end, form: BODIES_FORM, text, sum }
}

/** Bodies of a run of events from `seq` on as rows, each as soon as it is full. JSON escapes line feeds: a line is an event. */
export function createChunks(sessionId: string, seq: Seq) {
  let texts: string[] = []
  let chars = 0
  /** One text with a wide unit makes all of the chunk wide. */
  let isWide = false
  let from = seq
  /** The row of what was added since the last one; null where that is nothing. */
  function end(): BodiesRow | null {
    if (texts.length === 0) return null
    const row = packBodies(sessionId, from, texts)
    from += texts.length
    texts = []
    chars = 0
    isWide = false
    return row
  }
  return {
    end,
    /** The row that has no room for this text, if there is one. */
    add(text: string): BodiesRow | null {
      const wide = WIDE.test(text)
      const bytes = (chars + text.length) * (isWide || wide ? 2 : 1)
      const full = bytes > CHUNK_BYTES ? end() : null
      texts.push(text)
      chars += text.length
      isWide ||= wide
      return full
    },
  }
}

/** A run of events from `seq` on as rows. */
export function packSegment(
  sessionId: string,
  seq: Seq,
  events: readonly Packable[],
): { segment: SegmentRow; bodies: BodiesRow[] } {
  const chunks = createChunks(sessionId, seq)
  const bodies = [...events.map(({ text }) => chunks.add(text)), chunks.end()]
  const heads = events.map(({ head }) => head)
  return {
    segment: packHeads(sessionId, seq, heads),
    bodies: bodies.filter((row) => row !== null),
  }
}

/** The heads of a segment as they are stored; null where they are of another form or damaged. */
export function soundHeads(sessionId: string, row: SegmentRow): HeadColumns | null {
  const { seq, end, form, heads } = row
  if (form !== HEAD_FORM || !(heads?.words instanceof Uint8Array)) return null
  const { text } = heads
  const bytes = heads.words.byteOffset % 4 === 0 ? heads.words : heads.words.slice()
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
  const place = rangePlace('heads', sessionId, seq, end)
  return typeof text === 'string' && row.sum === checksum(place, text, words)
    ? { words, text }
    : null
}

/** The heads of a segment; null where they must be made from bodies. */
export function openHeads(sessionId: string, row: SegmentRow): EventHead[] | null {
  const columns = soundHeads(sessionId, row)
  return columns && openColumns(columns)
}

/** The texts of a chunk that should begin at `seq`. Throws `DamagedRow` naming the first event it held. */
export function openBodies(sessionId: string, seq: Seq, row: BodiesRow | undefined): string[] {
  if (!row) throw missingRow(sessionId, seq)
  const place = rangePlace('bodies', sessionId, seq, row.end)
  const sumOf = row.form === undefined ? checksum : longChecksum
  if (typeof row.text !== 'string' || row.sum !== sumOf(place, row.text)) {
    const last = row.end - 1
    const range = last > seq ? `events ${seq} to ${last} are` : 'it is'
    throw new DamagedRow(sessionId, seq, `${range} not what was written (a checksum differs)`)
  }
  return row.text.split('\n')
}

/** A chunk from outside, whoever says to have packed it: of no form that is trusted, unless all its events are let through. */
export function asForeign(row: BodiesRow): BodiesRow {
  if (row.form !== BODIES_FORM) return row
  const { sessionId, seq } = row
  try {
    for (const [at, line] of openBodies(sessionId, seq, row).entries())
      openText(sessionId, seq + at, line)
    return row
  } catch (error) {
    if (!(error instanceof DamagedRow || error instanceof SyntaxError)) throw error
    return { ...row, form: 0 }
  }
}
