/**
 * A session's row in the list. It may lag behind the log, so that an append need not rewrite it: what is
 * missing is folded when it is read, and written by its writer now and then.
 */

import type { SessionEvent } from '../core/event'
import { JournalError } from '../ports'
import type { Database, Tables } from './db'
import { readTail, readWriter } from './events'
import { DamagedRow, formerWriter, guarded } from './failure'
import { reasonOf, type SessionRow, SPARKLINE_POINTS, sessionRow } from './rows'
import { foldSummary } from './summary'
import type { Claim } from './write'

/** The row as it is stored. Rejects `closed` when the session was deleted. */
export async function readSession(tables: Tables, sessionId: string): Promise<SessionRow> {
  const row = await tables.sessions.get(sessionId)
  if (!row) throw new JournalError('closed', `Session ${sessionId} is not in this browser.`)
  const parsed = sessionRow.safeParse(row)
  if (!parsed.success) throw new DamagedRow(sessionId, null, reasonOf(parsed.error))
  return parsed.data
}

/** The row with what the log has beyond it; events that cannot be read end it there. */
export const caughtUp = async (tables: Tables, row: SessionRow): Promise<SessionRow> =>
  foldSummary(row, await readTail(tables, row.id, row.length))

const newerThan = (row: SessionRow, events: readonly SessionEvent[]) =>
  events.filter((event) => event.seq >= row.length)

/** Writes the row up to the log, as the session's writer (R1), and the token curve with it. */
export async function writeSummary(
  db: Database,
  { sessionId, epoch }: Claim,
  sparkline?: readonly number[],
): Promise<void> {
  const tables = db.relaxed
  await guarded('save the summary', async () => {
    const { length } = await readSession(tables, sessionId)
    const tail = await readTail(tables, sessionId, length)
    await tables.transaction('rw', tables.writers, tables.sessions, async () => {
      const [writer, row] = await Promise.all([
        readWriter(tables, sessionId),
        readSession(tables, sessionId),
      ])
      if (writer.epoch !== epoch) throw formerWriter()
      const curve = sparkline ? { sparkline: sparkline.slice(-SPARKLINE_POINTS) } : {}
      await Promise.all([
        tables.sessions.put({ ...foldSummary(row, newerThan(row, tail)), ...curve }),
        writer.ahead ? tables.writers.put({ ...writer, ahead: false }) : null,
      ])
    })
  })
  db.feed.announce({ type: 'list', sessionId, change: 'updated' })
}
