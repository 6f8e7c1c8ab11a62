/** The journal over IndexedDB (ports.ts): one transaction for each write, refused to a former writer. */

import type { EventHead, Seq } from '../core/event'
import { type Journal, JournalError, type QueuedMessage, type StreamRow } from '../ports'
import { type Database, type Tables, within } from './db'
import { addEvents, readEvents, readHeads } from './events'
import { checkContiguous, DamagedRow, formerWriter, guarded } from './failure'
import { queueRow, reasonOf, type SessionRow, sessionRow, streamRow } from './rows'
import { foldSummary } from './summary'

/** What a tab that does not write may do; `heads(from)` reads only what came since. */
export type JournalReader = Pick<Journal, 'sessionId' | 'read' | 'stream' | 'queue'> & {
  heads(from?: Seq): Promise<EventHead[]>
}

/** The session's row. Rejects `closed` when it was deleted. */
export async function readSession(tables: Tables, sessionId: string): Promise<SessionRow> {
  const row = await tables.sessions.get(sessionId)
  if (!row) throw new JournalError('closed', `Session ${sessionId} is not in this browser.`)
  const parsed = sessionRow.safeParse(row)
  if (!parsed.success) throw new DamagedRow(sessionId, null, reasonOf(parsed.error))
  return parsed.data
}

/** The session's row, if `epoch` is still the writer's (R1). */
async function rowToWrite(tables: Tables, sessionId: string, epoch: number): Promise<SessionRow> {
  const row = await readSession(tables, sessionId)
  if (row.epoch !== epoch) throw formerWriter()
  return row
}

const place = (sessionId: string, id: string): [string, string] => [sessionId, id]

const rowsOf = (tables: Tables, sessionId: string) =>
  tables.queue
    .where('[sessionId+id]')
    .between(...within(sessionId))
    .toArray()

async function readQueue(tables: Tables, sessionId: string): Promise<QueuedMessage[]> {
  const rows = (await rowsOf(tables, sessionId)).flatMap((row) => {
    const parsed = queueRow.safeParse(row)
    return parsed.success ? [parsed.data] : []
  })
  rows.sort((a, b) => a.order - b.order)
  return rows.map(({ id, content, time, sendNow }) => ({ id, content, time, sendNow }))
}

async function readStream(tables: Tables, sessionId: string): Promise<StreamRow | null> {
  const parsed = streamRow.safeParse(await tables.streams.get(sessionId))
  if (!parsed.success) return null
  const { sessionId: _, ...stream } = parsed.data
  return stream
}

/** Reads a session without being its writer. */
export function openReader(db: Database, sessionId: string): JournalReader {
  const tables = db.relaxed
  return {
    sessionId,
    heads: (from = 0) =>
      guarded('read the session', async () => {
        const { length } = await readSession(tables, sessionId)
        return readHeads(tables, sessionId, from, length)
      }),
    read: async (seqs) => {
      const { length } = await guarded('read the session', () => readSession(tables, sessionId))
      const missing = seqs.find((seq) => seq < 0 || seq >= length || !Number.isInteger(seq))
      if (missing !== undefined) {
        throw new RangeError(`session ${sessionId} of ${length} events has no event ${missing}`)
      }
      return guarded('read the session', () => readEvents(tables, sessionId, seqs))
    },
    stream: () => guarded('read the stream', () => readStream(tables, sessionId)),
    queue: () => guarded('read the queue', () => readQueue(tables, sessionId)),
  }
}

/** The journal of a session this tab is the writer of; `lease` comes from lock.ts. */
export function openJournal(
  db: Database,
  sessionId: string,
  lease: { readonly epoch: number },
): Journal {
  const tell = () => db.feed.announce({ type: 'live', sessionId })

  /** One transaction that begins with the epoch check. */
  const write = (
    doing: string,
    tables: Tables,
    work: (row: SessionRow) => Promise<unknown>,
  ): Promise<void> =>
    guarded(doing, () =>
      tables.transaction(
        'rw',
        [tables.sessions, tables.events, tables.streams, tables.queue],
        async () => {
          await work(await rowToWrite(tables, sessionId, lease.epoch))
        },
      ),
    )

  return {
    ...openReader(db, sessionId),
    async append({ events, durability, endStream, dequeue }) {
      const tables = durability === 'strict' ? db.strict : db.relaxed
      await write('save the session', tables, async (row) => {
        checkContiguous(events, row.length)
        if (events.length > 0) {
          await addEvents(tables, sessionId, events)
          await tables.sessions.put(foldSummary(row, events))
        }
        if (endStream) await tables.streams.delete(sessionId)
        if (dequeue !== undefined) await tables.queue.delete(place(sessionId, dequeue))
      })
      const last = events.at(-1)
      if (last) db.feed.announce({ type: 'grown', sessionId, length: last.seq + 1 })
      if (endStream || dequeue !== undefined) tell()
      if (events.some((event) => event.type === 'session/title')) {
        db.feed.announce({ type: 'list', sessionId, change: 'renamed' })
      }
    },
    async saveStream(stream) {
      const tables = db.relaxed
      await write('save the stream', tables, () => tables.streams.put({ sessionId, ...stream }))
      tell()
    },
    async saveQueued(message) {
      const tables = db.strict
      await write('save the queued message', tables, async () => {
        const rows = await rowsOf(tables, sessionId)
        const before = rows.find((row) => row.id === message.id)
        const order = before?.order ?? Math.max(-1, ...rows.map((row) => row.order)) + 1
        await tables.queue.put({ sessionId, ...message, order })
      })
      tell()
    },
    async removeQueued(id) {
      const tables = db.strict
      await write('remove the queued message', tables, () =>
        tables.queue.delete(place(sessionId, id)),
      )
      tell()
    },
  }
}
