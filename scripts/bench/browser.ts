/** Benches of storage, in Chromium on a profile on disk. Bundled by scripts/bench.mjs. */

import type { SessionEvent } from '../../lib/core/event'
import { openDatabase } from '../../lib/storage/db'
import { importSession } from '../../lib/storage/import'
import { openJournal, openReader } from '../../lib/storage/journal'
import { createSession } from '../../lib/storage/sessions'
import { elapsed, type Figure, figure, median, time } from './figures'
import { inspectorBench } from './inspector-page'
import { generateLog } from './log'
import { done, openRaw, putRows, request } from './raw'

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

export async function bench(): Promise<Figure[]> {
  const raw = await openRaw()
  const events = generateLog(EVENTS, EVENTS / 50)
  return [await appends(raw, events), await sealing(events), ...(await bulk(raw, events))]
}

Object.assign(globalThis, { bench, inspectorBench })
