import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainHead } from '../core/packed-head'
import { arbitraryLog } from '../core/testing/arbitrary'
import type { Database } from './db'
import { openDatabase } from './db'
import { openJournal, openReader } from './journal'
import { acquireWriter } from './lock'
import { packFresh } from './segments'
import { createSession, getSession, purgeSession } from './sessions'
import { freshName } from './testing/database'
import { failWrites } from './testing/faults'
import { journalContract } from './testing/journal-contract'
import { createLocks } from './testing/locks'
import { headed, messages, numbered, said, sampleHeader, titled } from './testing/sample-events'

const ID = 'session-1'

async function openWorld() {
  const db = await openDatabase(freshName())
  await createSession(db, sampleHeader(ID))
  const open = async () => {
    // Locks of its own: the contract lets a second writer in while the first still holds on.
    const lease = await acquireWriter(db, ID, createLocks())
    return openJournal(db, ID, lease!)
  }
  return { db, open, close: db.close }
}

journalContract('IndexedDB', openWorld)

/** Writes a row past all checks but its checksum, as a bug would. */
const damage = (db: Database, seq: number, event: unknown) =>
  db.relaxed.fresh.put(packFresh(ID, seq, JSON.stringify(event)))

describe('journal over IndexedDB', () => {
  it('survives closing and opening the database', async () => {
    const name = freshName()
    const first = await openDatabase(name)
    await createSession(first, sampleHeader(ID), messages(3))
    first.close()
    const again = await openDatabase(name)
    expect(await openReader(again, ID).read([0, 1, 2])).toEqual(messages(3))
  })

  it('pages through more events than it reads at once', async () => {
    const { db, open } = await openWorld()
    const events = messages(1_203)
    await (await open()).append({ events, durability: 'relaxed' })
    const reader = openReader(db, ID)
    expect((await reader.heads()).map((head) => head.seq)).toEqual(events.map(({ seq }) => seq))
    expect((await reader.heads(1_200)).map((head) => head.seq)).toEqual([1_200, 1_201, 1_202])
    expect(await reader.read(events.map(({ seq }) => seq))).toEqual(events)
  })

  it.each([
    ['is no event', { seq: 1, type: 'user/message' }, /event 1/],
    ['has an unknown type', { ...messages(1, 1)[0], type: 'from/mars' }, /event 1/],
    ['is another event', messages(1, 2)[0], /event 1.*holds event 2/],
    ['is nothing', null, /event 1/],
  ])('names session and seq of a row that %s', async (_, event, message) => {
    const { db, open } = await openWorld()
    const journal = await open()
    await journal.append({ events: messages(3), durability: 'relaxed' })
    await damage(db, 1, event)
    const expected = { name: 'DamagedRow', code: 'failed', sessionId: ID, seq: 1 }
    await expect(journal.heads()).rejects.toMatchObject(expected)
    await expect(journal.read([2, 1])).rejects.toMatchObject(expected)
    await expect(journal.read([1])).rejects.toThrow(message)
    expect(await journal.read([0, 2])).toEqual([messages(3)[0], messages(3)[2]])
  })

  it('names the first event that is missing', async () => {
    const { db, open } = await openWorld()
    const journal = await open()
    await journal.append({ events: messages(4), durability: 'relaxed' })
    await db.relaxed.fresh.delete([ID, 2])
    await expect(journal.heads()).rejects.toMatchObject({ name: 'DamagedRow', seq: 2 })
  })

  it('[L1] never overwrites an event beyond the length it knows', async () => {
    const { db, open } = await openWorld()
    const journal = await open()
    await journal.append({ events: messages(1), durability: 'relaxed' })
    await damage(db, 2, messages(3)[2])
    const append = journal.append({ events: messages(3, 1), durability: 'relaxed' })
    await expect(append).rejects.toMatchObject({ code: 'failed' })
    expect(await db.relaxed.fresh.count()).toBe(2)
    expect((await getSession(db, ID))?.length).toBe(1)
  })

  it('reads a damaged stream row as none and passes over a damaged queued message', async () => {
    const { db, open } = await openWorld()
    const journal = await open()
    await db.relaxed.streams.put({ sessionId: ID, turn: 'one' } as never)
    await journal.saveQueued({ id: 'a', content: [], time: 0, sendNow: false })
    await db.relaxed.queue.put({ sessionId: ID, id: 'b' } as never)
    expect(await journal.stream()).toBeNull()
    expect((await journal.queue()).map(({ id }) => id)).toEqual(['a'])
  })

  it('says `quota` when the disk is full, and keeps nothing', async () => {
    const { open } = await openWorld()
    const journal = await open()
    await journal.append({ events: messages(1), durability: 'strict' })
    const end = failWrites('fresh', (row) => (row as { seq: number }).seq === 2)
    const append = journal.append({ events: messages(3, 1), durability: 'strict' })
    await expect(append).rejects.toMatchObject({ name: 'JournalError', code: 'quota' })
    end()
    expect(await journal.heads()).toHaveLength(1)
    await journal.append({ events: messages(3, 1), durability: 'strict' })
    expect(await journal.heads()).toHaveLength(4)
  })

  it('says `closed` when the database was closed or the session deleted', async () => {
    const { db, open } = await openWorld()
    const journal = await open()
    await purgeSession(db, ID)
    const write = { events: messages(1), durability: 'strict' as const }
    await expect(journal.append(write)).rejects.toMatchObject({ code: 'closed' })
    await expect(journal.heads()).rejects.toMatchObject({ code: 'closed' })
    db.close()
    await expect(journal.append(write)).rejects.toMatchObject({ code: 'closed' })
    await expect(journal.queue()).rejects.toMatchObject({ code: 'closed' })
  })

  it('strict and relaxed writes go over connections of that durability', async () => {
    const { db, open } = await openWorld()
    const journal = await open()
    const seen: unknown[] = []
    for (const tables of [db.strict, db.relaxed]) {
      const connection = tables.backendDB()
      const open = connection.transaction.bind(connection)
      connection.transaction = (stores, mode, options) => {
        if (mode === 'readwrite') seen.push(options?.durability)
        return open(stores, mode, options)
      }
    }
    await journal.append({ events: messages(1), durability: 'strict' })
    await journal.append({ events: messages(1, 1), durability: 'relaxed' })
    expect(seen).toEqual(['strict', 'relaxed'])
  })

  it('[L7] the summary row is the fold of what was appended', async () => {
    const { db, open } = await openWorld()
    const journal = await open()
    const drafts = [headed('reader'), titled('First'), said('hi'), titled('Second')]
    const events = numbered(drafts)
    await journal.append({ events: events.slice(0, 2), durability: 'relaxed' })
    expect(await getSession(db, ID)).toMatchObject({ title: 'First', length: 2 })
    await journal.append({ events: events.slice(2), durability: 'relaxed' })
    expect(await getSession(db, ID)).toMatchObject({
      title: 'Second',
      model: 'reader',
      length: 4,
      counts: { events: 4, compactions: 0 },
      updatedAt: events[3]!.time,
    })
  })

  it('[L8] any log appended piece by piece gives the heads it was made with', async () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(arbitraryLog(30), pieces, async ({ events, heads }, sizes) => {
        const { db, open } = await openWorld()
        const journal = await open()
        for (let at = 0, turn = 0; at < events.length; turn += 1) {
          const next = at + sizes[turn % sizes.length]!
          const durability = turn % 2 === 0 ? 'strict' : 'relaxed'
          await journal.append({ events: events.slice(at, next), durability })
          at = next
        }
        expect((await journal.heads()).map(plainHead)).toEqual(heads)
        expect(await journal.read(events.map(({ seq }) => seq))).toEqual(events)
        const row = await getSession(db, ID)
        const whole = await createSession(db, sampleHeader('whole'), events)
        expect({ ...row, id: '', header: null }).toEqual({
          ...(whole.ok && whole.value),
          id: '',
          header: null,
        })
        db.close()
      }),
      { numRuns: 25 },
    )
  }, 60_000)
})
