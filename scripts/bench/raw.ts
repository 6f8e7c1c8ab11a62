/** Raw IndexedDB, single rows: what benches of storage and of the screen stand beside. */

import type { SessionEvent } from '../../lib/core/event'

export const request = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })

export const done = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })

export async function openRaw(): Promise<IDBDatabase> {
  const open = indexedDB.open('raw', 1)
  open.onupgradeneeded = () => open.result.createObjectStore('events', { keyPath: ['s', 'seq'] })
  return request(open)
}

/** Raw single rows, a thousand a transaction: what a log costs without segments. */
export async function putRows(
  raw: IDBDatabase,
  session: string,
  events: readonly SessionEvent[],
): Promise<void> {
  for (let from = 0; from < events.length; from += 1000) {
    const transaction = raw.transaction('events', 'readwrite', { durability: 'relaxed' })
    const store = transaction.objectStore('events')
    for (const event of events.slice(from, from + 1000))
      store.put({ s: session, seq: event.seq, event })
    await done(transaction)
  }
}
