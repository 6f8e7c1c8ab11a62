/** What every foreign reader is given and what it gives: a file of rows in, sessions as a stream out. */

import type { EventHead, SessionEvent, SessionHeader } from '../core/event'
import type { BlobRef, Json } from '../core/message'
import type { LineOptions, Source } from './lines'
import type { Cut } from './outline'
import type { Origin, Report } from './report'

/** One record of a file. Byte offsets count from the start of the (unpacked) file. */
export type Row = {
  /** Place among the records of the file, from 0. */
  index: number
  line: number
  /** Records that stand before it on its line, where a writer lost a line end. */
  nth: number
  at: number
  bytes: number
  value: Json
  /** It was read from a damaged line. */
  damaged: boolean
  /** Bytes of its line that need not be read again. */
  cut?: Cut
}

export type Place = Omit<Row, 'value'>

/** Keeps media and names them for a block. */
export type KeepBlob = (bytes: Uint8Array<ArrayBuffer>, mediaType: string) => Promise<BlobRef>

export type ForeignFile = {
  source: Source
  /** SHA-256 in hex of the file as it was given, packed or not; null while it is still being worked out. */
  sha256: string | null
  /** Path or name as it was given. Says little, and never what the file is. */
  name: string
  /** Time for records of a file that says none, in Unix milliseconds. */
  time: number
  keepBlob: KeepBlob
  /** Exports of many conversations: which of their records to read, by index; all where it is absent. */
  chosen?: ReadonlySet<number>
  /** Bytes of a file that came along, by a name it begins with: media that an export keeps beside itself. */
  besideIt?(name: string): Promise<Blob | null>
  lines: LineOptions
  /** Of the whole file: the first session's report. */
  report: Report
  /** Line of every record, by index. */
  seen: number[]
  /** Records that were read or kept, by index: each counts once, whichever sessions it is part of. */
  counted: Set<number>
}

/**
 * A session as it is read: its header, then its events in order, then its report. Sessions follow one
 * another; a session always ends before the next begins.
 */
export type Part =
  /** Its origin names no hash where the file's is not known yet. */
  | { type: 'session'; header: SessionHeader }
  /** `heads` are those of the events: planning made them. */
  | { type: 'events'; events: SessionEvent[]; heads: EventHead[]; origins: Origin[] }
  | { type: 'end'; report: Report }
  /** What was read so far is void, and reading begins anew; only while the first session has not ended. */
  | { type: 'again' }

export type Reader = (file: ForeignFile) => AsyncGenerator<Part>

/** Why a conversation of an export became no session. */
export const NOT_CHOSEN = 'a conversation that was not chosen'

/** The file's hash is needed and not known yet: its records give no id. Reading begins anew once it is. */
export class HashWanted extends Error {
  constructor() {
    super('the hash of the file is not known yet')
    this.name = 'HashWanted'
  }
}

/** Why a file of a known format cannot be read, in a sentence that is fit for people. */
export class UnreadableFile extends Error {
  constructor(
    readonly rule: 'L6' | 'T',
    message: string,
  ) {
    super(message)
    this.name = 'UnreadableFile'
  }
}
