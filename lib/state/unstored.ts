/** A session whose store is full or gone: what this page holds of it and no database does. */

import type { Seq, SessionEvent } from '../core/event'
import { JournalError } from '../ports'
import type { LiveSession } from './live-session'

const isGone = (error: unknown): boolean => error instanceof JournalError && error.code === 'closed'

/** Events out of the journal; of a store that is gone, those this page still holds. */
export const readHeld = (live: LiveSession, seqs: readonly Seq[]): Promise<SessionEvent[]> =>
  live.journal.read(seqs).catch((error: unknown) => {
    if (!isGone(error)) throw error
    return seqs.flatMap((seq) => live.bodies.peek(seq) ?? [])
  })

/** What a full disk refused, or a store that is gone: in the session, and stored nowhere. */
export const unsavedOf = (live: LiveSession): readonly SessionEvent[] =>
  live.agent()?.unsaved() ?? []

/** `null`, as for what is not here, where the store is gone. */
export const unlessGone = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: unknown) => {
    if (!isGone(error)) throw error
    return null
  })
