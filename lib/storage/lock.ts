/**
 * One writer for each session across tabs (R1): a Web Lock says who writes, an epoch in the writer's row
 * makes every write of a former writer fail. Taking over from a live tab steals the lock: its `lost`
 * aborts, and raising the epoch makes the rest safe even if it is frozen and hears of nothing.
 */

import { JournalError } from '../ports'
import type { Database } from './db'
import { readWriter } from './events'
import { guarded } from './failure'

export type Lease = {
  readonly sessionId: string
  readonly epoch: number
  /** Aborts when another tab took the lock away. */
  readonly lost: AbortSignal
  /** Lets the session go; resolves when the next writer may have it. */
  release(): Promise<void>
}

type Locks = Pick<LockManager, 'request'>

/** Why this page cannot become a writer at all, in words for people; null where it can. */
export const lockProblem = (
  locks: Locks | undefined = globalThis.navigator?.locks,
): string | null =>
  locks
    ? null
    : 'This page cannot write sessions: without a secure address (https, or http on localhost) the browser has no locks between tabs.'

const raiseEpoch = (db: Database, sessionId: string): Promise<number> =>
  guarded('open the session for writing', () => {
    const tables = db.strict
    return tables.transaction('rw', tables.writers, async () => {
      const row = await readWriter(tables, sessionId)
      const epoch = row.epoch + 1
      await tables.writers.put({ ...row, epoch })
      return epoch
    })
  })

/** Takes the lock, raises the epoch, and keeps the lock until `release`. Null when it was not granted. */
function take(
  db: Database,
  sessionId: string,
  options: LockOptions,
  locks: Locks | undefined,
): Promise<Lease | null> {
  const problem = lockProblem(locks)
  if (!locks || problem) return Promise.reject(new JournalError('failed', problem ?? ''))
  return new Promise((resolve, reject) => {
    const lost = new AbortController()
    let letGo = () => {}
    const held = locks
      .request(`palimpsest:${sessionId}`, options, async (lock) => {
        if (!lock) return resolve(null)
        const epoch = await raiseEpoch(db, sessionId)
        const released = new Promise<void>((done) => {
          letGo = done
        })
        const release = async () => {
          letGo()
          await held
        }
        resolve({ sessionId, epoch, lost: lost.signal, release })
        await released
      })
      .catch((error: unknown) => {
        // Waited no longer, or stolen before the epoch was raised.
        const isTaken = error instanceof DOMException && error.name === 'AbortError'
        if (options.signal?.aborted || isTaken) resolve(null)
        else reject(error)
        lost.abort()
      })
  })
}

/**
 * Becomes the writer of a session, at once or not at all: null while another tab writes it. Rejects with
 * a `JournalError`: no locks here (`lockProblem`), no such session, or the epoch could not be raised.
 */
export const acquireWriter = (
  db: Database,
  sessionId: string,
  locks: Locks | undefined = globalThis.navigator?.locks,
): Promise<Lease | null> => take(db, sessionId, { ifAvailable: true }, locks)

/** Waits until the other tab lets go. Null when `signal` aborts first; rejects as `acquireWriter` does. */
export const waitForWriter = (
  db: Database,
  sessionId: string,
  signal: AbortSignal,
  locks: Locks | undefined = globalThis.navigator?.locks,
): Promise<Lease | null> => take(db, sessionId, { signal }, locks)

/** Becomes the writer at once, whoever is; null when another tab did the same meanwhile. Rejects as `acquireWriter` does. */
export const stealWriter = (
  db: Database,
  sessionId: string,
  locks: Locks | undefined = globalThis.navigator?.locks,
): Promise<Lease | null> => take(db, sessionId, { steal: true }, locks)
