import 'fake-indexeddb/auto'
import { readFileSync } from 'node:fs'
import { Dexie } from 'dexie'
import { beforeEach, describe, expect, it } from 'vitest'
import { sampleLog } from '../formats/testing/sample-log'
import { writeBackup } from './backup'
import { blobsOf, getBlob, putBlob } from './blobs'
import { allTables, type Database, openDatabase, type Tables } from './db'
import { saveDraft } from './drafts'
import { seedFiles } from './files'
import { importSession } from './import'
import { openJournal, openReader } from './journal'
import { acquireWriter } from './lock'
import { openBackup } from './restore'
import { createSession, listSessions, trashSession } from './sessions'
import { readSettings, saveSettings } from './settings'
import { freshName } from './testing/database'
import { png } from './testing/images'
import { createLocks } from './testing/locks'
import { messages, sampleHeader } from './testing/sample-events'
import { readDump, restoreDump, writeDump } from './testing/stored'

let db: Database
beforeEach(async () => {
  db = await openDatabase(freshName())
})

const zipOf = async (from: Database): Promise<Blob> =>
  new Response(writeBackup(from, 5) as ReadableStream<Uint8Array<ArrayBuffer>>).blob()

async function fillAll(into: Database): Promise<void> {
  const image = await putBlob(into, 'a', png(3, 2), 'image/png')
  await createSession(into, sampleHeader('a'), sampleLog(image.hash))
  await importSession(into, sampleHeader('large'), messages(2_500))
  const lease = await acquireWriter(into, 'large', createLocks())
  const journal = openJournal(into, 'large', lease!)
  await journal.append({ events: messages(3, 2_500), durability: 'relaxed' })
  await journal.summarise()
  await createSession(into, sampleHeader('trashed'), messages(2))
  await trashSession(into, 'trashed', 9)
  await seedFiles(into, 'a', [
    { path: 'a.txt', body: 'α' },
    { path: 'b.bin', body: new Uint8Array([0, 255, 10]) },
  ])
  await saveDraft(into, 'a', { text: 'un\nsent', attachments: [] })
  await saveSettings(into, { theme: 'dark' })
}

/** Every row of every table; who wrote last and whether the list lags is the tab's affair. */
const rowsOf = async (from: Database) => {
  const rows: Record<string, unknown[]> = {}
  for (const table of allTables(from.relaxed)) rows[table.name] = await table.toArray()
  rows.writers = (rows.writers ?? []).map((row) => ({
    ...(row as object),
    ahead: null,
    epoch: null,
  }))
  return rows
}

describe('backup', () => {
  it('everything comes back as it was: replaced', async () => {
    await fillAll(db)
    const zip = await zipOf(db)
    const other = await openDatabase(freshName())
    await createSession(other, sampleHeader('old'), messages(1))
    const backup = await openBackup(other, zip)
    expect(backup.report.createdAt).toBe(5)
    expect(backup.report.sessions).toHaveLength(3)
    expect(await backup.restore('replace')).toBe(3)
    await backup.close()
    expect(await rowsOf(other)).toEqual(await rowsOf(db))
    expect(await readSettings(other)).toMatchObject({ theme: 'dark' })
    expect((await listSessions(other)).sessions.map(({ id }) => id)).not.toContain('old')
  })

  it('merging adds what is not here and touches nothing that is', async () => {
    await fillAll(db)
    const zip = await zipOf(db)
    const other = await openDatabase(freshName())
    await createSession(other, sampleHeader('a'), messages(1))
    await saveSettings(other, { theme: 'light' })
    const backup = await openBackup(other, zip)
    expect(backup.report.sessions.filter(({ here }) => here).map(({ id }) => id)).toEqual(['a'])
    expect(await backup.restore('merge')).toBe(2)
    await backup.close()
    expect(await openReader(other, 'a').heads()).toHaveLength(1)
    expect(await openReader(other, 'large').heads()).toHaveLength(2_503)
    expect(await readSettings(other)).toMatchObject({ theme: 'light' })
  })

  it('the dry run changes nothing and counts what is damaged', async () => {
    await fillAll(db)
    await db.relaxed.fresh.delete(['large', 2_501])
    const zip = await zipOf(db)
    const other = await openDatabase(freshName())
    const before = await rowsOf(other)
    const backup = await openBackup(other, zip)
    const large = backup.report.sessions.find(({ id }) => id === 'large')
    expect(large).toMatchObject({ events: 2_503, readable: 2_502 })
    await backup.close()
    expect(await rowsOf(other)).toEqual(before)
  })

  it('blobs come along and stay as long as someone uses them', async () => {
    await fillAll(db)
    const other = await openDatabase(freshName())
    const backup = await openBackup(other, await zipOf(db))
    await backup.restore('merge')
    await backup.close()
    const [hash] = await blobsOf(other, 'a')
    expect(await getBlob(other, hash!)).toMatchObject({ mediaType: 'image/png' })
  })

  it('a backup of an older version is upgraded on its way in', async () => {
    const dump = readDump(
      readFileSync(new URL('./testing/database-2.json', import.meta.url), 'utf8'),
    )
    const name = freshName()
    await restoreDump(name, dump)
    const older = await new Dexie(name).open()
    const zip = await zipOf({ relaxed: older as Tables } as Database)
    expect(older.verno).toBe(2)
    const backup = await openBackup(db, zip)
    expect(await backup.restore('merge')).toBe(4)
    await backup.close()
    expect((await openReader(db, 'first').heads()).length).toBeGreaterThan(20)
  })

  it('refuses what is no backup, and one cut off anywhere, and keeps nothing of it', async () => {
    await fillAll(db)
    const zip = await zipOf(db)
    const other = await openDatabase(freshName())
    const before = await rowsOf(other)
    const cuts = [0, 10, 200, zip.size >> 1, zip.size - 4_000]
    for (const file of [new Blob(['no zip at all']), ...cuts.map((size) => zip.slice(0, size))])
      await expect(openBackup(other, file)).rejects.toThrow(/no backup of Palimpsest/)
    expect(await rowsOf(other)).toEqual(before)
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(
      `${other.name}-restore`,
    )
  })

  it('the stored databases beside the tests are written the same way', async () => {
    await fillAll(db)
    const name = freshName()
    await restoreDump(name, readDump(await writeDump(db.relaxed)))
    expect(await rowsOf(await openDatabase(name))).toEqual(await rowsOf(db))
  })
})
