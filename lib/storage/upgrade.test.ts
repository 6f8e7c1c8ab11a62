import 'fake-indexeddb/auto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import type { EventHead, SessionEvent } from '../core/event'
import { headOf } from '../core/head'
import { plainHead } from '../core/packed-head'
import { blobsOf, getBlob } from './blobs'
import { type Database, openDatabase, SCHEMA_VERSION } from './db'
import { readDraft } from './drafts'
import { openFiles } from './files'
import { openJournal, openReader } from './journal'
import { acquireWriter } from './lock'
import { getSession, listSessions } from './sessions'
import { readSettings } from './settings'
import { freshName } from './testing/database'
import { createLocks } from './testing/locks'
import { messages } from './testing/sample-events'
import { readDump, restoreDump, type StoredDump } from './testing/stored'

const folder = new URL('./testing/', import.meta.url)
const dumpOf = (version: number): StoredDump =>
  readDump(readFileSync(new URL(`database-${version}.json`, folder), 'utf8'))

/** Versions with a stored database (`writeDump`), in order. */
const stored = readdirSync(folder)
  .flatMap((name) => /^database-(\d+)\.json$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b)

const first = dumpOf(1)
const storedEvents = (id: string) =>
  (first.rows.events as { sessionId: string; event: SessionEvent }[])
    .filter((row) => row.sessionId === id)
    .map((row) => row.event)

async function upgraded(dump: StoredDump): Promise<Database> {
  const name = freshName()
  await restoreDump(name, dump)
  return openDatabase(name)
}

/** What a version's stored database must still say, whatever version reads it. */
async function expectTheFirst(db: Database): Promise<void> {
  const events = storedEvents('first')
  const reader = openReader(db, 'first')
  expect(await reader.read(events.map(({ seq }) => seq))).toEqual(events)
  expect((await reader.heads()).map(plainHead)).toEqual(events.map(headOf))
  expect(await reader.stream()).toMatchObject({ turn: 9, content: [{ text: 'so f' }] })
  expect(await reader.queue()).toMatchObject([{ id: 'q1' }])
  const list = await listSessions(db)
  expect(list.sessions.map(({ id }) => id).sort()).toEqual(['empty', 'first', 'gap'])
  expect(list.trash.map(({ id }) => id)).toEqual(['trashed'])
  expect(await getSession(db, 'first')).toMatchObject({
    title: 'Reading *agents*',
    length: events.length,
    sparkline: [10, 200, 50],
  })
  const files = openFiles(db, 'first')
  expect(await files.read('notes/plan.md')).toBe('# Plan, changed\n')
  expect(await files.base('notes/plan.md')).toBe('# Plan\n')
  const [hash] = await blobsOf(db, 'first')
  expect(await getBlob(db, hash!)).toMatchObject({ mediaType: 'image/png' })
  expect(await readDraft(db, 'first')).toMatchObject({ text: 'unsent' })
  expect(await readSettings(db)).toMatchObject({ theme: 'dark', maxSteps: 12 })
}

