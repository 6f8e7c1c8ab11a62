/**
 * Sealing: the oldest fresh events become a segment, in one transaction that checks the writer (R1).
 * Packing happens before it and a little at a time, so that neither the window nor an append waits long.
 */

import type { Database } from './db'
import { addSealed, readSealable, readWriter } from './events'
import { formerWriter, guarded } from './failure'
import type { Claim } from './write'

/** Events of a segment made here, and characters of their JSON: what packs in some milliseconds. */
const SEGMENT_EVENTS = 256
const SEGMENT_CHARS = 1024 * 1024
/** The newest events stay fresh: they are read singly, and a short session needs no segment. */
const KEEP_FRESH = 64

/** A turn of the event loop: sealing is never worth a late frame. */
const breathe = () => new Promise<void>((resolve) => setTimeout(resolve))

/** Seals one segment if enough is fresh; answers how many events it took, 0 when nothing is due. */
export async function sealOnce(db: Database, { sessionId, epoch }: Claim): Promise<number> {
  const tables = db.relaxed
  return guarded('seal the session', async () => {
    const before = await readWriter(tables, sessionId)
    const { events, more } = await readSealable(tables, before, SEGMENT_EVENTS, SEGMENT_CHARS)
    if (events.length === 0 || more < KEEP_FRESH) return 0
    await tables.transaction(
      'rw',
      [tables.writers, tables.fresh, tables.segments, tables.bodies],
      async () => {
        const writer = await readWriter(tables, sessionId)
        if (writer.epoch !== epoch) throw formerWriter()
        if (writer.sealed === before.sealed) await addSealed(tables, writer, events)
      },
    )
    return events.length
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
