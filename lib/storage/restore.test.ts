import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import { writeBackup } from './backup'
import { type Database, openDatabase } from './db'
import { importSession, sweepImports } from './import'
import { inspectSession } from './integrity'
import { openJournal, openReader } from './journal'
import { acquireWriter } from './lock'
import { finishRestore, openBackup } from './restore'
import { packable, packSegment } from './segments'
import { createSession, listSessions, purgeSession } from './sessions'
import { readSettings, saveSettings } from './settings'
import { freshName } from './testing/database'
import { failWrites } from './testing/faults'
import { createLocks, type TestLocks } from './testing/locks'
import { messages, sampleHeader } from './testing/sample-events'

let db: Database
let locks: TestLocks
beforeEach(async () => {
  db = await openDatabase(freshName())
  locks = createLocks()
})

const zipOf = async (from: Database): Promise<Blob> =>
  new Response(writeBackup(from, 5) as ReadableStream<Uint8Array<ArrayBuffer>>).blob()
const idsOf = async (from: Database) => {
  const { sessions } = await listSessions(from)
  return sessions.map(({ id }) => id).sort()
}
const databases = async () => (await indexedDB.databases()).map(({ name }) => name)

/** A backup of `one`, `two` and dark colours; then `later` and light ones. */
async function backedUp(): Promise<Blob> {
  await importSession(db, sampleHeader('one'), messages(1_200))
  await createSession(db, sampleHeader('two'), messages(3))
  await saveSettings(db, { theme: 'dark' })
  const zip = await zipOf(db)
  await createSession(db, sampleHeader('later'), messages(2))
  await saveSettings(db, { theme: 'light' })
  return zip
}

describe('a replace that is cut off', () => {
  it.each([
    ['sessions', 'one'],
    ['sessions', 'two'],
    ['bodies', 'one'],
    ['fresh', 'two'],
    ['writers', 'two'],
    ['settings', 'theme'],
  ])('[R4] at %s of %s is finished by the next tab', async (store, of) => {
    const zip = await backedUp()
    const backup = await openBackup(db, zip, locks)
    const heal = failWrites(store, (row) => Object.values(row as object).includes(of))
    await expect(backup.restore('replace')).rejects.toMatchObject({ code: 'quota' })
    heal()
    await backup.close()
    expect(await finishRestore(db, locks)).toBe(2)
    expect(await idsOf(db)).toEqual(['one', 'two'])
    expect(await inspectSession(db, 'one')).toMatchObject({ readable: 1_200, damage: [] })
    expect(await readSettings(db)).toMatchObject({ theme: 'dark' })
    expect(await finishRestore(db, locks)).toBeNull()
    expect(await databases()).not.toContain(`${db.name}-restore`)
  })

  it('says so when what it was to be finished from is gone, and takes nothing more away', async () => {
    const backup = await openBackup(db, await backedUp(), locks)
    const heal = failWrites('settings', (row) => (row as { key: string }).key === 'theme')
    await expect(backup.restore('replace')).rejects.toMatchObject({ code: 'quota' })
    heal()
    await backup.close()
    indexedDB.deleteDatabase(`${db.name}-restore`)
    await expect(finishRestore(db, locks)).rejects.toThrow(/its copy in this browser is gone/)
    expect(await idsOf(db)).toEqual(['one', 'two'])
    expect(await finishRestore(db, locks)).toBeNull()
  })

  it('a dry run of a tab that died is forgotten, and nothing of it restored', async () => {
    await openBackup(db, await backedUp(), createLocks())
    expect(await finishRestore(db, locks)).toBeNull()
    expect(await idsOf(db)).toEqual(['later', 'one', 'two'])
    expect(await databases()).not.toContain(`${db.name}-restore`)
  })
})

describe('restoring beside other tabs', () => {
  it('is left alone by a tab that starts, and refused to a second that restores', async () => {
    const zip = await backedUp()
    const backup = await openBackup(db, zip, locks)
    expect(await finishRestore(db, locks)).toBeNull()
    await expect(openBackup(db, zip, locks)).rejects.toThrow(/Another tab/)
    expect(await backup.restore('replace')).toBe(2)
    await backup.close()
    expect(await idsOf(db)).toEqual(['one', 'two'])
  })

  it('a session half copied is not swept away', async () => {
    const backup = await openBackup(db, await backedUp(), locks)
    await purgeSession(db, 'one')
    const { prototype } = IDBObjectStore
    const { put } = prototype
    const swept: Promise<string[]>[] = []
    prototype.put = function (this: IDBObjectStore, row, key) {
      // Of its own, not inside the transaction that puts.
      if (this.name === 'bodies' && swept.length === 0)
        swept.push(new Promise((done) => setTimeout(() => done(sweepImports(db, locks)))))
      return key === undefined ? put.call(this, row) : put.call(this, row, key)
    }
    expect(await backup.restore('merge')).toBe(1)
    prototype.put = put
    await backup.close()
    expect(await Promise.all(swept)).toEqual([[]])
    expect(await inspectSession(db, 'one')).toMatchObject({ readable: 1_200, damage: [] })
  })

  it.each(['merge', 'replace'] as const)(
    '[R1] after a %s a tab that wrote the session before can write nothing into it',
    async (mode) => {
      const zip = await backedUp()
      const lease = await acquireWriter(db, 'two', locks)
      const journal = openJournal(db, 'two', lease!)
      await journal.append({ events: messages(4, 3), durability: 'strict' })
      const backup = await openBackup(db, zip, locks)
      if (mode === 'merge') await purgeSession(db, 'two')
      await backup.restore(mode)
      await backup.close()
      expect(lease?.lost.aborted).toBe(true)
      const late = journal.append({ events: messages(1, 7), durability: 'strict' })
      await expect(late).rejects.toMatchObject({ code: 'epoch' })
      expect(await inspectSession(db, 'two')).toMatchObject({ length: 3, damage: [] })
    },
  )
})

describe('what comes out of a backup', () => {
  it('is inspected when it is read where its chunk holds what is no event, whatever that says of itself', async () => {
    const events = messages(20)
    await importSession(db, sampleHeader('one'), events)
    const packed = events.map(packable)
    packed[7] = { ...packed[7]!, text: packed[7]!.text.replace('user/message', 'from/mars') }
    await db.relaxed.bodies.bulkPut(packSegment('one', 0, packed).bodies)
    const other = await openDatabase(freshName())
    const backup = await openBackup(other, await zipOf(db), locks)
    expect(backup.report.sessions).toMatchObject([{ id: 'one', events: 20, readable: 19 }])
    await backup.restore('merge')
    await backup.close()
    const reader = openReader(other, 'one')
    await expect(reader.read([7])).rejects.toMatchObject({ name: 'DamagedRow', seq: 7 })
    expect(await reader.read([6, 8])).toEqual([events[6], events[8]])
  })
})
