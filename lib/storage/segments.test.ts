import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import { packColumns } from '../core/columns'
import type { EventHead, SessionEvent } from '../core/event'
import { headOf } from '../core/head'
import { plainHead } from '../core/packed-head'
import { sampleLog } from '../formats/testing/sample-log'
import { checksum } from './checksum'
import { type Database, openDatabase } from './db'
import { importSession } from './import'
import { inspectSession, readableEvents } from './integrity'
import { openJournal, openReader } from './journal'
import { acquireWriter } from './lock'
import { HEAD_FORM, packFresh } from './segments'
import { createSession, getSession, listSessions } from './sessions'
import { freshName } from './testing/database'
import { failWrites } from './testing/faults'
import { createLocks } from './testing/locks'
import { messages, numbered, said, sampleHeader } from './testing/sample-events'

const ID = 'session-1'
const relaxed = (events: readonly SessionEvent[]) => ({ events, durability: 'relaxed' as const })

let db: Database
beforeEach(async () => {
  db = await openDatabase(freshName())
})

async function openWriter() {
  const lease = await acquireWriter(db, ID, createLocks())
  return openJournal(db, ID, lease!)
}

/** A session of 1,000 events: 768 of them sealed, the rest fresh. */
async function sealedWorld() {
  const events = messages(1_000)
  await createSession(db, sampleHeader(ID))
  const journal = await openWriter()
  await journal.append(relaxed(events))
  expect(await journal.seal()).toBe(768)
  return { events, journal }
}

const seqsOf = (events: readonly { seq: number }[]) => events.map(({ seq }) => seq)

describe('sealing', () => {
  it('[L1] changes nothing that can be read', async () => {
    const { events, journal } = await sealedWorld()
    expect([await db.relaxed.segments.count(), await db.relaxed.fresh.count()]).toEqual([3, 232])
    expect(await journal.read(seqsOf(events))).toEqual(events)
    expect((await journal.heads()).map(plainHead)).toEqual(events.map(headOf))
    expect((await openReader(db, ID).heads(700)).map(plainHead)).toEqual(
      events.slice(700).map(headOf),
    )
    expect((await openReader(db, ID).heads(900)).map(plainHead)).toEqual(
      events.slice(900).map(headOf),
    )
    expect(await journal.read([999, 0, 767, 768, 0])).toEqual(
      [999, 0, 767, 768, 0].map((seq) => events[seq]),
    )
    await expect(journal.read([0, 1_000])).rejects.toThrow(RangeError)
  })

  it('leaves the newest events fresh and a short session alone', async () => {
    await createSession(db, sampleHeader(ID))
    const journal = await openWriter()
    await journal.append(relaxed(messages(300)))
    expect(await journal.seal()).toBe(0)
    await journal.append(relaxed(messages(20, 300)))
    expect(await journal.seal()).toBe(256)
    expect(await journal.seal()).toBe(0)
  })

  it('seals by size before count, and gives a large body a row of its own', async () => {
    await createSession(db, sampleHeader(ID))
    const journal = await openWriter()
    const events = numbered(
      Array.from({ length: 80 }, (_, at) => said(at === 3 ? 'x'.repeat(1 << 20) : `said ${at}`)),
    )
    await journal.append(relaxed(events))
    expect(await journal.seal()).toBe(4)
    expect((await db.relaxed.bodies.toArray()).map(({ seq, end }) => [seq, end])).toEqual([
      [0, 3],
      [3, 4],
    ])
    expect(await journal.read(seqsOf(events))).toEqual(events)
  })

  it('goes on appending after it, and the list knows', async () => {
    const { events, journal } = await sealedWorld()
    const more = messages(2, 1_000)
    await journal.append(relaxed(more))
    expect((await journal.heads()).map(plainHead)).toEqual([...events, ...more].map(headOf))
    expect(await getSession(db, ID)).toMatchObject({ length: 1_002 })
    await journal.summarise([1, 2])
    expect(await db.relaxed.sessions.get(ID)).toMatchObject({ length: 1_002, sparkline: [1, 2] })
  })

  it('[R1] a former writer can neither seal nor write into a sealed range', async () => {
    await createSession(db, sampleHeader(ID))
    const former = await openWriter()
    await former.append(relaxed(messages(100)))
    const writer = await openWriter()
    await writer.append(relaxed(messages(900, 100)))
    await expect(former.seal()).rejects.toMatchObject({ code: 'epoch' })
    await writer.seal()
    const before = await db.relaxed.fresh.count()
    await expect(former.append(relaxed(messages(1, 100)))).rejects.toMatchObject({ code: 'epoch' })
    await expect(former.summarise([])).rejects.toMatchObject({ code: 'epoch' })
    expect(await db.relaxed.fresh.count()).toBe(before)
    // Even under the newest epoch nothing goes where a segment is.
    const stale = openJournal(db, ID, { epoch: 2 })
    await db.relaxed.writers.update(ID, { sealed: 0 })
    await db.relaxed.fresh.clear()
    const heldBack = stale.append(relaxed(messages(1)))
    await db.relaxed.writers.update(ID, { sealed: 768 })
    await expect(heldBack).rejects.toMatchObject({ code: 'failed' })
  })

  it('[R4] sealing that fails half way leaves the session as it was', async () => {
    const events = messages(400)
    await createSession(db, sampleHeader(ID))
    const journal = await openWriter()
    await journal.append(relaxed(events))
    for (const store of ['segments', 'bodies', 'writers']) {
      const end = failWrites(store)
      await expect(journal.seal().finally(end)).rejects.toMatchObject({ code: 'quota' })
      expect(await db.relaxed.fresh.count()).toBe(400)
      expect(await db.relaxed.segments.count()).toBe(0)
    }
    expect(await journal.seal()).toBe(256)
    expect(await journal.read(seqsOf(events))).toEqual(events)
  })

  it('a reader that knew the chunks before finds what was sealed since', async () => {
    const { journal } = await sealedWorld()
    const reader = openReader(db, ID)
    await reader.read([5])
    await journal.append(relaxed(messages(600, 1_000)))
    await journal.seal()
    expect(await reader.read([1_200, 5])).toEqual([messages(1, 1_200)[0], messages(1, 5)[0]])
  })
})

