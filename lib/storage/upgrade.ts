/** From one released schema to the next, inside the upgrade's own transaction: killed anywhere, it never was. */

import { Dexie, type Transaction } from 'dexie'
import { parseEvent } from '../core/shape'
import type { BodiesRow, FreshRow, SegmentRow, WriterRow } from './rows'
import { type Packable, packable, packFresh, packSegment } from './segments'

/** Events read and sealed at once. */
const PAGE = 1_000

type OldEvent = { sessionId: string; seq: number; event: unknown }

const soundEvent = (row: OldEvent | undefined, seq: number): Packable | null => {
  if (row?.seq !== seq) return null
  const parsed = parseEvent(row.event)
  return parsed.ok && parsed.value.seq === seq ? packable(parsed.value) : null
}

/** Version 2: single rows become segments as far as they are sound; the rest is kept as it is, to be found. */
export async function upgradeEvents(transaction: Transaction): Promise<void> {
  const [events, fresh, segments, bodies, writers, sessions] = [
    transaction.table<OldEvent, [string, number]>('events'),
    transaction.table<FreshRow>('fresh'),
    transaction.table<SegmentRow>('segments'),
    transaction.table<BodiesRow>('bodies'),
    transaction.table<WriterRow>('writers'),
    transaction.table<{ id: string; epoch?: unknown }, string>('sessions'),
  ]
  const pageOf = (id: string, from: number) =>
    events.where('[sessionId+seq]').between([id, from], [id, Dexie.maxKey]).limit(PAGE).toArray()

  /** Seals whole pages; answers how far. */
  const seal = async (id: string): Promise<number> => {
    for (let from = 0; ; from += PAGE) {
      const rows = await pageOf(id, from)
      const sound: Packable[] = []
      for (const [at, row] of rows.entries()) {
        const event = soundEvent(row, from + at)
        if (!event) break
        sound.push(event)
      }
      if (sound.length > 0) {
        const packed = packSegment(id, from, sound)
        await segments.add(packed.segment)
        await bodies.bulkAdd(packed.bodies)
      }
      if (sound.length < PAGE) return from + sound.length
    }
  }
  const keepRest = async (id: string, sealed: number) => {
    for (let from = sealed; ; ) {
      const rows = await pageOf(id, from)
      await fresh.bulkAdd(
        rows.map(({ seq, event }) => packFresh(id, seq, JSON.stringify(event ?? null))),
      )
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return
      from = last.seq + 1
    }
  }

  for (const id of await sessions.toCollection().primaryKeys()) {
    const row = await sessions.get(id)
    const { epoch, ...kept } = row as { id: string; epoch?: unknown }
    const sealed = await seal(id)
    await keepRest(id, sealed)
    await writers.add({
      sessionId: id,
      epoch: typeof epoch === 'number' ? epoch : 0,
      sealed,
      ahead: false,
    })
    await sessions.put(kept)
  }
}
