/** Benches of storage, in Chromium on a profile on disk. Bundled by scripts/bench.mjs. */

import type { SessionEvent } from '../../lib/core/event'
import { openDatabase } from '../../lib/storage/db'
import { importSession } from '../../lib/storage/import'
import { openJournal, openReader } from '../../lib/storage/journal'
import { createSession, listSessions } from '../../lib/storage/sessions'
import { elapsed, type Figure, figure, median, time } from './figures'
import { inspectorBench } from './inspector-page'
import { done, openRaw, putRows, request } from './raw'
import { searchFigures } from './search'
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

/** A session of 100 MB: events of about a kilobyte, none of which is ever held in memory with the others. */
async function* largeEvents(events: readonly SessionEvent[]): AsyncGenerator<SessionEvent> {
  const filler = 'lorem ipsum dolor sit amet '.repeat(60)
  for (const { seq, time } of events) {
    const text = `message ${seq} ${filler.slice(0, 850 + (seq % 100))}`
    const content = [{ type: 'text' as const, text }]
    const data = { id: `m${seq}`, content, source: { kind: 'human' as const } }
    yield { seq, time, type: 'user/message', data, surfaceOp: 'append' }
  }
}

/** Bytes of the heap in use once what nobody holds is cleared away, where the browser says. */
function heap(): number {
  const { gc } = globalThis as { gc?(): void }
  gc?.()
  return (
    (performance as unknown as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0
  )
}

async function large(events: readonly SessionEvent[]): Promise<Figure[]> {
  const db = await openDatabase('bench-large')
  await importSession(db, { version: 1, id: 'large', createdAt: 0 }, largeEvents(events))
  const size = (await listSessions(db)).sessions[0]?.size ?? 0
  const reader = openReader(db, 'large')
  const opened = await time(1, () => reader.heads())
  const heads = await reader.heads()
  const held = heap()
  const journal = openJournal(db, 'large', { epoch: 0 })
  let seq = heads.length
  const appended = await time(60, () => {
    const event = { ...events[0], seq } as SessionEvent
    seq += 1
    return journal.append({ events: [event], durability: 'relaxed' })
  })
  const listed = await time(5, () => listSessions(db))
  db.close()
  const what = `a session of ${Math.round(size / 1e6)} MB`
  return [
    figure(`open ${what}, beside a second`, median(opened), 1000, 1),
    figure(`all memory of a page with ${what} open, beside its text`, held, size, 1, 'bytes'),
    figure(`append one event to ${what}, beside a frame`, median(appended), 16.7, 1),
    figure(`list it with what was just appended, beside a frame`, median(listed), 16.7, 3),
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
    ...(await large(events)),
    ...(await searchFigures()),
    await listing(),
  ]
}

Object.assign(globalThis, { bench, inspectorBench })