describe('upgrading a stored database', () => {
  it('there is a stored database of every version before this one', () => {
    expect(stored.slice(0, SCHEMA_VERSION - 1)).toEqual(
      Array.from({ length: SCHEMA_VERSION - 1 }, (_, at) => at + 1),
    )
  })

  it.each(stored)('[L1] version %i upgrades in place and says what it said', async (version) => {
    const db = await upgraded(dumpOf(version))
    expect(db.relaxed.backendDB().version).toBe(SCHEMA_VERSION * 10)
    await expectTheFirst(db)
  })

  it.each(stored)(
    'a gap in version %i is still that gap, with what is around it',
    async (version) => {
      const db = await upgraded(dumpOf(version))
      const reader = openReader(db, 'gap')
      const heads: EventHead[] = []
      const damage = await reader.survey(0, (more) => heads.push(...more))
      expect(heads.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4])
      expect(damage).toMatchObject({ name: 'DamagedRow', seq: 5 })
      expect(await reader.read([4, 6, 7])).toEqual(
        messages(8).filter(({ seq }) => [4, 6, 7].includes(seq)),
      )
    },
  )

  it('[R1] a writer goes on after an upgrade, above the old epoch', async () => {
    const db = await upgraded(first)
    const lease = await acquireWriter(db, 'first', createLocks())
    expect(lease?.epoch).toBe(2)
    const { length } = storedEvents('first')
    const journal = openJournal(db, 'first', lease!)
    await journal.append({ events: messages(2, length), durability: 'strict' })
    expect(await journal.heads()).toHaveLength(length + 2)
  })

  it('[R4] an upgrade that fails leaves the old database as it was', async () => {
    const name = freshName()
    await restoreDump(name, first)
    const { prototype } = IDBObjectStore
    const { add } = prototype
    prototype.add = function (this: IDBObjectStore, row, key) {
      if (this.name === 'writers' && (row as { sessionId: string }).sessionId === 'gap')
        throw new DOMException('disk full', 'QuotaExceededError')
      return key === undefined ? add.call(this, row) : add.call(this, row, key)
    }
    const failed = openDatabase(name)
    await expect(failed).rejects.toMatchObject({ name: 'JournalError', code: 'quota' })
    prototype.add = add
    await expectTheFirst(await openDatabase(name))
  })
})

describe('databases and tabs of other versions', () => {
  it('says so when the database is newer, and leaves it alone', async () => {
    const name = freshName()
    const stores = { sessions: 'id', strange: 'key' }
    await restoreDump(name, { version: (SCHEMA_VERSION + 1) * 10, stores, rows: {} })
    await expect(openDatabase(name)).rejects.toThrow(/newer version of Palimpsest/)
    const opened = indexedDB.open(name)
    const after = await new Promise<IDBDatabase>((resolve) => {
      opened.onsuccess = () => resolve(opened.result)
    })
    expect([after.version, [...after.objectStoreNames]]).toEqual([
      (SCHEMA_VERSION + 1) * 10,
      ['sessions', 'strange'],
    ])
  })

  it('says so, too, where the browser cannot list its databases', async () => {
    const name = freshName()
    const stores = { sessions: 'id', strange: 'key' }
    await restoreDump(name, { version: (SCHEMA_VERSION + 1) * 10, stores, rows: {} })
    const spy = vi.spyOn(indexedDB, 'databases').mockRejectedValue(new Error('no'))
    await expect(openDatabase(name)).rejects.toThrow(/newer version of Palimpsest/)
    spy.mockRestore()
  })

  it('lets go of the database when a newer tab upgrades it, and says why', async () => {
    const name = freshName()
    const db = await openDatabase(name)
    const ended = new Promise((resolve) => db.onEnd(resolve))
    const newer = indexedDB.open(name, (SCHEMA_VERSION + 1) * 10)
    await new Promise((resolve) => {
      newer.onsuccess = resolve
    })
    expect(await ended).toBe('newer-version')
    await expect(listSessions(db)).rejects.toMatchObject({ code: 'closed' })
  })

  it('tells of a database deleted while open', async () => {
    const name = freshName()
    const db = await openDatabase(name)
    const ended = new Promise((resolve) => db.onEnd(resolve))
    const gone = indexedDB.deleteDatabase(name)
    await new Promise((resolve) => {
      gone.onsuccess = resolve
    })
    expect(await ended).toBe('deleted')
  })

  it('says that an older tab keeps the upgrade waiting, then goes on', async () => {
    const name = freshName()
    const holder = await restoreDump(name, first, { hold: true })
    const blocked = vi.fn(() => holder?.close())
    const db = await openDatabase(name, blocked)
    expect(blocked).toHaveBeenCalledOnce()
    await expectTheFirst(db)
  })
})
