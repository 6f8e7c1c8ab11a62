/** What reading a transcript gave: every line of the source is accounted for in it. */

import type { Violation } from '../core/check'
import type { SessionEvent, SessionHeader } from '../core/event'
import type { Refusal } from '../core/result'

type Rejected = {
  /** From 1. */
  line: number
  /** The last of a run of lines rejected for the same reason. */
  toLine?: number
  reason: string
}

type Report = {
  /** Events taken as they stood. */
  read: number
  /** Events taken from lines that were damaged. */
  recovered: number
  /** Lines, or parts of lines, that became nothing. */
  rejected: Rejected[]
  /** Characters that were no Unicode and became U+FFFD (L5). */
  repaired: number
  /** What `check` says of the log as read (K4). */
  violations: Violation[]
  lines: number
  bytes: number
  /** Blobs that events name and the source does not hold, by hash. */
  missingBlobs: string[]
}

export type TranscriptBlob = { bytes: Uint8Array<ArrayBuffer>; mediaType: string }

export type ReadSession = {
  header: SessionHeader
  /** Contiguous from 0. */
  events: SessionEvent[]
  /** By hash. */
  blobs: Map<string, TranscriptBlob>
  report: Report
}

export type ReadResult = {
  /** Id of the format that was found; null for a file of none we know. */
  format: string | null
  sessions: ReadSession[]
  /** Why nothing, or not everything, was read: the rule (L6, T) and a sentence for people. */
  refusal: Refusal | null
}
