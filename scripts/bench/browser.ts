/** Benches of storage, in Chromium on a profile on disk. Bundled by scripts/bench.mjs. */

import type { SessionEvent } from '../../lib/core/event'
import { openDatabase } from '../../lib/storage/db'
import { importSession } from '../../lib/storage/import'
import { openJournal, openReader } from '../../lib/storage/journal'
import { searchSessions } from '../../lib/storage/search'
import { parseQuery } from '../../lib/storage/search-query'
import { createSession, listSessions } from '../../lib/storage/sessions'
import { elapsed, type Figure, figure, median, time } from './figures'
import { inspectorBench } from './inspector-page'
import { done, openRaw, putRows, request } from './raw'
import { generateSession } from './session'

async function appends(raw: IDBDatabase, events: SessionEvent[]): Promise<Figure> {
  const db = await openDatabase('bench-append')
  const header = { version: 1, id: 'append', createdAt: 0 }
  await createSession(db, header)
  const journal = openJournal(db, 'append', { epoch: 0 })
  let at = 0
  const EACH = 15
  // Short rounds alternate, so that both meet the same disk and the same neighbours.
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round < 60; round++) {
    const next = events.slice(at, at + EACH)
    ours.push(
      await elapsed(async () => {
        for (const event of next) await journal.append({ events: [event], durability: 'relaxed' })
      }),
    )
    plain.push(
      await elapsed(async () => {
        for (const event of next) {
          const transaction = raw.transaction('events', 'readwrite', { durability: 'relaxed' })
          transaction.objectStore('events').put({ s: 'append', seq: event.seq, event })
          await done(transaction)
        }
      }),
    )
    at += EACH
  }
  db.close()
  return figure(
    'append one event, journal beside raw IndexedDB',
    median(ours) / EACH,
    median(plain) / EACH,
    1 / 0.7,
  )
}

const EVENTS = 100_000
/** Of the generator's text: about 380 bytes an event, so that rows and not bytes are what is compared. */
const STORED = 0.3

async function bulk(raw: IDBDatabase, events: SessionEvent[]): Promise<Figure[]> {
  const db = await openDatabase('bench-load')
  const header = { version: 1, id: 'load', createdAt: 0 }
  const ourImport = await elapsed(() => importSession(db, header, events))
  const plainImport = await elapsed(() => putRows(raw, 'load', events))
  const reader = openReader(db, 'load')
  const range = IDBKeyRange.bound(['load', 0], ['load', Infinity])
  const rows = () => request(raw.transaction('events').objectStore('events').getAll(range))
  const ourHeads = await time(1, () => reader.heads())
  const plainLoad = await time(1, rows)
  const seqs = events.map((event) => event.seq)
  const ourBodies = await time(1, async () => {
    for (let from = 0; from < seqs.length; from += 500)
      await reader.read(seqs.slice(from, from + 500))
  })
  db.close()
  const of = (what: string) => `${what} ${events.length.toLocaleString('en')} events`
  return [
    figure(`${of('import')}, beside raw single rows`, ourImport, plainImport, 1 / 3),
    figure(`${of('open')} as heads, beside raw getAll`, median(ourHeads), median(plainLoad), 1 / 3),
    figure(`${of('read')} whole, beside raw getAll`, median(ourBodies), median(plainLoad), 1),
  ]
}

/** Longest time the window was held while sealing, beside a frame of 16.7 ms. */
async function sealing(events: SessionEvent[]): Promise<Figure> {
  const db = await openDatabase('bench-seal')
  await createSession(db, { version: 1, id: 'seal', createdAt: 0 })
  const journal = openJournal(db, 'seal', { epoch: 0 })
  await journal.append({ events: events.slice(0, 5_000), durability: 'relaxed' })
  const held: number[] = []
  let last = performance.now()
  const ticker = new MessageChannel()
  ticker.port1.onmessage = () => {
    const now = performance.now()
    held.push(now - last)
    last = now
    ticker.port2.postMessage(0)
  }
  ticker.port2.postMessage(0)
  await journal.seal()
  ticker.port1.close()
  db.close()
  held.sort((a, b) => a - b)
  const worst = held[Math.floor(held.length * 0.99)] as number
  return figure('window held by sealing, 99th percentile, beside a frame', worst, 16.7, 1)
}

/** A store of about 20 MB in ten sessions, its oldest event the one that holds the word. */
async function searching(events: SessionEvent[]): Promise<Figure[]> {
  const db = await openDatabase('bench-search')
  const each = 2_000
  for (let session = 0; session < 10; session++) {
    const own = events
      .slice(session * each, (session + 1) * each)
      .map((event, seq) => ({ ...event, seq }) as SessionEvent)
    if (session === 0) {
      own[0] = {
        seq: 0,
        time: 1,
        type: 'user/message',
        data: {
          id: 'needle',
          content: [{ type: 'text', text: 'the needle' }],
          source: { kind: 'human' },
        },
        surfaceOp: 'append',
      }
    }
    await importSession(db, { version: 1, id: `search-${session}`, createdAt: session }, own)
  }
  const find = async (typed: string, limit: number) => {
    const work = await searchSessions(db, parseQuery(typed), () => {}, { limit })
    if (work.hits === 0) throw new Error(`nothing found for ${typed}`)
  }
  const rare = median(await time(3, () => find('needle ', 100)))
  const common = median(await time(3, () => find('parser ', 20)))
  db.close()
  return [
    figure(
      'search 20,000 events for a word said once, at the far end, beside a second',
      rare,
      1000,
      1,
    ),
    figure(
      'search 20,000 events for the first twenty of a common word, beside a second',
      common,
      1000,
      1 / 4,
    ),
  ]
}

/** A list of 1,000 sessions, beside raw getAll of as many rows. */
async function listing(): Promise<Figure> {
  const db = await openDatabase('bench-list')
  for (let id = 0; id < 1000; id++)
    await createSession(db, { version: 1, id: `session-${id}`, createdAt: id })
  const ours = await time(5, () => listSessions(db))
  const plain = await time(5, () =>
    request(db.relaxed.backendDB().transaction('sessions').objectStore('sessions').getAll()),
  )
  db.close()
  return figure(
    'list 1,000 sessions, beside raw getAll of their rows',
    median(ours),
    median(plain),
    4,
  )
}

export async function bench(): Promise<Figure[]> {
  const raw = await openRaw()
  const events = generateSession(EVENTS, { scale: STORED })
  return [
    await appends(raw, events),
    await sealing(events),
    ...(await bulk(raw, events)),
    ...(await searching(events)),
    await listing(),
  ]
}

Object.assign(globalThis, { bench, inspectorBench })
