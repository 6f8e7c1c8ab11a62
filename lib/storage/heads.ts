/** A session's structure: heads out of segments and fresh rows, without bodies (L8). */

import type { EventHead, Seq } from '../core/event'
import { headOf } from '../core/head'
import { type Tables, within } from './db'
import { eachFresh, eachSealed, KEY, readWriter } from './events'
import { DamagedRow } from './failure'
import type { WriterRow } from './rows'
import { openFresh, openHeads, openText, soundHeads } from './segments'

/** Segments read at once: some megabytes, most sessions in one request. */
const SEGMENT_PAGE = 64

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
  heads: EventHead[],
): Promise<void> {
  const make = (to: Seq) =>
    eachSealed(tables, sessionId, from + heads.length, to, (seq, text) =>
      heads.push(headOf(openText(sessionId, seq, text))),
    )
  let next = from === 0 ? 0 : await segmentAround(tables, sessionId, from)
  while (next < sealed) {
    const page = await tables.segments
      .where(KEY)
      .between([sessionId, next], [sessionId, sealed])
      .limit(SEGMENT_PAGE)
      .toArray()
    for (const row of page) {
      if (row.seq > next) await make(row.seq)
      const stored = openHeads(sessionId, row)
      if (stored) for (const head of stored) head.seq >= from && heads.push(head)
      else await make(row.end)
      next = row.end
    }
    if (page.length > 0) continue
    await make(sealed)
    next = sealed
  }
}

export type Survey = {
  /** In order, up to the first event that cannot be read. */
  heads: EventHead[]
  damage: DamagedRow | null
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

/** Heads from `from` on without bodies (L8), as far as they are sound; sealed ones only where `to` is given. */
export const readHeads = (
  tables: Tables,
  sessionId: string,
  from: Seq,
  to?: Seq,
): Promise<Survey> =>
  tables.transaction(
    'r',
    [tables.writers, tables.segments, tables.bodies, tables.fresh],
    async () => {
      const found = await readWriter(tables, sessionId)
      const writer = to === undefined ? found : { ...found, sealed: Math.min(found.sealed, to) }
      const heads: EventHead[] = []
      try {
        if (from < writer.sealed) await sealedHeads(tables, writer, from, heads)
        if (to !== undefined) return { heads, damage: null }
        await eachFresh(tables, sessionId, Math.max(from, writer.sealed), (seq, row) =>
          heads.push(headOf(openFresh(sessionId, seq, row))),
        )
      } catch (error) {
        if (error instanceof DamagedRow) return { heads, damage: error }
        throw error
      }
      return { heads, damage: null }
    },
  )