describe('structure without bodies (L8)', () => {
  it('[L8] heads of a sealed log are read without any body', async () => {
    const events = messages(3_000)
    await importSession(db, sampleHeader(ID), events)
    const read: string[] = []
    for (const table of [db.relaxed.bodies, db.relaxed.segments]) {
      table.hook('reading', (row) => {
        read.push(table.name)
        return row
      })
    }
    expect((await openReader(db, ID).heads()).map(plainHead)).toEqual(events.map(headOf))
    expect(read).toEqual(['segments', 'segments', 'segments'])
  })

  it('heads of another form, or damaged, are made from bodies', async () => {
    const { events, journal } = await sealedWorld()
    await db.relaxed.segments.update([ID, 0], { form: HEAD_FORM + 1 })
    await db.relaxed.segments.update([ID, 256], { heads: { words: new Uint8Array(16), text: '' } })
    await db.relaxed.segments.delete([ID, 512])
    expect((await journal.heads()).map(plainHead)).toEqual(events.map(headOf))
    expect((await journal.heads()).map(plainHead)).toEqual(
      (await openReader(db, ID).heads()).map(plainHead),
    )
  })

  it('[L8] the next writer writes such heads anew, so that they are made once', async () => {
    const { events } = await sealedWorld()
    await db.relaxed.segments.update([ID, 0], { form: HEAD_FORM - 1 })
    await db.relaxed.segments.update([ID, 256], { heads: { words: new Uint8Array(16), text: '' } })
    const former = await openWriter()
    const writer = await openWriter()
    await expect(former.seal()).rejects.toMatchObject({ code: 'epoch' })
    await writer.seal()
    const forms = (await db.relaxed.segments.toArray()).map(({ form }) => form)
    expect(forms).toEqual([HEAD_FORM, HEAD_FORM, HEAD_FORM])
    let bodies = 0
    db.relaxed.bodies.hook('reading', (row) => {
      bodies += 1
      return row
    })
    expect((await openReader(db, ID).heads()).map(plainHead)).toEqual(events.map(headOf))
    expect(bodies).toBe(0)
  })

  it('a log read from one end to the other asks for each chunk of bodies about once', async () => {
    const events = messages(3_000)
    await importSession(db, sampleHeader(ID), events)
    const chunks = await db.relaxed.bodies.count()
    let rows = 0
    db.relaxed.bodies.hook('reading', (row) => {
      rows += 1
      return row
    })
    const reader = openReader(db, ID)
    const read: SessionEvent[] = []
    for (let from = 0; from < 3_000; from += 60)
      read.push(...(await reader.read(events.slice(from, from + 60).map(({ seq }) => seq))))
    expect(read).toEqual(events)
    expect(chunks).toBeGreaterThan(4)
    // Of fifty reads; those before it is known that one follows another ask for their own.
    expect(rows).toBeLessThan(chunks * 4)
  })

  it('damage is told of though the chunk was read ahead', async () => {
    const events = messages(3_000)
    await importSession(db, sampleHeader(ID), events)
    const last = await db.relaxed.bodies.orderBy('[sessionId+seq]').last()
    await db.relaxed.bodies.update([ID, last!.seq], { text: 'x' })
    const reader = openReader(db, ID)
    const readAll = async () => {
      for (let seq = 0; seq < 3_000; seq += 100)
        await reader.read(Array.from({ length: 100 }, (_, at) => seq + at))
    }
    await expect(readAll()).rejects.toMatchObject({ name: 'DamagedRow', sessionId: ID })
  })

  it('the form of heads is raised when they change', () => {
    const { words, text } = packColumns(sampleLog('a'.repeat(64)).map(headOf))
    expect({ form: HEAD_FORM, heads: checksum('', text, words) }).toEqual({
      form: 4,
      heads: 1418947313100126,
    })
  })
})

