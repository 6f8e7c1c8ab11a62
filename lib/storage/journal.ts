/** The journal over IndexedDB (ports.ts): one transaction for each write, refused to a former writer. */

import type { EventHead, Seq } from '../core/event'
import type { Journal, QueuedMessage, StreamRow } from '../ports'
import { type Database, type Tables, within } from './db'
import { readLength, readWriter } from './events'
import { checkContiguous, type DamagedRow, formerWriter, guarded } from './failure'
import { readHeads, type TakeHeads } from './heads'
import { emptyDirectory, readEvents } from './read-events'
import { queueRow, streamRow } from './rows'
import { renewHeads, sealDue } from './seal'
import { packFresh } from './segments'
import { writeSummary } from './session-row'
import { writeAs } from './write'

/** What a tab that does not write may do; `heads(from)` reads only what came since. */
export type JournalReader = Pick<Journal, 'sessionId' | 'read' | 'stream' | 'queue'> & {
  heads(from?: Seq): Promise<EventHead[]>
  /** The same while they are read; ends before the first event that cannot be read and says which that is. */
  survey(from: Seq, take: TakeHeads): Promise<DamagedRow | null>
}

/** What a writer does for its session besides, off the path of appends. */
export type WriterJournal = Journal & {
  /** Brings the list's row up to the log; the token curve is what only the caller knows. */
  summarise(sparkline?: readonly number[]): Promise<void>
  /** Seals what is due; answers how many events it sealed. */
  seal(): Promise<number>
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
  return rows.map(({ id, content, time, sendNow, keep }) => ({
    id,
    content,
    time,
    sendNow,
    ...(keep && { keep }),
  }))
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
  const directory = emptyDirectory()
  const survey = (from: Seq, take: TakeHeads) =>
    guarded('read the session', () => readHeads(tables, sessionId, from, take))
  return {
    sessionId,
    heads: async (from = 0) => {
      const heads: EventHead[] = []
      const damage = await survey(from, (more) => {
        for (const head of more) heads.push(head)
      })
      if (damage) throw damage
      return heads
    },
    survey,
    async read(seqs) {
      if (seqs.length === 0) return []
      const work = () => readEvents(tables, sessionId, seqs, directory)
      const events = await guarded('read the session', work)
      if (events instanceof RangeError) throw events
      return events
    },
    stream: () => guarded('read the stream', () => readStream(tables, sessionId)),
    queue: () => guarded('read the queue', () => readQueue(tables, sessionId)),
  }
}

/** Runs work one after the other, whatever became of the one before. */
function createLine() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const run = last.then(work, work)
    last = run.catch(() => {})
    return run
  }
}

/** The journal of a session this tab is the writer of; `lease` comes from lock.ts. */
export function openJournal(
  db: Database,
  sessionId: string,
  lease: { readonly epoch: number },
): WriterJournal {
  const claim = { sessionId, epoch: lease.epoch }
  const tell = () => db.feed.announce({ type: 'live', sessionId })
  const inLine = createLine()
  /** Known after the first append; a failed one leaves it as it was. Only this writer makes it grow. */
  let length: Seq | null = null
  /** Looked at once by each writer, when it first seals. */
  let renewed = false
  const knownLength = async (): Promise<Seq> => {
    const tables = db.relaxed
    length ??= await tables.transaction('r', tables.writers, tables.fresh, async () =>
      readLength(tables, await readWriter(tables, sessionId)),
    )
    return length
  }

  const append: Journal['append'] = ({ events, durability, endStream, dequeue }) =>
    guarded('save the session', async () => {
      const tables = durability === 'strict' ? db.strict : db.relaxed
      const known = await knownLength()
      if (events.some((event, at) => event.seq !== known + at)) {
        // A former writer is told that first: its idea of the length is what went wrong.
        await writeAs(tables, claim, [], () => {})
        checkContiguous(events, known)
      }
      const stores = [
        ...(events.length > 0 ? (['fresh'] as const) : []),
        ...(endStream ? (['streams'] as const) : []),
        ...(dequeue === undefined ? [] : (['queue'] as const)),
      ]
      const rows = events.map((event) => packFresh(sessionId, event.seq, JSON.stringify(event)))
      await writeAs(
        tables,
        claim,
        stores,
        (store) => {
          for (const row of rows) store('fresh').add(row)
          if (endStream) store('streams').delete(sessionId)
          if (dequeue !== undefined) store('queue').delete(place(sessionId, dequeue))
        },
        events[0]?.seq,
      )
      const last = events.at(-1)
      if (last) length = last.seq + 1
    })

  return {
    ...openReader(db, sessionId),
    async append(write) {
      await inLine(() => append(write))
      const { events, endStream, dequeue } = write
      const last = events.at(-1)
      if (last) db.feed.announce({ type: 'grown', sessionId, length: last.seq + 1 })
      if (endStream || dequeue !== undefined) tell()
      if (events.some((event) => event.type === 'session/title')) {
        db.feed.announce({ type: 'list', sessionId, change: 'renamed' })
      }
    },
    async saveStream(stream) {
      const row = { sessionId, ...stream }
      await guarded('save the stream', () =>
        writeAs(db.relaxed, claim, ['streams'], (store) => store('streams').put(row)),
      )
      tell()
    },
    async saveQueued(message) {
      const tables = db.strict
      await guarded('save the queued message', () =>
        tables.transaction('rw', tables.writers, tables.queue, async () => {
          if ((await readWriter(tables, sessionId)).epoch !== claim.epoch) throw formerWriter()
          const rows = await rowsOf(tables, sessionId)
          const before = rows.find((row) => row.id === message.id)
          const order = before?.order ?? Math.max(-1, ...rows.map((row) => row.order)) + 1
          await tables.queue.put({ sessionId, ...message, order })
        }),
      )
      tell()
    },
    async removeQueued(id) {
      await guarded('remove the queued message', () =>
        writeAs(db.strict, claim, ['queue'], (store) =>
          store('queue').delete(place(sessionId, id)),
        ),
      )
      tell()
    },
    // In line with appends, so that the row they bring up to date is the newest.
    summarise: (sparkline) => inLine(() => writeSummary(db, claim, sparkline)),
    async seal() {
      if (!renewed) await renewHeads(db, claim)
      renewed = true
      return sealDue(db, claim)
    },
  }
}
