/** Benches of storage, in Chromium on a profile on disk. Bundled by scripts/bench.mjs. */

import type { SessionEvent } from '../../lib/core/event'
import { openDatabase } from '../../lib/storage/db'
import { importSession } from '../../lib/storage/import'
import { openJournal, openReader } from '../../lib/storage/journal'
import { createSession } from '../../lib/storage/sessions'
import { type Figure, figure, median, time } from './figures'
import { generateLog } from './log'

const request = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })

const done = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onerror = () => reject(transaction.error)
  })

async function openRaw(): Promise<IDBDatabase> {
  const open = indexedDB.open('raw', 1)
  open.onupgradeneeded = () => open.result.createObjectStore('events', { keyPath: ['s', 'seq'] })
  return request(open)
}

async function appends(raw: IDBDatabase, events: SessionEvent[]): Promise<Figure> {
  const db = await openDatabase('bench-append')
  const header = { version: 1, id: 'append', createdAt: 0 }
  await createSession(db, header)
  const journal = openJournal(db, 'append', { epoch: 0 })
  let at = 0
  // Rounds alternate, so that both meet the same disk.
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round < 5; round++) {
    const start = performance.now()
    for (let i = 0; i < 60; i++, at++)
      await journal.append({ events: [events[at] as SessionEvent], durability: 'relaxed' })
    ours.push(performance.now() - start)
    const middle = performance.now()
    for (let i = 0; i < 60; i++) {
      const transaction = raw.transaction('events', 'readwrite', { durability: 'relaxed' })
      const seq = round * 60 + i
      transaction.objectStore('events').put({ s: 'append', seq, event: events[seq] })
      await done(transaction)
    }
    plain.push(performance.now() - middle)
  }
  db.close()
  return figure(
    'append one event, journal beside raw IndexedDB',
    median(ours) / 60,
    median(plain) / 60,
    1 / 0.4,
  )
}

async function loads(raw: IDBDatabase, events: SessionEvent[]): Promise<Figure> {
  const db = await openDatabase('bench-load')
  await importSession(db, { version: 1, id: 'load', createdAt: 0 }, events)
  for (let from = 0; from < events.length; from += 1000) {
    const transaction = raw.transaction('events', 'readwrite')
    for (const event of events.slice(from, from + 1000))
      transaction.objectStore('events').put({ s: 'load', seq: event.seq, event })
    await done(transaction)
  }
  const reader = openReader(db, 'load')
  const ours = await time(3, () => reader.heads())
  const range = IDBKeyRange.bound(['load', 0], ['load', Infinity])
  const plain = await time(3, () =>
    request(raw.transaction('events').objectStore('events').getAll(range)),
  )
  db.close()
  return figure('load 10,000 events as heads, beside raw getAll', median(ours), median(plain), 2.5)
}

export async function bench(): Promise<Figure[]> {
  const raw = await openRaw()
  const events = generateLog(10_000, 1_000)
  return [await appends(raw, events), await loads(raw, events)]
}

Object.assign(globalThis, { bench })
