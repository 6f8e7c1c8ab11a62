/**
 * A whole log at once. Rows go in by batches under a session row no list shows; the last transaction
 * makes it visible. A cancel or a failure leaves nothing behind; a tab that died is swept up later.
 */

import type { EventHead, Seq, SessionEvent, SessionHeader } from '../core/event'
import { createHistory } from '../core/history'
import { ok, type Refusal, type Result, refuse } from '../core/result'
import { putBlob, type StoredBlob } from './blobs'
import { allTables, type Database, type Tables } from './db'
import { addSegment } from './events'
import { checkContiguous, guarded } from './failure'
import type { SessionRow } from './rows'
import { type Packable, packable } from './segments'
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

/** Events of a segment at most, one transaction each. Larger ones gain little and hold the tables longer. */
const BATCH = 1_000
/** Characters of JSON after which a segment is full: more of them would be held, and cleared away with all else. */
const BATCH_CHARS = 1 << 20

/** Runs `work` while no other tab can sweep the half-written session away. */
const whileHeld = <T>(
  locks: Locks | undefined,
  sessionId: string,
  work: () => Promise<T>,
): Promise<T> =>
  locks ? locks.request(`palimpsest:${sessionId}`, {}, work).then((result) => result) : work()

type Batch = { packed: Packable[]; row: SessionRow; chars: number }

/** Events as they are stored, packed as they come: of a long one nothing but its JSON waits for the others. */
async function* batches(
  events: Many<SessionEvent>,
  empty: SessionRow,
  headAt: ImportOptions['headAt'],
): AsyncGenerator<Batch> {
  let batch: Batch = { packed: [], row: empty, chars: 0 }
  for await (const event of events) {
    checkContiguous([event], batch.row.length)
    const head = headAt?.(event.seq)
    const one = head ? { text: JSON.stringify(event), head } : packable(event)
    batch.packed.push(one)
    batch.chars += one.text.length
    batch.row = foldSummary(batch.row, [event], one.text.length)
    if (batch.packed.length < BATCH && batch.chars < BATCH_CHARS) continue
    yield batch
    batch = { packed: [], row: batch.row, chars: 0 }
  }
  if (batch.packed.length > 0) yield batch
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
  // One segment is written while the next is read and packed.
  let writing: Promise<unknown> = Promise.resolve()
  for await (const batch of batches(events, empty, headAt)) {
    signal?.throwIfAborted()
    const { packed } = batch
    const { length } = row
    const tables = db.relaxed
    await writing
    writing = guarded('save the imported session', () =>
      tables.transaction('rw', tables.segments, tables.bodies, () =>
        addSegment(tables, empty.id, length, packed),
      ),
    )
    // A failure is met at the next batch or at the end.
    writing.catch(() => {})
    row = batch.row
    for (const { head } of packed) heads.push(head)
    onProgress?.({ events: row.length })
  }
  await writing
  const header = complete ? await complete(row.header) : row.header
  signal?.throwIfAborted()
  row = { ...row, header, sparkline: sparklineOf(createHistory(heads), row.length) }
  const tables = db.strict
  await guarded('finish the import', () =>
    tables.transaction('rw', tables.sessions, tables.writers, async () => {
      await tables.writers.put(newWriterRow(row.id, row.length))
      await tables.sessions.put(row)
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
