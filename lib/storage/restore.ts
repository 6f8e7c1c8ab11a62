/**
 * A backup back into the browser. Its rows first become a database of their own, of the version they were
 * written by, which is then upgraded and looked at like any other: the dry run. Only then are sessions
 * copied, one by one, each hidden from the list until it is whole.
 */

import { Unzip, UnzipInflate, UnzipPassThrough } from 'fflate'
import { type Manifest, manifest } from './backup'
import { allTables, type Database, openDatabase, SCHEMA_VERSION, type Tables, within } from './db'
import { guarded } from './failure'
import { inspectSession } from './integrity'
import type { SessionRow } from './rows'
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

const REFUSED = 'This file is no backup of Palimpsest, or it was cut off.'
const LINE_FEED = 10
const BATCH = 100

const revive = (_key: string, value: unknown): unknown => {
  const base64 = (value as { $bytes?: unknown } | null)?.$bytes
  if (typeof base64 !== 'string') return value
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))
}

/** Whole lines out of chunks of bytes. */
function createLines(take: (line: string) => void) {
  let rest: Uint8Array[] = []
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const join = (last: Uint8Array): string => {
    if (rest.length === 0) return decoder.decode(last)
    const all = new Uint8Array([...rest, last].reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of [...rest, last]) {
      all.set(part, at)
      at += part.length
    }
    rest = []
    return decoder.decode(all)
  }
  return {
    push(chunk: Uint8Array) {
      let from = 0
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        const line = join(chunk.subarray(from, at))
        from = at + 1
        if (line !== '') take(line)
      }
      if (from < chunk.length) rest.push(chunk.slice(from))
    },
    get unfinished() {
      return rest.length > 0
    },
  }
}

type Row = { table: string; row: unknown }

/** Rows of a zip, a batch at a time, the manifest before them. Throws when the file is no whole backup. */
async function* readZip(file: Blob): AsyncGenerator<{ about: Manifest } | { rows: Row[] }> {
  let rows: Row[] = []
  let about: Manifest | null = null
  const ended = new Set<string>()
  const unzip = new Unzip((entry) => {
    const table = /^tables\/(\w+)\.jsonl$/.exec(entry.name)?.[1]
    const lines = createLines((line) => {
      if (table) rows.push({ table, row: JSON.parse(line, revive) as unknown })
      else about = manifest.parse(JSON.parse(line))
    })
    entry.ondata = (error, chunk, final) => {
      if (error) throw error
      lines.push(chunk)
      if (!final) return
      if (!table) lines.push(new Uint8Array([LINE_FEED]))
      if (lines.unfinished) throw new Error(REFUSED)
      ended.add(table ?? entry.name)
    }
    entry.start()
  })
  unzip.register(UnzipInflate)
  unzip.register(UnzipPassThrough)
  const reader = file.stream().getReader()
  let told = false
  for (;;) {
    const { done, value } = await reader.read()
    unzip.push(value ?? new Uint8Array(0), done)
    if (about && !told) {
      told = true
      yield { about }
    }
    if (rows.length >= BATCH || done) {
      if (!told && rows.length > 0) throw new Error(REFUSED)
      yield { rows }
      rows = []
    }
    if (done) break
  }
  const expected = Object.keys((about as Manifest | null)?.stores ?? { nothing: '' })
  if (expected.some((name) => !ended.has(name))) throw new Error(REFUSED)
}

/** `[a+b]` is the path of a compound key. */
const pathOf = (source: string): string | string[] =>
  source.startsWith('[') ? source.slice(1, -1).split('+') : source

const asPromise = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })

function createStores(name: string, { version, stores }: Manifest): Promise<IDBDatabase> {
  const asked = indexedDB.open(name, version)
  asked.onupgradeneeded = () => {
    for (const [store, source] of Object.entries(stores)) {
      const [key = '', ...indexes] = source.split(', ')
      const made = asked.result.createObjectStore(store, { keyPath: pathOf(key) })
      for (const index of indexes) made.createIndex(index, pathOf(index))
    }
  }
  return asPromise(asked)
}

const putRows = (connection: IDBDatabase, rows: readonly Row[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const stores = [...new Set(rows.map(({ table }) => table))]
    const transaction = connection.transaction(stores, 'readwrite', { durability: 'relaxed' })
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    for (const { table, row } of rows) transaction.objectStore(table).put(row)
  })

