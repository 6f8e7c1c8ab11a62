/** A session of a foreign file while it is read. */

import type { EventHead, Seq, SessionEvent } from '../core/event'
import type { Part } from '../formats/foreign'
import type { Origin, ReadSession } from '../formats/report'

export type Report = ReadSession['report']

/** The reader begins anew, and goes on with the same parts: what the first session had so far is void. */
export class BeginsAnew extends Error {}

/** The stream of one session: its events, and what is known once they are all read. */
export type Stream = {
  events: AsyncGenerator<SessionEvent>
  origins: Origin[]
  report: Report | null
  /** Heads of events that were read and may not be stored yet. */
  heads: Map<Seq, EventHead>
}

/** The parts up to the session's end. Its events throw `BeginsAnew`. */
export function streamOf(parts: AsyncGenerator<Part>): Stream {
  const stream: Stream = { events: read(), origins: [], report: null, heads: new Map() }
  async function* read(): AsyncGenerator<SessionEvent> {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const part = next.value
      if (part.type === 'end') {
        stream.report = part.report
        return
      }
      if (part.type === 'again') throw new BeginsAnew()
      if (part.type !== 'events') continue
      stream.origins.push(...part.origins)
      for (const head of part.heads) stream.heads.set(head.seq, head)
      yield* part.events
    }
  }
  return stream
}
