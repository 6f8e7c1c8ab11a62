/** A session's structure: heads out of segments and fresh rows, without bodies (L8). */

import type { EventHead, Seq } from '../core/event'
import { headOf } from '../core/head'
import { type Tables, within } from './db'
import { eachFresh, eachSealed, KEY, readWriter } from './events'
import { DamagedRow } from './failure'
import type { WriterRow } from './rows'
import { openFresh, openHeads, openText, soundHeads } from './segments'

/** Segments read at once: few enough that what is read can be taken while the next are on their way. */
const SEGMENT_PAGE = 16

/** Takes heads as they are read, in order. */
export type TakeHeads = (heads: readonly EventHead[]) => void

/** Where the segment that holds an event begins. */
async function segmentAround(tables: Tables, sessionId: string, seq: Seq): Promise<Seq> {
  const keys = await tables.segments
    .where(KEY)
    .between([sessionId, 0], [sessionId, seq], true, true)
    .reverse()
    .limit(1)
    .primaryKeys()
  return keys[0]?.[1] ?? seq
}

/** Sealed heads from `from` on. A row of heads that is damaged or of another form is made from bodies. */
async function sealedHeads(
  tables: Tables,
  { sessionId, sealed }: WriterRow,
  from: Seq,
  take: TakeHeads,
): Promise<void> {
  const make = (start: Seq, end: Seq) =>
    eachSealed(tables, sessionId, Math.max(from, start), end, (seq, text) =>
      take([headOf(openText(sessionId, seq, text))]),
    )
  const pageAt = (seq: Seq) =>
    tables.segments
      .where(KEY)
      .between([sessionId, seq], [sessionId, sealed])
      .limit(SEGMENT_PAGE)
      .toArray()
  let next = from === 0 ? 0 : await segmentAround(tables, sessionId, from)
  let coming = pageAt(next)
  while (next < sealed) {
    const page = await coming
    const end = page.at(-1)?.end ?? sealed
    if (end < sealed) coming = pageAt(end)
    for (const row of page) {
      if (row.seq > next) await make(next, row.seq)
      const stored = openHeads(sessionId, row)
      if (stored) take(row.seq < from ? stored.slice(from - row.seq) : stored)
      else await make(row.seq, row.end)
      next = row.end
    }
    if (page.length > 0) continue
    await make(next, sealed)
    next = sealed
  }
}

/** Segments whose heads `sealedHeads` has to make from bodies, one row of heads after the other. */
export async function staleSegments(
  tables: Tables,
  sessionId: string,
): Promise<{ seq: Seq; end: Seq }[]> {
  const stale: { seq: Seq; end: Seq }[] = []
  await tables.segments
    .where(KEY)
    .between(...within(sessionId))
    .each((row) => {
      if (soundHeads(sessionId, row) === null) stale.push({ seq: row.seq, end: row.end })
    })
  return stale
}

/**
 * Heads from `from` on without bodies (L8), up to the first event that cannot be read, which is answered;
 * sealed ones only where `to` is given.
 */
export const readHeads = (
  tables: Tables,
  sessionId: string,
  from: Seq,
  take: TakeHeads,
  to?: Seq,
): Promise<DamagedRow | null> =>
  tables.transaction(
    'r',
    [tables.writers, tables.segments, tables.bodies, tables.fresh],
    async () => {
      const found = await readWriter(tables, sessionId)
      const writer = to === undefined ? found : { ...found, sealed: Math.min(found.sealed, to) }
      try {
        if (from < writer.sealed) await sealedHeads(tables, writer, from, take)
        if (to !== undefined) return null
        await eachFresh(tables, sessionId, Math.max(from, writer.sealed), (seq, row) =>
          take([headOf(openFresh(sessionId, seq, row))]),
        )
        return null
      } catch (error) {
        if (error instanceof DamagedRow) return error
        throw error
      }
    },
  )
