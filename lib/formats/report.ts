/** What reading a transcript gave: every line of the source is accounted for in it. */

import type { Violation } from '../core/check'
import type { SessionEvent, SessionHeader } from '../core/event'
import type { Refusal } from '../core/result'

/** Lines, or parts of lines, and what is to be said of them. */
export type Remark = {
  /** From 1. */
  line: number
  /** The last of a run of lines with the same remark. */
  toLine?: number
  reason: string
}

export type Certainty = 'exact' | 'derived' | 'unknown'

export type Report = {
  /** Records taken as they stood: events of a native file, rows of a foreign one. */
  read: number
  /** Records taken from lines that were damaged. */
  recovered: number
  /** Lines, or parts of lines, that became nothing because they are broken. */
  rejected: Remark[]
  /** Sound records that became no event: inert or unknown ones. They are kept as they were (T1). */
  kept: Remark[]
  /** How many records `kept` speaks of. */
  keptRecords: number
  /** What was changed so that the log is sound: calls closed, ids made unique, links repaired. */
  mended: Remark[]
  /** Characters that were no Unicode and became U+FFFD (L5). */
  repaired: number
  /** What `check` says of the log as read (K4). */
  violations: Violation[]
  /** Foreign compactions by how surely their range is known (T3). */
  compactions: Record<Certainty, number>
  lines: number
  bytes: number
  /** Blobs that events name and the source does not hold, by hash. */
  missingBlobs: string[]
}

export const emptyReport = (): Report => ({
  read: 0,
  recovered: 0,
  rejected: [],
  kept: [],
  keptRecords: 0,
  mended: [],
  repaired: 0,
  violations: [],
  compactions: { exact: 0, derived: 0, unknown: 0 },
  lines: 0,
  bytes: 0,
  missingBlobs: [],
})

/** Adds a remark; a run of lines with one remark is one entry. */
export function remark(list: Remark[], line: number, reason: string): void {
  const before = list.at(-1)
  const last = before && (before.toLine ?? before.line)
  if (before?.reason === reason && (last === line - 1 || last === line)) {
    if (line > before.line) before.toLine = line
  } else list.push({ line, reason })
}

export type TranscriptBlob = { bytes: Uint8Array<ArrayBuffer>; mediaType: string }

/** Where an event comes from in the original (T1). `toLine`: its last line, where it was joined from several. */
export type Origin = { line: number; toLine?: number; at: number; bytes: number }

export type ReadSession = {
  header: SessionHeader
  /** Contiguous from 0. */
  events: SessionEvent[]
  /** Foreign files: by seq, the row each event was read from. */
  origins?: Origin[]
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
