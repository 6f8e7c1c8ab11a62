import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import { blobsOf, getBlob, putBlob, shareBlobs } from './blobs'
import { allTables, type Database, openDatabase } from './db'
import { readDraft, saveDraft } from './drafts'
import { openFiles, seedFiles } from './files'
import { openJournal } from './journal'
import { acquireWriter } from './lock'
import {
  clearAll,
  createSession,
  getSession,
  listSessions,
  purgeSession,
  purgeTrash,
  trashSession,
  untrashSession,
} from './sessions'
import { saveSettings } from './settings'
import { freshName } from './testing/database'
import { createLocks } from './testing/locks'
import { headed, messages, numbered, sampleHeader } from './testing/sample-events'

let db: Database
beforeEach(async () => {
  db = await openDatabase(freshName())
})

const ids = async () => (await listSessions(db)).sessions.map(({ id }) => id)
const at = (id: string, createdAt: number) => ({ ...sampleHeader(id), createdAt })

/** Something in every table for a session. */
async function fill(id: string): Promise<string> {
  await createSession(db, sampleHeader(id), messages(3))
  const lease = await acquireWriter(db, id, createLocks())
  const journal = openJournal(db, id, lease!)
  await journal.saveQueued({ id: 'q', content: [], time: 0, sendNow: false })
  await journal.saveStream({
    turn: 1,
    step: 1,
    model: 'm',
    provider: 'p',
    content: [],
    time: 0,
  })
  await seedFiles(db, id, [{ path: 'a.txt', body: 'a' }])
  await saveDraft(db, id, { text: 'draft', attachments: [] })
  await putBlob(db, id, new TextEncoder().encode('shared'), 'text/plain')
  const own = await putBlob(db, id, new TextEncoder().encode(id), 'text/plain')
  return own.hash
}

describe('sessions', () => {
  it('lists the newest first', async () => {
    await createSession(db, at('old', 1_000))
    await createSession(db, at('new', 3_000))
    await createSession(db, at('grown', 2_000), messages(1))
    expect(await ids()).toEqual(['grown', 'new', 'old'])
  })

  it('creates a session with its first events and its summary', async () => {
    const events = numbered([headed('reader')])
    const made = await createSession(db, sampleHeader('a'), events)
    expect(made).toMatchObject({ ok: true, value: { length: 1, model: 'reader' } })
    expect(await getSession(db, 'a')).toEqual(made.ok && made.value)
  })

  it('[L1] refuses an id that is taken, and changes nothing', async () => {
    await createSession(db, sampleHeader('a'), messages(2))
    const again = await createSession(db, at('a', 9_000), messages(1))
    expect(again).toMatchObject({ ok: false, error: { rule: 'L1' } })
    expect(await getSession(db, 'a')).toMatchObject({ length: 2 })
  })

  it('[L1] refuses first events that do not begin a log', async () => {
    await expect(createSession(db, sampleHeader('a'), messages(1, 1))).rejects.toMatchObject({
      code: 'failed',
    })
    expect(await getSession(db, 'a')).toBeNull()
  })

  it('delete has an undo', async () => {
    await createSession(db, sampleHeader('a'), messages(1))
    const before = await getSession(db, 'a')
    await trashSession(db, 'a', 5)
    const { sessions, trash } = await listSessions(db)
    expect([sessions, trash.map(({ id }) => id)]).toEqual([[], ['a']])
    await untrashSession(db, 'a')
    expect(await getSession(db, 'a')).toEqual(before)
    expect(await ids()).toEqual(['a'])
  })

  it('[K2] purging deletes everything of one session and nothing of another', async () => {
    const [gone, kept] = [await fill('a'), await fill('b')]
    const [shared] = (await blobsOf(db, 'b')).filter((hash) => hash !== kept)
    await purgeSession(db, 'a')
    for (const table of allTables(db.relaxed)) {
      const rows: Record<string, unknown>[] = await table.toArray()
      expect(rows.filter((row) => row.sessionId === 'a' || row.id === 'a')).toEqual([])
    }
    expect([await getBlob(db, gone), (await getBlob(db, kept)) !== null]).toEqual([null, true])
    expect(await getBlob(db, shared!)).not.toBeNull()
    expect(await openFiles(db, 'b').read('a.txt')).toBe('a')
    expect(await readDraft(db, 'b')).toMatchObject({ text: 'draft' })
    await purgeSession(db, 'b')
    expect(await db.relaxed.blobs.count()).toBe(0)
  })

  it('a fork keeps the blobs it shares when the original is purged', async () => {
    const hash = await fill('a')
    await createSession(db, sampleHeader('fork'))
    await shareBlobs(db, 'fork', [hash, 'f'.repeat(64)])
    await purgeSession(db, 'a')
    expect(await blobsOf(db, 'fork')).toEqual([hash])
    expect(await getBlob(db, hash)).not.toBeNull()
  })

  it('empties the trash of what was there long enough', async () => {
    for (const [id, time] of [
      ['old', 1_000],
      ['young', 2_000],
    ] as const) {
      await createSession(db, sampleHeader(id))
      await trashSession(db, id, time)
    }
    await createSession(db, sampleHeader('kept'))
    expect(await purgeTrash(db, 2_000)).toEqual(['old'])
    expect((await listSessions(db)).trash.map(({ id }) => id)).toEqual(['young'])
    expect(await ids()).toEqual(['kept'])
  })

  it('keeps at most sixty points of the token curve', async () => {
    await createSession(db, sampleHeader('a'))
    const lease = await acquireWriter(db, 'a', createLocks())
    const points = Array.from({ length: 80 }, (_, point) => point)
    await openJournal(db, 'a', lease!).summarise(points)
    const row = await getSession(db, 'a')
    expect([row?.sparkline.length, row?.sparkline[0], row?.sparkline[59]]).toEqual([60, 20, 79])
    expect(await ids()).toEqual(['a'])
  })

  it('sets a damaged row apart, which can still be purged', async () => {
    await createSession(db, sampleHeader('good'))
    await createSession(db, sampleHeader('bad'))
    await db.relaxed.sessions.put({ id: 'bad', length: -1 } as never)
    const list = await listSessions(db)
    expect(list.sessions.map(({ id }) => id)).toEqual(['good'])
    expect(list.damaged).toMatchObject([{ id: 'bad' }])
    await expect(getSession(db, 'bad')).rejects.toMatchObject({ sessionId: 'bad', seq: null })
    await purgeSession(db, 'bad')
    expect((await listSessions(db)).damaged).toEqual([])
  })

  it('clears everything', async () => {
    await fill('a')
    await saveSettings(db, { theme: 'dark' })
    await clearAll(db)
    for (const table of allTables(db.relaxed)) expect(await table.count()).toBe(0)
  })
})
