/**
 * Sealing: the oldest fresh events become a segment, in one transaction that checks the writer (R1).
 * Packing happens before it and a little at a time, so that neither the window nor an append waits long.
 */

import type { EventHead, SessionEvent } from '../core/event'
import { headOf } from '../core/head'
import type { Database, Tables } from './db'
import { addSegment, deleteFresh, freshFrom, readLength, readWriter } from './events'
import { DamagedRow, formerWriter, guarded } from './failure'
import { readHeads, staleSegments } from './heads'
import type { FilterRow, FreshRow, WriterRow } from './rows'
import { createFilter } from './search-filter'
import { openFresh, type Packable, packHeads } from './segments'
import type { Claim } from './write'

/** Events of a segment made here, and characters of their JSON: what packs in some milliseconds. */
const SEGMENT_EVENTS = 256
const SEGMENT_CHARS = 1024 * 1024
/** The newest events stay fresh: they are read singly, and a short session needs no segment. */
const KEEP_FRESH = 64

/** Rows read at once: they may be large. */
const ROWS = 16

/** Turns the oldest fresh events into a segment. Call inside a transaction that checked the writer. */
async function addSealed(
  tables: Tables,
  writer: WriterRow,
  events: readonly Packable[],
  filter: FilterRow,
): Promise<void> {
  const { sessionId, sealed } = writer
  const end = sealed + events.length
  await Promise.all([
    addSegment(tables, sessionId, sealed, events),
    tables.filters.put(filter),
    deleteFresh(tables, sessionId, sealed, end),
    tables.writers.put({ ...writer, sealed: end }),
  ])
}

type Sealable = Packable & { event: SessionEvent }

/** Null for a damaged row: what is sealed has been checked. */
function packableRow(sessionId: string, row: FreshRow): Sealable | null {
  try {
    const event = openFresh(sessionId, row.seq, row)
    return { text: row.text, head: headOf(event), event }
  } catch (error) {
    if (error instanceof DamagedRow) return null
    throw error
  }
}

/**
 * The oldest fresh events as they would be sealed: `count` of them, or as many as have `chars` characters
 * of JSON; none while there are fewer. `more`: events that come after. A damaged one is never sealed.
 */
const readSealable = (
  tables: Tables,
  writer: WriterRow,
  count: number,
  chars: number,
): Promise<{ events: Sealable[]; more: number }> =>
  tables.transaction('r', tables.fresh, async () => {
    const { sessionId, sealed } = writer
    const length = await readLength(tables, writer)
    const none = { events: [], more: 0 }
    const events: Sealable[] = []
    for (let size = 0; events.length < count && size < chars; ) {
      const limit = Math.min(ROWS, count - events.length)
      const next = sealed + events.length
      const rows = await freshFrom(tables, sessionId, next).limit(limit).toArray()
      if (rows.length < limit) return none
      for (const [at, row] of rows.entries()) {
        if (row.seq !== next + at || size >= chars) break
        const event = packableRow(sessionId, row)
        if (!event) return none
        events.push(event)
        size += row.text.length
      }
      if (rows[0]?.seq !== next) return none
    }
    return { events, more: length - sealed - events.length }
  })

/** A turn of the event loop: sealing is never worth a late frame. */
const breathe = () => new Promise<void>((resolve) => setTimeout(resolve))

/** Characters of JSON a filter takes at once: some milliseconds. */
const FILTER_CHARS = 32 * 1024

async function makeFilter(
  { sessionId, sealed }: WriterRow,
  events: readonly Sealable[],
): Promise<FilterRow> {
  const filter = createFilter()
  let chars = 0
  for (const { event, text } of events) {
    filter.add(event)
    chars += text.length
    if (chars < FILTER_CHARS) continue
    chars = 0
    await breathe()
  }
  return filter.row(sessionId, sealed, sealed + events.length)
}

/** Seals one segment if enough is fresh; answers how many events it took, 0 when nothing is due. */
export async function sealOnce(db: Database, { sessionId, epoch }: Claim): Promise<number> {
  const tables = db.relaxed
  return guarded('seal the session', async () => {
    const before = await readWriter(tables, sessionId)
    const { events, more } = await readSealable(tables, before, SEGMENT_EVENTS, SEGMENT_CHARS)
    if (events.length === 0 || more < KEEP_FRESH) return 0
    const filter = await makeFilter(before, events)
    await tables.transaction(
      'rw',
      [tables.writers, tables.fresh, tables.segments, tables.bodies, tables.filters],
      async () => {
        const writer = await readWriter(tables, sessionId)
        if (writer.epoch !== epoch) throw formerWriter()
        if (writer.sealed === before.sealed) await addSealed(tables, writer, events, filter)
      },
    )
    return events.length
  })
}

/**
 * Rows of heads of an older form, or damaged, are made from bodies at every opening; this writes them
 * anew. Answers how many. One at a time: it is never worth a late frame.
 */
export async function renewHeads(db: Database, { sessionId, epoch }: Claim): Promise<number> {
  const tables = db.relaxed
  return guarded('renew the structure', async () => {
    const stale = await staleSegments(tables, sessionId)
    for (const { seq, end } of stale) {
      const heads: EventHead[] = []
      const take = (more: readonly EventHead[]) => heads.push(...more)
      if (await readHeads(tables, sessionId, seq, take, end)) return 0
      await tables.transaction('rw', tables.writers, tables.segments, async () => {
        if ((await readWriter(tables, sessionId)).epoch !== epoch) throw formerWriter()
        await tables.segments.put(packHeads(sessionId, seq, heads))
      })
      await breathe()
    }
    return stale.length
  })
}

/** Seals until nothing is due; answers how many events that were. */
export async function sealDue(db: Database, claim: Claim): Promise<number> {
  for (let total = 0; ; ) {
    const sealed = await sealOnce(db, claim)
    total += sealed
    if (sealed === 0) return total
    await breathe()
  }
}
