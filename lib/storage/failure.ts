/** How storage fails: what IndexedDB throws and what a write refuses, as `JournalError`. */

import type { SessionEvent } from '../core/event'
import { JournalError } from '../ports'

/** A stored row that cannot be read: which session, and which event where it is one. */
export class DamagedRow extends JournalError {
  constructor(
    readonly sessionId: string,
    readonly seq: number | null,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    const place = seq === null ? '' : `, event ${seq}`
    super('failed', `Session ${sessionId}${place} cannot be read: ${reason}`, options)
    this.name = 'DamagedRow'
  }
}

/** The error itself, then what Dexie wrapped: `inner` (an abort's reason), `failures` of a bulk, `cause`. */
function* layers(error: unknown, depth = 0): Generator<object> {
  if (typeof error !== 'object' || error === null || depth > 4) return
  yield error
  const { inner, failures, cause } = error as Record<'inner' | 'failures' | 'cause', unknown>
  yield* layers(inner, depth + 1)
  yield* layers(cause, depth + 1)
  if (Array.isArray(failures)) yield* layers(failures[0], depth + 1)
}

const CLOSED = new Set(['DatabaseClosedError', 'InvalidStateError', 'MissingAPIError'])

/** `doing` completes "Could not …" in the message. */
export function toJournalError(error: unknown, doing: string): JournalError {
  const found = [...layers(error)]
  const known = found.find((layer) => layer instanceof JournalError)
  if (known instanceof JournalError) return known
  const names = found.map((layer) => String((layer as { name?: unknown }).name))
  const reason = error instanceof Error ? error.message : String(error)
  if (names.some((name) => name === 'QuotaExceededError')) {
    const message = `Could not ${doing}: the browser's storage for this site is full.`
    return new JournalError('quota', message, { cause: error })
  }
  if (names.some((name) => CLOSED.has(name))) {
    const message = `Could not ${doing}: the database was closed.`
    return new JournalError('closed', message, { cause: error })
  }
  return new JournalError('failed', `Could not ${doing}: ${reason}`, { cause: error })
}

/** Runs storage work so that it rejects with `JournalError` only. */
export async function guarded<T>(doing: string, work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toJournalError(error, doing)
  }
}

/** R1: what every write of a writer that was followed by another gets. */
export const formerWriter = (): JournalError =>
  new JournalError('epoch', 'Another tab writes this session now.')

/** Refuses events that do not continue a log of `length`, before anything is written. */
export function checkContiguous(events: readonly SessionEvent[], length: number): void {
  events.forEach((event, index) => {
    if (event.seq === length + index) return
    const message = `The log holds ${length} events; event ${event.seq} does not continue it.`
    throw new JournalError('failed', message)
  })
}
