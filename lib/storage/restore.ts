/**
 * A backup back into the browser. Its rows first become a database of their own, of the version they were
 * written by, which is then upgraded and looked at like any other: the dry run. Only then are sessions
 * copied, one by one, each hidden from the list until it is whole. A replace says in the settings that it
 * began: cut off anywhere, the next tab that starts finishes it from that database.
 */

import { z } from 'zod'
import { JournalError } from '../ports'
import { asPromise, fillFromZip, REFUSED } from './backup-read'
import { allTables, type Database, openDatabase, type Tables, within } from './db'
import { draftOwner } from './drafts'
import { guarded } from './failure'
import { inspectSession } from './integrity'
import type { SessionRow } from './rows'
import { asForeign } from './segments'
import { listSessions } from './sessions'

export type RestoreMode = 'merge' | 'replace'

export type BackupReport = {
  createdAt: number
  sessions: { id: string; title: string; events: number; readable: number; here: boolean }[]
}

export type OpenBackup = {
  report: BackupReport
  /** `merge` adds the sessions that are not here; `replace` deletes everything here first. Answers how many came. */
  restore(mode: RestoreMode): Promise<number>
  /** Forgets the backup. Call once, whatever was done with it. */
  close(): Promise<void>
}

const BATCH = 100

/** Tables whose rows carry `sessionId` first in their key, and hang on their session alone. */
const OWN = ['drafts', 'queue', 'streams', 'files', 'rawMaps', 'blobUses'] as const

async function copyPages(
  from: Tables,
  to: Tables,
  name: string,
  sessionId: string,
  keep: (row: never) => boolean = () => true,
  change: (row: never) => unknown = (row) => row,
): Promise<void> {
  const key = from.table(name).schema.primKey
  const compound = Array.isArray(key.keyPath) && key.keyPath[0] === 'sessionId'
  const keys = compound
    ? await from
        .table(name)
        .where(':id')
        .between(...within(sessionId))
        .primaryKeys()
    : await from.table(name).where('sessionId').equals(sessionId).primaryKeys()
  for (let at = 0; at < keys.length; at += BATCH) {
    const rows = await from.table(name).bulkGet(keys.slice(at, at + BATCH))
    const kept = rows.filter((row) => row !== undefined && keep(row as never))
    await to.table(name).bulkPut(kept.map((row) => change(row as never)))
  }
}

/** Bytes a session names that are not here yet: blobs by hash, originals of imports by id. */
async function copyShared(from: Tables, to: Tables, sessionId: string): Promise<void> {
  const owners = [sessionId, draftOwner(sessionId)]
  for (const use of await from.blobUses.where('sessionId').anyOf(owners).toArray()) {
    const blob = await from.blobs.get(use.hash)
    if (blob) await to.blobs.put(blob)
    await to.blobUses.put(use)
  }
  for (const { rawId } of await from.rawMaps.where('sessionId').equals(sessionId).toArray()) {
    const original = await from.rawFiles.get(rawId)
    if (!original || (await to.rawFiles.get(rawId))) continue
    const pieces = await from.rawPieces
      .where('[id+index]')
      .between(...within(rawId))
      .primaryKeys()
    for (const piece of pieces) {
      const row = await from.rawPieces.get(piece)
      if (row) await to.rawPieces.put(row)
    }
    await to.rawFiles.put(original)
  }
}

/** Where a tab that wrote a session of this id once can have an epoch, a restored one is far above it (R1). */
const EPOCHS = 1_000

type Locks = Pick<LockManager, 'request'>

/** Runs `work` as the only writer of a session; no other tab takes it for what a dead one left. */
const asWriter = (
  locks: Locks | undefined,
  id: string,
  work: () => Promise<void>,
): Promise<void> => (locks ? locks.request(`palimpsest:${id}`, { steal: true }, work) : work())

/** A session that is not here; the list shows it once all of it is. A tab that dies on the way is swept up after. */
async function copySession(from: Tables, db: Database, row: SessionRow, above: number) {
  const to = db.relaxed
  const writer = await from.writers.get(row.id)
  if (!writer) return
  await to.sessions.add({ ...row, importing: true })
  const sealed = (each: { seq: number }) => each.seq < writer.sealed
  await copyPages(from, to, 'fresh', row.id, (each) => !sealed(each))
  await copyPages(from, to, 'segments', row.id, sealed)
  await copyPages(from, to, 'bodies', row.id, sealed, asForeign)
  await copyPages(from, to, 'filters', row.id, sealed)
  for (const name of OWN) await copyPages(from, to, name, row.id)
  await copyShared(from, to, row.id)
  const epoch = Math.max(writer.epoch, above) + EPOCHS
  await db.strict.transaction('rw', db.strict.sessions, db.strict.writers, async () => {
    // The row may lag behind the log in a backup taken while something was written.
    await db.strict.writers.put({ ...writer, epoch, ahead: true })
    await db.strict.sessions.put(row)
  })
}

async function copyAll(
  held: Database,
  db: Database,
  rows: readonly SessionRow[],
  above: number,
  locks: Locks | undefined,
): Promise<void> {
  for (const row of rows) {
    await asWriter(locks, row.id, () => copySession(held.relaxed, db, row, above))
    db.feed.announce({ type: 'list', sessionId: row.id, change: 'created' })
  }
}

const allSessions = async (db: Database): Promise<SessionRow[]> => {
  const { sessions, trash } = await listSessions(db)
  return [...sessions, ...trash]
}

const highestEpoch = async (db: Database): Promise<number> =>
  Math.max(0, ...(await db.relaxed.writers.toArray()).map(({ epoch }) => epoch))

