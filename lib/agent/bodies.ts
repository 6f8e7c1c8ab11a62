/** Bodies of the events a request is built from, kept while they are on the surface. */

import type { Seq, SessionEvent, SurfaceEvent } from '../core/event'
import { isSurfaceType } from '../core/event'
import type { Journal } from '../ports'

export interface Bodies {
  /** Freshly written events, already in memory. */
  keep(events: readonly SessionEvent[]): void
  read(seqs: readonly Seq[]): Promise<SessionEvent[]>
  /** As `read`, for nodes; whatever is in none of these lists any more is let go. */
  nodes(seqs: readonly Seq[]): Promise<SurfaceEvent[]>
}

/** A long session keeps little more in memory than its surface. */
export function createBodies(journal: Journal): Bodies {
  let kept = new Map<Seq, SessionEvent>()

  async function read(seqs: readonly Seq[]): Promise<SessionEvent[]> {
    const missing = seqs.filter((seq) => !kept.has(seq))
    const found = new Map(missing.length === 0 ? [] : pair(missing, await journal.read(missing)))
    return seqs.map((seq) => (kept.get(seq) ?? found.get(seq))!)
  }
  return {
    keep(events) {
      for (const event of events) if (isSurfaceType(event.type)) kept.set(event.seq, event)
    },
    read,
    async nodes(seqs) {
      const events = await read(seqs)
      const isStale = kept.size > 2 * seqs.length + 64
      if (isStale) kept = new Map()
      for (const event of events) kept.set(event.seq, event)
      return events as SurfaceEvent[]
    },
  }
}

const pair = (seqs: readonly Seq[], events: readonly SessionEvent[]) =>
  seqs.map((seq, index) => [seq, events[index]!] as const)
