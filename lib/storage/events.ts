/**
 * The events of one session in the database: the only file that reads or writes event rows. Today a row
 * is one event; heads and bodies apart, in segments, would change this file and nothing above it.
 */

import type { EventHead, Seq, SessionEvent } from '../core/event'
import { headOf } from '../core/head'
import { parseEvent } from '../core/shape'
import { type Tables, within } from './db'
import { DamagedRow } from './failure'
import type { EventRow } from './rows'

/** Rows read at once when a whole log is walked: bounds memory, costs one request each. */
const PAGE = 500

const place = (sessionId: string, seq: Seq): [string, number] => [sessionId, seq]

/** The door: a row that is not the event its key names is damage, never a crash further in. */
function parseRow(sessionId: string, seq: Seq, row: EventRow | undefined): SessionEvent {
  if (!row) throw new DamagedRow(sessionId, seq, 'it is missing from the database')
  const parsed = parseEvent(row.event)
  if (!parsed.ok) throw new DamagedRow(sessionId, seq, parsed.error.message)
  if (parsed.value.seq !== seq) {
    throw new DamagedRow(sessionId, seq, `the row holds event ${parsed.value.seq}`)
  }
  return parsed.value
}

/** Adds, never overwrites: a seq that is taken fails the transaction. Call inside one. */
export async function addEvents(
  tables: Tables,
  sessionId: string,
  events: readonly SessionEvent[],
): Promise<void> {
  await tables.events.bulkAdd(events.map((event) => ({ sessionId, seq: event.seq, event })))
}

/** Events `from` to `to` (exclusive), page by page, in order. Throws `DamagedRow` at the first bad one. */
async function* eachEvent(
  tables: Tables,
  sessionId: string,
  from: Seq,
  to: Seq,
): AsyncGenerator<SessionEvent[]> {
  for (let start = from; start < to; start += PAGE) {
    const end = Math.min(start + PAGE, to)
    const rows = await tables.events
      .where('[sessionId+seq]')
      .between(place(sessionId, start), place(sessionId, end), true, false)
      .toArray()
    const events: SessionEvent[] = []
    for (let seq = start; seq < end; seq += 1) {
      const row = rows[seq - start]
      events.push(parseRow(sessionId, seq, row?.seq === seq ? row : undefined))
    }
    yield events
  }
}

/** Heads `from` to `to` (exclusive) without keeping bodies (L8). */
export async function readHeads(
  tables: Tables,
  sessionId: string,
  from: Seq,
  to: Seq,
): Promise<EventHead[]> {
  const heads: EventHead[] = []
  for await (const page of eachEvent(tables, sessionId, from, to)) heads.push(...page.map(headOf))
  return heads
}

/** Events by seq, in the order asked for; all must be in the log. */
export async function readEvents(
  tables: Tables,
  sessionId: string,
  seqs: readonly Seq[],
): Promise<SessionEvent[]> {
  const first = seqs[0]
  const run = first !== undefined && seqs.every((seq, index) => seq === first + index)
  if (run) {
    const events: SessionEvent[] = []
    const walk = eachEvent(tables, sessionId, first, first + seqs.length)
    for await (const page of walk) events.push(...page)
    return events
  }
  const rows = await tables.events.bulkGet(seqs.map((seq) => place(sessionId, seq)))
  return seqs.map((seq, index) => parseRow(sessionId, seq, rows[index]))
}

/** Deletes all events of a session. Call inside a transaction. */
export async function deleteEvents(tables: Tables, sessionId: string): Promise<void> {
  await tables.events
    .where('[sessionId+seq]')
    .between(...within(sessionId))
    .delete()
}
