/** Bodies on demand (L8): events read from the journal when something shows them, kept while they fit. */

import type { Seq, SessionEvent } from '../core/event'

/** UTF-16 units of JSON kept, roughly; the oldest read go first. */
const BUDGET = 24_000_000

export type BodyCache = {
  peek(seq: Seq): SessionEvent | undefined
  /** Reads what is missing, one batch at a time; subscribers are told once per batch. */
  load(seqs: readonly Seq[]): void
  /** All of `seqs`, read now if they are not held. */
  read(seqs: readonly Seq[]): Promise<SessionEvent[]>
  /** Takes events that just went into the log: the screen shows them next. */
  put(events: readonly SessionEvent[]): void
}

export function createBodyCache(
  journalRead: (seqs: readonly Seq[]) => Promise<SessionEvent[]>,
  notify: () => void,
  onFailure: (error: unknown) => void,
): BodyCache {
  const held = new Map<Seq, { event: SessionEvent; size: number }>()
  let total = 0
  let wanted = new Set<Seq>()
  let reading = false

  const keep = (event: SessionEvent) => {
    if (held.has(event.seq)) return
    const size = JSON.stringify(event.data).length
    held.set(event.seq, { event, size })
    total += size
    for (const [seq, entry] of held) {
      if (total <= BUDGET || seq === event.seq) break
      held.delete(seq)
      total -= entry.size
    }
  }

  /** One that cannot be read takes none of the others with it; it is told once. */
  const readSound = async (batch: readonly Seq[]): Promise<SessionEvent[]> => {
    try {
      return await journalRead(batch)
    } catch (error) {
      onFailure(error)
      const single = await Promise.allSettled(batch.map((seq) => journalRead([seq])))
      return single.flatMap((read) => (read.status === 'fulfilled' ? read.value : []))
    }
  }

  const pump = async () => {
    if (reading) return
    reading = true
    try {
      while (wanted.size > 0) {
        const batch = [...wanted].sort((a, b) => a - b)
        wanted = new Set()
        for (const event of await readSound(batch)) keep(event)
        notify()
      }
    } catch (error) {
      wanted = new Set()
      onFailure(error)
    } finally {
      reading = false
    }
  }

  return {
    peek: (seq) => held.get(seq)?.event,
    load(seqs) {
      for (const seq of seqs) if (!held.has(seq)) wanted.add(seq)
      // A tick later, so that all rows mounted in one render are read in one batch.
      if (wanted.size > 0) queueMicrotask(() => void pump())
    },
    async read(seqs) {
      const missing = seqs.filter((seq) => !held.has(seq))
      const fresh = new Map<Seq, SessionEvent>()
      if (missing.length > 0)
        for (const event of await journalRead(missing)) fresh.set(event.seq, event)
      const events = seqs.map(
        (seq) => fresh.get(seq) ?? (held.get(seq) as { event: SessionEvent }).event,
      )
      for (const event of fresh.values()) keep(event)
      return events
    },
    put(events) {
      for (const event of events) keep(event)
      notify()
    },
  }
}
