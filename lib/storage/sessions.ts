/** The list of sessions: create, summarise, trash and purge. */

import type { SessionEvent, SessionHeader } from '../core/event'
import { ok, type Refusal, type Result, refuse } from '../core/result'
import { releaseUses } from './blobs'
import { allTables, type Database, type Tables, within } from './db'
import { draftOwner } from './drafts'
import { addFresh, deleteEvents } from './events'
import { checkContiguous, guarded } from './failure'
import { deleteFiles } from './files'
import { releaseRaw } from './raw'
import { reasonOf, type SessionRow, sessionRow } from './rows'
import { caughtUp, readSession } from './session-row'
import { foldSummary, newSessionRow, newWriterRow } from './summary'

export type SessionList = {
  /** Newest first, without the trash. */
  sessions: SessionRow[]
  trash: SessionRow[]
  /** Rows that cannot be read; their events may be sound. */
  damaged: { id: string; reason: string }[]
}

type ListName = 'created' | 'updated' | 'trashed' | 'restored' | 'deleted'

const tellList = (db: Database, sessionId: string, change: ListName) =>
  db.feed.announce({ type: 'list', sessionId, change })

export const listSessions = (db: Database): Promise<SessionList> =>
  guarded('list the sessions', async () => {
    const list: SessionList = { sessions: [], trash: [], damaged: [] }
    const tables = db.relaxed
    const [rows, writers] = await Promise.all([tables.sessions.toArray(), tables.writers.toArray()])
    const ahead = new Set(writers.filter((row) => row.ahead).map((row) => row.sessionId))
    for (const row of rows) {
      const parsed = sessionRow.safeParse(row)
      if (!parsed.success) {
        list.damaged.push({ id: row.id, reason: reasonOf(parsed.error) })
        continue
      }
      if (parsed.data.importing) continue
      const current = ahead.has(row.id) ? await caughtUp(tables, parsed.data) : parsed.data
      const place = current.trashedAt === undefined ? list.sessions : list.trash
      place.push(current)
    }
    list.sessions.sort((a, b) => b.updatedAt - a.updatedAt || b.createdAt - a.createdAt)
    list.trash.sort((a, b) => (b.trashedAt ?? 0) - (a.trashedAt ?? 0))
    return list
  })

/** One session's row, trashed or not; null when it is not in this browser. */
export const getSession = (db: Database, sessionId: string): Promise<SessionRow | null> =>
  guarded('read the session', async () => {
    const found = await db.relaxed.sessions.where('id').equals(sessionId).count()
    if (found === 0) return null
    const row = await readSession(db.relaxed, sessionId)
    return row.importing ? null : caughtUp(db.relaxed, row)
  })

/**
 * A new session, with its first events if there are any, in one strict transaction. Refused when the id
 * is taken (L1). Rejects with `JournalError`.
 */
export async function createSession(
  db: Database,
  header: SessionHeader,
  events: readonly SessionEvent[] = [],
): Promise<Result<SessionRow, Refusal>> {
  const tables = db.strict
  const row = foldSummary(newSessionRow(header), events)
  const created = await guarded('create the session', () =>
    tables.transaction('rw', tables.sessions, tables.writers, tables.fresh, async () => {
      checkContiguous(events, 0)
      if ((await tables.sessions.where('id').equals(header.id).count()) > 0) return false
      await tables.sessions.add(row)
      await tables.writers.add(newWriterRow(header.id, 0))
      await addFresh(tables, header.id, events)
      return true
    }),
  )
  if (!created) return refuse('L1', `A session with the id ${header.id} is here already.`)
  tellList(db, header.id, 'created')
  return ok(row)
}

/** Reads, changes and writes the row in one transaction; leaves alone a session that is gone. */
async function changeRow(
  db: Database,
  sessionId: string,
  change: (row: SessionRow) => SessionRow,
  told: ListName,
): Promise<void> {
  const tables = db.relaxed
  const found = await guarded('change the session', () =>
    tables.transaction('rw', tables.sessions, async () => {
      if ((await tables.sessions.where('id').equals(sessionId).count()) === 0) return false
      await tables.sessions.put(change(await readSession(tables, sessionId)))
      return true
    }),
  )
  if (found) tellList(db, sessionId, told)
}

/** Takes a session off the list; `untrashSession` is the undo, `purgeSession` the end. */
export const trashSession = (db: Database, sessionId: string, time: number): Promise<void> =>
  changeRow(db, sessionId, (row) => ({ ...row, trashedAt: time }), 'trashed')

export const untrashSession = (db: Database, sessionId: string): Promise<void> =>
  changeRow(db, sessionId, ({ trashedAt: _, ...row }) => row, 'restored')

/** Everything a session keeps, but for blobs other sessions use. Call inside a transaction over all tables. */
export async function deleteEverywhere(tables: Tables, sessionId: string): Promise<void> {
  await deleteEvents(tables, sessionId)
  await releaseUses(tables, sessionId)
  await releaseUses(tables, draftOwner(sessionId))
  await deleteFiles(tables, sessionId)
  await releaseRaw(tables, sessionId)
  await tables.queue
    .where('[sessionId+id]')
    .between(...within(sessionId))
    .delete()
  await tables.drafts.delete(sessionId)
  await tables.streams.delete(sessionId)
  await tables.writers.delete(sessionId)
  await tables.sessions.delete(sessionId)
}

/** Deletes a session for good. A tab still writing it is told `closed` at its next write. */
export async function purgeSession(db: Database, sessionId: string): Promise<void> {
  const tables = db.relaxed
  await guarded('delete the session', () =>
    // Dexie follows awaits at any depth only below a function it knows to be async.
    tables.transaction('rw', allTables(tables), async () => deleteEverywhere(tables, sessionId)),
  )
  tellList(db, sessionId, 'deleted')
}

/** Deletes for good what was put in the trash before `time`; answers their ids. */
export async function purgeTrash(db: Database, time: number): Promise<string[]> {
  const { trash } = await listSessions(db)
  const old = trash.filter(({ trashedAt }) => (trashedAt ?? time) < time).map(({ id }) => id)
  for (const id of old) await purgeSession(db, id)
  return old
}

/** Deletes everything in this browser, settings too. */
export async function clearAll(db: Database): Promise<void> {
  const tables = db.strict
  await guarded('delete everything', () =>
    tables.transaction('rw', allTables(tables), async () => {
      for (const table of allTables(tables)) await table.clear()
    }),
  )
  db.feed.announce({ type: 'cleared' })
}
