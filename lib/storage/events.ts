/**
 * The events of one session in the database: fresh rows at the end, segments before them (segments.ts).
 * Each read is one transaction, so that sealing meanwhile moves nothing from under it.
 */

import type { Seq, SessionEvent } from '../core/event'
import { JournalError } from '../ports'
import { type Tables, within } from './db'
import { DamagedRow } from './failure'
import { type FreshRow, reasonOf, type WriterRow, writerRow } from './rows'
import { openBodies, openFresh, openText, type Packable, packFresh, packSegment } from './segments'

/** Rows read at once when a whole log is walked: bounds memory, costs one request each. */
const FRESH_PAGE = 500
const CHUNK_PAGE = 16

export const KEY = '[sessionId+seq]'

/** What a session's writes check. Rejects `closed` when the session was deleted. */
export async function readWriter(tables: Tables, sessionId: string): Promise<WriterRow> {
  const row = await tables.writers.get(sessionId)
  if (!row) throw new JournalError('closed', `Session ${sessionId} is not in this browser.`)
  const parsed = writerRow.safeParse(row)
  if (!parsed.success) throw new DamagedRow(sessionId, null, reasonOf(parsed.error))
  return parsed.data
}

/** Adds, never overwrites: a seq that is taken fails the transaction. Call inside one. */
export async function addFresh(
  tables: Tables,
  sessionId: string,
  events: readonly SessionEvent[],
): Promise<void> {
  await tables.fresh.bulkAdd(
    events.map((event) => packFresh(sessionId, event.seq, JSON.stringify(event))),
  )
}

/** Adds a run of events from `seq` on as a segment. Call inside a transaction. */
export async function addSegment(
  tables: Tables,
  sessionId: string,
  seq: Seq,
  events: readonly Packable[],
): Promise<void> {
  const { segment, bodies } = packSegment(sessionId, seq, events)
  await Promise.all([tables.segments.add(segment), tables.bodies.bulkAdd(bodies)])
}

export const freshFrom = (tables: Tables, sessionId: string, seq: Seq) =>
  tables.fresh.where(KEY).between([sessionId, seq], within(sessionId)[1])

/** How many events the log holds. Call inside a transaction. */
export async function readLength(tables: Tables, { sessionId, sealed }: WriterRow): Promise<Seq> {
  const keys = freshFrom(tables, sessionId, sealed).reverse().limit(1)
  const [last] = await keys.primaryKeys()
  return last ? last[1] + 1 : sealed
}

/** Fresh rows from `from` on, page by page, each with the seq that stands in its place. */
export async function eachFresh(
  tables: Tables,
  sessionId: string,
  from: Seq,
  take: (seq: Seq, row: FreshRow | undefined) => void,
): Promise<void> {
  let seq = from
  for (;;) {
    const rows = await freshFrom(tables, sessionId, seq).limit(FRESH_PAGE).toArray()
    for (const row of rows) {
      take(seq, row.seq === seq ? row : undefined)
      seq += 1
    }
    if (rows.length < FRESH_PAGE) return
  }
}

/** The texts of sealed events `from` to `to` (exclusive), chunk by chunk. Throws `DamagedRow`. */
export async function eachSealed(
  tables: Tables,
  sessionId: string,
  from: Seq,
  to: Seq,
  take: (seq: Seq, text: string) => void,
): Promise<void> {
  const chunks = tables.bodies.where(KEY)
  const first = await chunks
    .between([sessionId, 0], [sessionId, from], true, true)
    .reverse()
    .limit(1)
    .primaryKeys()
  let seq = first[0]?.[1] ?? from
  while (seq < to) {
    const rows = await tables.bodies
      .where(KEY)
      .between([sessionId, seq], [sessionId, to])
      .limit(CHUNK_PAGE)
      .toArray()
    if (rows.length === 0) openBodies(sessionId, seq, undefined)
    for (const row of rows) {
      const lines = openBodies(sessionId, Math.max(seq, from), row.seq === seq ? row : undefined)
      for (const [at, line] of lines.entries()) {
        if (seq + at >= from && seq + at < to) take(seq + at, line)
      }
      seq = row.end
    }
  }
}

/** Events from `from` on, as far as they are sound: what a row that lags behind the log has yet to fold. */
export const readTail = (tables: Tables, sessionId: string, from: Seq): Promise<SessionEvent[]> =>
  tables.transaction('r', [tables.writers, tables.bodies, tables.fresh], async () => {
    const { sealed } = await readWriter(tables, sessionId)
    const events: SessionEvent[] = []
    try {
      if (from < sealed) {
        await eachSealed(tables, sessionId, from, sealed, (seq, text) =>
          events.push(openText(sessionId, seq, text)),
        )
      }
      await eachFresh(tables, sessionId, Math.max(from, sealed), (seq, row) =>
        events.push(openFresh(sessionId, seq, row)),
      )
    } catch (error) {
      if (!(error instanceof DamagedRow)) throw error
    }
    return events
  })

/** Deletes fresh events `from` to `to` (exclusive). Call inside a transaction. */
export const deleteFresh = (
  tables: Tables,
  sessionId: string,
  from: Seq,
  to: Seq,
): Promise<number> => tables.fresh.where(KEY).between([sessionId, from], [sessionId, to]).delete()

/** Deletes all events of a session. Call inside a transaction. */
export async function deleteEvents(tables: Tables, sessionId: string): Promise<void> {
  for (const table of [tables.fresh, tables.segments, tables.bodies, tables.filters]) {
    await table
      .where(KEY)
      .between(...within(sessionId))
      .delete()
  }
}
