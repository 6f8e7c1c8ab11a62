/** Reading along with what other tabs write (R1: one writes, all follow). */

import type { Database } from './db'
import type { Change } from './feed'

export type ListChange = Exclude<Change, { type: 'live' }>

/**
 * Calls `onGrow` with the new length after each commit to this session, in any tab. Subscribe first and
 * read the log second: what is committed in between is then announced, not missed. `onLive` is called
 * when the stream row or the queue changed. Returns what ends it.
 */
export const followSession = (
  db: Database,
  sessionId: string,
  onGrow: (length: number) => void,
  onLive?: () => void,
): (() => void) =>
  db.feed.subscribe((change) => {
    if (change.type === 'grown' && change.sessionId === sessionId) onGrow(change.length)
    else if (change.type === 'live' && change.sessionId === sessionId) onLive?.()
  })

/** Calls `onChange` when a session came, went, grew or got another name, in any tab. */
export const followList = (db: Database, onChange: (change: ListChange) => void): (() => void) =>
  db.feed.subscribe((change) => {
    if (change.type !== 'live') onChange(change)
  })