async function fill(name: string, file: Blob): Promise<Manifest> {
  let about: Manifest | null = null
  let connection: IDBDatabase | null = null
  try {
    for await (const part of readZip(file)) {
      if ('about' in part) {
        about = part.about
        if (Math.floor(about.version / 10) > SCHEMA_VERSION) {
          throw new Error('This backup was made by a newer version of Palimpsest.')
        }
        connection = await createStores(name, about)
      } else if (connection && part.rows.length > 0) await putRows(connection, part.rows)
    }
  } finally {
    connection?.close()
  }
  if (!about) throw new Error(REFUSED)
  return about
}

/** Tables whose rows carry `sessionId` first in their key, and hang on their session alone. */
const OWN = ['drafts', 'queue', 'streams', 'files', 'rawMaps', 'blobUses'] as const

async function copyPages(
  from: Tables,
  to: Tables,
  name: string,
  sessionId: string,
  keep: (row: never) => boolean = () => true,
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
    await to.table(name).bulkPut(rows.filter((row) => row !== undefined && keep(row as never)))
  }
}

/** Bytes a session names that are not here yet: blobs by hash, originals of imports by id. */
async function copyShared(from: Tables, to: Tables, sessionId: string): Promise<void> {
  for (const { hash } of await from.blobUses.where('sessionId').equals(sessionId).toArray()) {
    const blob = await from.blobs.get(hash)
    if (blob) await to.blobs.put(blob)
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

/** A session that is not here; the list shows it once all of it is. A tab that dies on the way is swept up after. */
async function copySession(from: Tables, db: Database, row: SessionRow): Promise<void> {
  const to = db.relaxed
  const writer = await from.writers.get(row.id)
  if (!writer) return
  await to.sessions.add({ ...row, importing: true })
  const sealed = (each: { seq: number }) => each.seq < writer.sealed
  await copyPages(from, to, 'fresh', row.id, (each) => !sealed(each))
  await copyPages(from, to, 'segments', row.id, sealed)
  await copyPages(from, to, 'bodies', row.id, sealed)
  for (const name of OWN) await copyPages(from, to, name, row.id)
  await copyShared(from, to, row.id)
  await db.strict.transaction('rw', db.strict.sessions, db.strict.writers, async () => {
    // The row may lag behind the log in a backup taken while something was written.
    await db.strict.writers.put({ ...writer, ahead: true })
    await db.strict.sessions.put(row)
  })
}

async function restoreFrom(db: Database, held: Database, mode: RestoreMode): Promise<number> {
  const { sessions, trash } = await listSessions(held)
  if (mode === 'replace') {
    await db.strict.transaction('rw', allTables(db.strict), async () => {
      for (const table of allTables(db.strict)) await table.clear()
    })
    await db.relaxed.settings.bulkPut(await held.relaxed.settings.toArray())
  }
  const here = new Set(await db.relaxed.sessions.toCollection().primaryKeys())
  const missing = [...sessions, ...trash].filter(({ id }) => !here.has(id))
  for (const row of missing) await copySession(held.relaxed, db, row)
  if (mode === 'replace') db.feed.announce({ type: 'cleared' })
  for (const { id } of missing) {
    db.feed.announce({ type: 'list', sessionId: id, change: 'created' })
  }
  return missing.length
}

/**
 * Reads a backup beside the data, checks every event of it and says what it holds; nothing here changes
 * until `restore`. Rejects, with a reason for people, when it is none, damaged as a file, or newer.
 */
export async function openBackup(db: Database, file: Blob): Promise<OpenBackup> {
  const name = `${db.name}-restore`
  const forget = () => asPromise(indexedDB.deleteDatabase(name)).then(() => undefined)
  await forget()
  try {
    const { createdAt } = await fill(name, file)
    const held = await openDatabase(name)
    const here = new Set(await db.relaxed.sessions.toCollection().primaryKeys())
    const { sessions, trash } = await listSessions(held)
    const report: BackupReport = { createdAt, sessions: [] }
    for (const { id, title } of [...sessions, ...trash]) {
      const { length, readable } = await inspectSession(held, id)
      report.sessions.push({ id, title, events: length, readable, here: here.has(id) })
    }
    return {
      report,
      restore: (mode) => guarded('restore the backup', () => restoreFrom(db, held, mode)),
      async close() {
        held.close()
        await forget()
      },
    }
  } catch (error) {
    await forget()
    const known = error instanceof Error && /Palimpsest/.test(error.message)
    throw known ? error : new Error(REFUSED, { cause: error })
  }
}
