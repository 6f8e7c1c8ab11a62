/**
 * Writes of a writer, straight on IndexedDB: the check of the epoch (R1) and the rows are requested at
 * once and the commit with the answer to the check, so that an append costs one small read more than a
 * bare put. Dexie would wait for each request before the next.
 */

import type { Seq } from '../core/event'
import { JournalError } from '../ports'
import type { Tables } from './db'
import { formerWriter } from './failure'
import type { WriterRow } from './rows'

type StoreName = 'writers' | 'fresh' | 'streams' | 'queue'
type Store = (name: StoreName) => IDBObjectStore

/** The writer's row says who may write: its epoch, and where its own rows may go. */
export type Claim = { readonly sessionId: string; readonly epoch: number }

function refusalOf(row: WriterRow | undefined, claim: Claim, first: Seq | null): Error | null {
  if (!row) return new JournalError('closed', `Session ${claim.sessionId} is not in this browser.`)
  if (row.epoch !== claim.epoch) return formerWriter()
  if (first === null || first >= row.sealed) return null
  return new JournalError(
    'failed',
    `Event ${first} is sealed already; nothing was written over it.`,
  )
}

/**
 * One transaction: `issue` makes its requests without waiting, and all of it is undone when the writer's
 * row refuses. Rejects with the refusal or what IndexedDB threw. `first`: the first seq to be written.
 */
export function writeAs(
  tables: Tables,
  claim: Claim,
  stores: readonly StoreName[],
  issue: (store: Store) => void,
  first: Seq | null = null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = tables.backendDB() as IDBDatabase | null
    if (!connection) return reject(new JournalError('closed', 'The database was closed.'))
    const durability = tables._options.chromeTransactionDurability
    const transaction = connection.transaction(['writers', ...stores], 'readwrite', { durability })
    let refusal: unknown = null
    const undo = (why: unknown) => {
      refusal ??= why
      transaction.abort()
    }
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(refusal ?? transaction.error ?? new Error('it was aborted'))
    const writers = transaction.objectStore('writers')
    const asked: IDBRequest<WriterRow | undefined> = writers.get(claim.sessionId)
    asked.onsuccess = () => {
      const row = asked.result
      const refused = refusalOf(row, claim, first)
      if (refused) return undo(refused)
      if (row && first !== null && !row.ahead) writers.put({ ...row, ahead: true })
      // All requests are made. One that fails still undoes the transaction.
      transaction.commit()
    }
    try {
      issue((name) => transaction.objectStore(name))
    } catch (error) {
      undo(error)
    }
  })
}
