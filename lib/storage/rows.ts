/** The shape of every row but events', and the door it is read through. */

import { z } from 'zod'
import type { SessionHeader } from '../core/event'
import type { Block } from '../core/message'
import { parseHeader } from '../core/shape'

const count = z.int().nonnegative()
const time = z.number()
const bytes = z.instanceof(Uint8Array) as z.ZodType<Uint8Array<ArrayBuffer>>

const block = z.custom<Block>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { type?: unknown }).type === 'string',
  'not a content block',
)

const header = z.unknown().transform((value, context): SessionHeader => {
  const parsed = parseHeader(value)
  if (parsed.ok) return parsed.value
  context.addIssue({ code: 'custom', message: parsed.error.message })
  return z.NEVER
})

/** At most this many numbers, newest last. */
export const SPARKLINE_POINTS = 60

/** What the list of sessions shows: a fold of the log that may lag behind it, see `summary.ts`. */
export const sessionRow = z.object({
  id: z.string(),
  header,
  /** Empty until a `session/title` event says something. */
  title: z.string(),
  /** Of the newest `request/header`. */
  model: z.string().optional(),
  counts: z.object({ events: count, compactions: count }),
  /** Tokens on the surface over the session's events. */
  sparkline: z.array(z.number()).max(SPARKLINE_POINTS),
  createdAt: time,
  /** Time of the newest event, else of the header. */
  updatedAt: time,
  /** Events folded into this row. */
  length: count,
  /** Characters of the log's JSON, about its bytes on disk; unknown for what version 1 began. */
  size: count.optional(),
  trashedAt: time.optional(),
  /** An import is still writing it: not in any list, and swept away if its tab died. */
  importing: z.literal(true).optional(),
})
export type SessionRow = z.infer<typeof sessionRow>

/** What every write of a log checks and nothing else touches: small, because each append reads it. */
export const writerRow = z.object({
  sessionId: z.string(),
  /** Raised by each writer; a write under an older one is refused (R1). */
  epoch: count,
  /** Events in segments; those from this seq on are fresh rows. */
  sealed: count,
  /** The session's row may lag behind the log. */
  ahead: z.boolean(),
})
export type WriterRow = z.infer<typeof writerRow>

/** One event as JSON text. This and the next two are checked and parsed in segments.ts. */
export type FreshRow = { sessionId: string; seq: number; text: string; sum: number }

/** Heads of events `seq` to `end` (exclusive) as columns (core/columns.ts), of the form `HEAD_FORM`. */
export type SegmentRow = {
  sessionId: string
  seq: number
  end: number
  form: number
  heads: { words: Uint8Array<ArrayBuffer>; text: string }
  sum: number
}
/**
 * Events `seq` to `end` (exclusive), one line of JSON each. Chunks never cross a segment's edge. `form`: `BODIES_FORM`
 * of the build that packed them; none before version 5.
 */
export type BodiesRow = {
  sessionId: string
  seq: number
  end: number
  form?: number
  text: string
  sum: number
}

/**
 * What can be read in the segment `seq` to `end` (exclusive), see search-filter.ts: `first` and `last` time
 * of its events, and bits that are empty where a filter is not worth it.
 */
export type FilterRow = {
  sessionId: string
  seq: number
  end: number
  form: number
  first: number
  last: number
  bits: Uint8Array<ArrayBuffer>
  sum: number
}

export const blobRow = z.object({
  hash: z.string(),
  mediaType: z.string(),
  bytes,
  width: z.number().optional(),
  height: z.number().optional(),
})
export type BlobRow = z.infer<typeof blobRow>
export type BlobUseRow = { hash: string; sessionId: string }

export const draftRow = z.object({
  sessionId: z.string(),
  text: z.string(),
  /** Blocks attached but not sent. */
  attachments: z.array(block),
})
export type DraftRow = z.infer<typeof draftRow>

export const queueRow = z.object({
  sessionId: z.string(),
  id: z.string(),
  content: z.array(block),
  time,
  sendNow: z.boolean(),
  keep: z.literal(true).optional(),
  /** Place in the queue, ascending. */
  order: count,
})
export type QueueRow = z.infer<typeof queueRow>

export const streamRow = z.object({
  sessionId: z.string(),
  turn: count,
  step: count,
  model: z.string(),
  provider: z.string(),
  content: z.array(block),
  time,
})
export type StoredStreamRow = z.infer<typeof streamRow>

const body = z.union([z.string(), bytes])
/**
 * A workspace file and its content hash; both null once it is deleted. `base`: what it was at the start,
 * null if it was not there; its `body` is kept only while it differs from the file's.
 */
export const fileRow = z.object({
  sessionId: z.string(),
  path: z.string(),
  body: body.nullable(),
  hash: z.string().nullable(),
  base: z.object({ hash: z.string(), body: body.nullable() }).nullable(),
})
export type FileRow = z.infer<typeof fileRow>

/** An imported file as it was, byte for byte, in compressed pieces (T1). */
export type RawFileRow = {
  id: string
  sha256: string
  name: string
  bytes: number
  pieces: number
}
/** `bytes` of the file, deflated. */
export type RawPieceRow = {
  id: string
  index: number
  bytes: number
  packed: Uint8Array<ArrayBuffer>
}

const remark = z.object({ line: count, toLine: count.optional(), reason: z.string() })
/**
 * The side table of a session (T1): by seq, the lines and bytes each event came from, as columns; and the
 * rows that became no event. `length`: events the import wrote. Bytes count in the unpacked text.
 */
export const rawMapRow = z.object({
  sessionId: z.string(),
  rawId: z.string(),
  /** Path inside an archive or folder. */
  path: z.string(),
  length: count,
  line: z.instanceof(Uint32Array),
  toLine: z.instanceof(Uint32Array),
  at: z.instanceof(Float64Array),
  bytes: z.instanceof(Float64Array),
  kept: z.array(remark),
  rejected: z.array(remark),
  mended: z.array(remark),
})
export type RawMapRow = z.infer<typeof rawMapRow>

export type SettingRow = { key: string; value: unknown }

/** Why a row was refused, on one line. */
export const reasonOf = (error: z.ZodError): string =>
  error.issues
    .map((issue) => `${issue.path.map(String).join('.') || 'row'}: ${issue.message}`)
    .join('; ')
