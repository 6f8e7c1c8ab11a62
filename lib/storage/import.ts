/**
 * A whole log at once. Rows go in by batches under a session row no list shows; the last transaction
 * makes it visible. A cancel or a failure leaves nothing behind; a tab that died is swept up later.
 */

import type { EventHead, Seq, SessionEvent, SessionHeader } from '../core/event'
import { createHistory } from '../core/history'
import { ok, type Refusal, type Result, refuse } from '../core/result'
import { putBlob, type StoredBlob } from './blobs'
import { allTables, type Database, type Tables } from './db'
import { checkContiguous, guarded } from './failure'
import type { BodiesRow, SegmentRow, SessionRow } from './rows'
import { createChunks, packable, packHeads } from './segments'
import { deleteEverywhere } from './sessions'
import { foldSummary, newSessionRow, newWriterRow, sparklineOf } from './summary'

type Many<T> = Iterable<T> | AsyncIterable<T>
type Locks = Pick<LockManager, 'request'>

export type ImportOptions = {
  /** Aborting rejects with the signal's reason, after what was written is gone again. */
  signal?: AbortSignal
  onProgress?(progress: { events: number }): void
  locks?: Locks
  /** Heads that are made already, by seq. */
  headAt?(seq: Seq): EventHead | undefined
  /** The header with what is known only now, before the session is seen. */
  complete?(header: SessionHeader): Promise<SessionHeader>
}

/** Events of a segment at most. */
const SEGMENT = 1_000
/** Characters of JSON after which a segment is full: heads of another form are made anew of so many at once. */
const SEGMENT_CHARS = 1 << 20

/** Runs `work` while no other tab can sweep the half-written session away. */
const whileHeld = <T>(
  locks: Locks | undefined,
  sessionId: string,
  work: () => Promise<T>,
): Promise<T> =>
  locks ? locks.request(`palimpsest:${sessionId}`, {}, work).then((result) => result) : work()

/** Rows to be written together, and the session's row once they are. */
type Packed = { bodies: BodiesRow | null; segment?: SegmentRow; row: SessionRow }

/**
 * Events as they are stored, packed as they come: of a long one no more than a chunk waits for the others. What
 * waits outlives the collector's rounds, is moved about in them, and makes a large import hold twice the memory.
 * `heads` grows by theirs.
 */
async function* pack(
  events: Many<SessionEvent>,
  empty: SessionRow,
  heads: EventHead[],
  headAt: ImportOptions['headAt'],
): AsyncGenerator<Packed> {
  const { id } = empty
  let row = empty
  let chars = 0
  let from = 0
  const chunks = createChunks(id, 0)
  const endSegment = (): Packed => {
    const segment = packHeads(id, from, heads.slice(from))
    from = heads.length
    chars = 0
    return { bodies: chunks.end(), segment, row }
  }
  for await (const event of events) {
    checkContiguous([event], row.length)
    const known = headAt?.(event.seq)
    const { text, head } = known ? { text: JSON.stringify(event), head: known } : packable(event)
    const full = chunks.add(text)
    if (full) yield { bodies: full, row }
    heads.push(head)
    chars += text.length
    row = foldSummary(row, [event], text.length)
    if (heads.length - from >= SEGMENT || chars >= SEGMENT_CHARS) yield endSegment()
  }
  if (heads.length > from) yield endSegment()
}

const isTaken = (tables: Tables, sessionId: string): Promise<boolean> =>
  tables.sessions
    .where('id')
    .equals(sessionId)
    .count()
    .then((found) => found > 0)

/** Reserves the id with a row no list shows. False when it is taken. */
const reserve = (db: Database, row: SessionRow): Promise<boolean> => {
  const tables = db.relaxed
  return guarded('begin the import', () =>
    tables.transaction('rw', tables.sessions, async () => {
      if (await isTaken(tables, row.id)) return false
      await tables.sessions.add({ ...row, importing: true })
      return true
    }),
  )
}

