/** What of a session can still be read: every row looked at once, damage found and located. */

import type { Seq, SessionEvent } from '../core/event'
import type { Database, Tables } from './db'
import { KEY, readLength, readWriter } from './events'
import { DamagedRow, guarded } from './failure'
import type { WriterRow } from './rows'
import { openBodies, openFresh, openText } from './segments'

/** Events `from` to `to` (exclusive) that cannot be read, and why. */
export type Damage = { from: Seq; to: Seq; reason: string }

export type Inspection = {
  /** Events the log held, as far as its rows tell. */
  length: Seq
  readable: number
  damage: Damage[]
}

/** Fresh events, or chunks of sealed ones, read in one transaction. */
const PAGE = 500
const CHUNKS = 16

/** One page of the log as found: an event, or a stretch without one. */
type Found = { event: SessionEvent } | Damage

/** What an event's text is, or why it cannot be read: damage as a value. */
function found(seq: Seq, to: Seq, read: () => Found[]): Found[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DamagedRow || error instanceof SyntaxError)) throw error
    const reason = error instanceof DamagedRow ? error.reason : 'it is no JSON'
    return [{ from: seq, to, reason }]
  }
}

const MISSING = 'it is missing from the database'

/** Fresh events `from` to `to` (exclusive) as found. Call inside a transaction. */
async function scanFresh(
  tables: Tables,
  { sessionId }: WriterRow,
  from: Seq,
  to: Seq,
): Promise<Found[]> {
  const rows = await tables.fresh.where(KEY).between([sessionId, from], [sessionId, to]).toArray()
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  return Array.from({ length: to - from }, (_, at) => from + at).flatMap((seq) =>
    found(seq, seq + 1, () => [{ event: openFresh(sessionId, seq, bySeq.get(seq)) }]),
  )
}

/** Some chunks of sealed events from `from` on as found. Call inside a transaction. */
async function scanSealed(
  tables: Tables,
  { sessionId, sealed }: WriterRow,
  from: Seq,
): Promise<Found[]> {
  const rows = await tables.bodies
    .where(KEY)
    .between([sessionId, from], [sessionId, sealed])
    .limit(CHUNKS)
    .toArray()
  const all: Found[] = []
  let seq = from
  for (const row of rows) {
    if (row.seq > seq) all.push({ from: seq, to: row.seq, reason: MISSING })
    seq = row.end
    all.push(
      ...found(row.seq, row.end, () =>
        openBodies(sessionId, row.seq, row).flatMap((line, at) =>
          found(row.seq + at, row.seq + at + 1, () => [
            { event: openText(sessionId, row.seq + at, line) },
          ]),
        ),
      ),
    )
  }
  if (rows.length < CHUNKS && seq < sealed) {
    all.push({ from: seq, to: sealed, reason: MISSING })
  }
  return all
}

/** What follows from `from` on, whole chunks at a time; nothing at the end. */
const scanPage = (tables: Tables, sessionId: string, from: Seq): Promise<Found[]> =>
  tables.transaction('r', [tables.writers, tables.bodies, tables.fresh], async () => {
    const writer = await readWriter(tables, sessionId)
    const length = await readLength(tables, writer)
    if (from >= length) return []
    return from < writer.sealed
      ? scanSealed(tables, writer, from)
      : scanFresh(tables, writer, from, Math.min(from + PAGE, length))
  })

const endOf = (found: Found): Seq => ('event' in found ? found.event.seq + 1 : found.to)

/** The log from end to end as found, in order; damage that adjoins comes in pieces. */
export async function* scanSession(db: Database, sessionId: string): AsyncGenerator<Found> {
  for (let from = 0; ; ) {
    const page = await guarded('check the session', () => scanPage(db.relaxed, sessionId, from))
    const last = page.at(-1)
    if (!last) return
    yield* page
    from = endOf(last)
  }
}

/** All events that can be read, in order, past what cannot. */
export async function* readableEvents(
  db: Database,
  sessionId: string,
): AsyncGenerator<SessionEvent> {
  for await (const found of scanSession(db, sessionId)) if ('event' in found) yield found.event
}

/**
 * Reads every event of a session. Missing, changed and swapped rows are in `damage`, neighbours of one
 * reason together. Rejects with `JournalError` when the session is gone or storage fails as a whole.
 */
export async function inspectSession(
  db: Database,
  sessionId: string,
  signal?: AbortSignal,
): Promise<Inspection> {
  const inspection: Inspection = { length: 0, readable: 0, damage: [] }
  for await (const found of scanSession(db, sessionId)) {
    signal?.throwIfAborted()
    inspection.length = endOf(found)
    if ('event' in found) {
      inspection.readable += 1
      continue
    }
    const before = inspection.damage.at(-1)
    if (before?.to === found.from && before.reason === found.reason) before.to = found.to
    else inspection.damage.push({ ...found })
  }
  // Rows missing at the very end leave no gap; the list's row remembers more.
  const counted = (await db.relaxed.sessions.get(sessionId))?.length ?? 0
  if (counted > inspection.length) {
    inspection.damage.push({ from: inspection.length, to: counted, reason: MISSING })
    inspection.length = counted
  }
  return inspection
}

const eventsOf = ({ from, to }: Damage): string =>
  to - from === 1 ? `event ${from}` : `events ${from} to ${to - 1}`

/** What is damaged and what is left, in words for people; looks at the whole session. */
export async function damageWords(db: Database, found: DamagedRow): Promise<string> {
  if (found.seq === null) return found.message
  const { damage, readable, length } = await inspectSession(db, found.sessionId)
  const [first, ...others] = damage
  if (!first) return `Event ${found.seq} could not be read: ${found.reason}.`
  const more = others.length > 0 ? ` So are ${others.map(eventsOf).join(', ')}.` : ''
  const which = `Damaged: ${eventsOf(first)} (${first.reason}).${more}`
  return `${which} ${readable} of ${length} events can be read, and an export takes all of them.`
}