/** The settings' row of a replace that has begun and not ended. */
const BEGUN = 'restore:replace'
const begun = z.object({ sessions: z.int(), above: z.int() })
type Begun = z.infer<typeof begun>

const readBegun = async (db: Database): Promise<Begun | null> =>
  begun.safeParse((await db.relaxed.settings.get(BEGUN))?.value).data ?? null

/** May be begun again from any point: it starts with nothing here but its own mark, and takes that away last. */
async function replaceAll(
  db: Database,
  held: Database,
  { above }: Begun,
  locks: Locks | undefined,
): Promise<number> {
  const tables = db.strict
  const others = allTables(tables).filter(({ name }) => name !== 'settings')
  await tables.transaction('rw', others, async () => {
    for (const table of others) await table.clear()
  })
  db.feed.announce({ type: 'cleared' })
  const rows = await allSessions(held)
  await copyAll(held, db, rows, above, locks)
  const settings = await held.relaxed.settings.toArray()
  await tables.transaction('rw', tables.settings, async () => {
    await tables.settings.clear()
    await tables.settings.bulkPut(settings.filter(({ key }) => key !== BEGUN))
  })
  return rows.length
}

async function restoreFrom(
  db: Database,
  held: Database,
  mode: RestoreMode,
  locks: Locks | undefined,
): Promise<number> {
  const rows = await allSessions(held)
  const above = await highestEpoch(db)
  if (mode === 'replace') {
    const mark: Begun = { sessions: rows.length, above }
    await db.strict.settings.put({ key: BEGUN, value: mark })
    return replaceAll(db, held, mark, locks)
  }
  const here = new Set(await db.relaxed.sessions.toCollection().primaryKeys())
  const missing = rows.filter(({ id }) => !here.has(id))
  await copyAll(held, db, missing, above, locks)
  return missing.length
}

const heldName = (db: Database) => `${db.name}-restore`
const forget = (db: Database): Promise<void> =>
  asPromise(indexedDB.deleteDatabase(heldName(db))).then(() => undefined)

const RESTORE_LOCK = 'palimpsest-restore'

/** Holds the one place a backup is read into; null while another tab does. Answers what lets it go. */
function holdPlace(locks: Locks | undefined): Promise<(() => Promise<void>) | null> {
  if (!locks) return Promise.resolve(async () => {})
  return new Promise((resolve, reject) => {
    const held = locks
      .request(RESTORE_LOCK, { ifAvailable: true }, async (lock) => {
        if (!lock) return resolve(null)
        await new Promise<void>((done) => {
          resolve(async () => {
            done()
            await held
          })
        })
      })
      .catch(reject)
  })
}

async function readReport(db: Database, held: Database, createdAt: number): Promise<BackupReport> {
  const here = new Set(await db.relaxed.sessions.toCollection().primaryKeys())
  const report: BackupReport = { createdAt, sessions: [] }
  for (const { id, title } of await allSessions(held)) {
    const { length, readable } = await inspectSession(held, id)
    report.sessions.push({ id, title, events: length, readable, here: here.has(id) })
  }
  return report
}

/**
 * Reads a backup beside the data, checks every event of it and says what it holds; nothing here changes
 * until `restore`. Rejects, with a reason for people, when it is none, damaged as a file, or newer.
 */
export async function openBackup(
  db: Database,
  file: Blob,
  locks: Locks | undefined = globalThis.navigator?.locks,
): Promise<OpenBackup> {
  const letGo = await holdPlace(locks)
  if (!letGo) throw new Error('Another tab of Palimpsest is restoring a backup.')
  try {
    // What was left unfinished is given up for this one.
    await db.strict.settings.delete(BEGUN)
    await forget(db)
    const { createdAt } = await fillFromZip(heldName(db), file)
    const held = await openDatabase(heldName(db))
    return {
      report: await readReport(db, held, createdAt),
      restore: (mode) => guarded('restore the backup', () => restoreFrom(db, held, mode, locks)),
      async close() {
        held.close()
        // One that failed half-way is finished by `finishRestore`, from what is held.
        if (!(await readBegun(db))) await forget(db)
        await letGo()
      },
    }
  } catch (error) {
    await forget(db)
    await letGo()
    const known = error instanceof Error && /Palimpsest/.test(error.message)
    throw known ? error : new Error(REFUSED, { cause: error })
  }
}

async function finish(db: Database, locks: Locks | undefined): Promise<number | null> {
  const mark = await readBegun(db)
  if (!mark) return null
  const held = await openDatabase(heldName(db))
  try {
    if ((await allSessions(held)).length === mark.sessions)
      return await replaceAll(db, held, mark, locks)
  } finally {
    held.close()
  }
  await db.strict.settings.delete(BEGUN)
  throw new JournalError(
    'failed',
    'Restoring a backup was cut off, and its copy in this browser is gone. Restore it again from its file.',
  )
}

/**
 * Finishes a replace that was cut off, and deletes what a tab that died left of a backup. Answers how many
 * sessions came; null where nothing was left undone, or another tab is at it. Rejects with `JournalError`.
 */
export async function finishRestore(
  db: Database,
  locks: Locks | undefined = globalThis.navigator?.locks,
): Promise<number | null> {
  const letGo = await holdPlace(locks)
  if (!letGo) return null
  try {
    const finished = await guarded('finish restoring the backup', () => finish(db, locks))
    const known = (await indexedDB.databases?.().catch(() => [])) ?? []
    if (known.some(({ name }) => name === heldName(db))) await forget(db)
    return finished
  } finally {
    await letGo()
  }
}