describe('integrity', () => {
  const damageOf = async () => (await inspectSession(db, ID)).damage

  it('finds nothing in a sound session', async () => {
    await sealedWorld()
    expect(await inspectSession(db, ID)).toEqual({ length: 1_000, readable: 1_000, damage: [] })
  })

  it('finds a changed, a missing and two swapped fresh events, and says where', async () => {
    await sealedWorld()
    const { fresh } = db.relaxed
    await fresh.update([ID, 800], { text: JSON.stringify(messages(1, 801)[0]) })
    await fresh.delete([ID, 810])
    const [one, other] = [await fresh.get([ID, 820]), await fresh.get([ID, 821])]
    await fresh.put({ ...one!, seq: 821 })
    await fresh.put({ ...other!, seq: 820 })
    const changed = expect.stringMatching(/checksum/) as unknown
    expect(await damageOf()).toEqual([
      { from: 800, to: 801, reason: changed },
      { from: 810, to: 811, reason: 'it is missing from the database' },
      { from: 820, to: 822, reason: changed },
    ])
  })

  it('finds rows missing at the end', async () => {
    const { journal } = await sealedWorld()
    await journal.summarise()
    await db.relaxed.fresh.delete([ID, 999])
    expect(await damageOf()).toMatchObject([{ from: 999, to: 1_000 }])
  })

  it('finds changed, missing and swapped chunks of bodies', async () => {
    const large = (at: number) => said(`${at} ${'y'.repeat(40_000)}`)
    const events = numbered(Array.from({ length: 6 }, (_, at) => large(at)))
    await importSession(db, sampleHeader(ID), events)
    const { bodies } = db.relaxed
    const row = (await bodies.get([ID, 1]))!
    await bodies.put({ ...row, text: row.text.replace('yy', 'yz') })
    await bodies.delete([ID, 3])
    await bodies.put({ ...(await bodies.get([ID, 5]))!, seq: 4, end: 5 })
    expect(await damageOf()).toMatchObject([{ from: 1 }, { from: 3 }, { from: 4 }])
    const left: number[] = []
    for await (const event of readableEvents(db, ID)) left.push(event.seq)
    expect(left).toEqual([0, 2, 5])
    const reader = openReader(db, ID)
    expect(await reader.heads()).toHaveLength(6)
    await expect(reader.read([3])).rejects.toMatchObject({ name: 'DamagedRow', seq: 3 })
    expect(await reader.read([0, 5])).toEqual([events[0], events[5]])
  })

  it('opens up to the first event that cannot be read, and lists the rest', async () => {
    const { events } = await sealedWorld()
    await db.relaxed.fresh.delete([ID, 900])
    const heads: EventHead[] = []
    const damage = await openReader(db, ID).survey(0, (more) => heads.push(...more))
    expect(heads.map(plainHead)).toEqual(events.slice(0, 900).map(headOf))
    expect(damage).toMatchObject({ sessionId: ID, seq: 900 })
    expect(await inspectSession(db, ID)).toMatchObject({ length: 1_000, readable: 999 })
    expect((await listSessions(db)).sessions).toHaveLength(1)
  })

  it('does not seal what is damaged', async () => {
    await createSession(db, sampleHeader(ID), messages(400))
    const journal = await openWriter()
    await db.relaxed.fresh.put(packFresh(ID, 7, '{"seq":7}'))
    expect(await journal.seal()).toBe(0)
  })
})