const discard = (db: Database, sessionId: string): Promise<void> => {
  const tables = db.relaxed
  return guarded('undo the import', () =>
    // Dexie follows awaits at any depth only below a function it knows to be async.
    tables.transaction('rw', allTables(tables), async () => deleteEverywhere(tables, sessionId)),
  )
}

async function writeAll(
  db: Database,
  empty: SessionRow,
  events: Many<SessionEvent>,
  blobs: Many<StoredBlob>,
  { signal, onProgress, headAt, complete }: ImportOptions,
): Promise<SessionRow> {
  for await (const { bytes, mediaType } of blobs) {
    signal?.throwIfAborted()
    await putBlob(db, empty.id, bytes, mediaType)
  }
  let row = empty
  const heads: EventHead[] = []
  const tables = db.relaxed
  // Rows are written while the next are read and packed.
  let writing: Promise<unknown> = Promise.resolve()
  for await (const { bodies, segment, row: next } of pack(events, empty, heads, headAt)) {
    signal?.throwIfAborted()
    await writing
    writing = guarded('save the imported session', async () => {
      await tables.transaction('rw', tables.segments, tables.bodies, async () => {
        if (segment) await tables.segments.add(segment)
        if (bodies) await tables.bodies.add(bodies)
        // What listens to a request holds its row until the next full collection: the text need not wait for that.
        if (bodies) bodies.text = ''
      })
    })
    // A failure is met at the next rows or at the end.
    writing.catch(() => {})
    row = next
    onProgress?.({ events: row.length })
  }
  await writing
  const header = complete ? await complete(row.header) : row.header
  signal?.throwIfAborted()
  row = { ...row, header, sparkline: sparklineOf(createHistory(heads), row.length) }
  const { sessions, writers } = db.strict
  await guarded('finish the import', () =>
    db.strict.transaction('rw', sessions, writers, async () => {
      await writers.put(newWriterRow(row.id, row.length))
      await sessions.put(row)
    }),
  )
  return row
}

/**
 * Brings in a log: events contiguous from 0, with the blobs they name. Refused when the id is taken
 * (L1). Rejects with `JournalError`, with the signal's reason, or with what the iterables threw.
 */
export async function importSession(
  db: Database,
  header: SessionHeader,
  events: Many<SessionEvent>,
  blobs: Many<StoredBlob> = [],
  options: ImportOptions = {},
): Promise<Result<SessionRow, Refusal>> {
  const { locks = globalThis.navigator?.locks } = options
  const refusal = refuse('L1', `A session with the id ${header.id} is here already.`)
  // Before asking for the lock, which a tab that has the session open would not give for hours.
  if (await guarded('begin the import', () => isTaken(db.relaxed, header.id))) return refusal
  return whileHeld(locks, header.id, async () => {
    const empty = newSessionRow(header)
    if (!(await reserve(db, empty))) return refusal
    try {
      const row = await writeAll(db, empty, events, blobs, options)
      db.feed.announce({ type: 'list', sessionId: row.id, change: 'created' })
      return ok(row)
    } catch (error) {
      await discard(db, header.id)
      throw error
    }
  })
}

/** Deletes what imports of tabs that died left behind; answers their ids. One still running is left alone. */
export async function sweepImports(
  db: Database,
  locks: Locks | undefined = globalThis.navigator?.locks,
): Promise<string[]> {
  if (!locks) return []
  const rows = await guarded('look for unfinished imports', () =>
    db.relaxed.sessions.filter((row) => row.importing === true).primaryKeys(),
  )
  const swept: string[] = []
  for (const id of rows) {
    await locks.request(`palimpsest:${id}`, { ifAvailable: true }, async (lock) => {
      if (!lock) return
      // It may have become visible, or been swept by another tab, since the look.
      if (!(await db.relaxed.sessions.get(id))?.importing) return
      await discard(db, id)
      swept.push(id)
    })
  }
  return swept
}
