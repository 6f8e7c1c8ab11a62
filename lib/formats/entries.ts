/** A session as entries for people: all of it in log order, or the surface as it stood at one moment. */

import type { EventHead, RequestHeader, Seq, SessionEvent, SurfaceEvent } from '../core/event'
import { headOf } from '../core/head'
import { foldSurface } from '../core/surface'
import type { Many } from './native'
import { type Entry, entryOf, type Triggers } from './write-entry'

/** What everybody saw, in log order. */
export async function* conversationEntries(events: Many<SessionEvent>): AsyncGenerator<Entry> {
  const triggers: Triggers = new Map()
  for await (const event of events) {
    const entry = entryOf(event, triggers)
    if (entry) yield entry
  }
}

/** The surface and the request header at a moment. */
export type Moment = {
  /** The last event that counted; -1 of none. */
  at: Seq
  header: RequestHeader | null
  nodes: SurfaceEvent[]
  /** Why the log does not fold up to there, if so; `nodes` are then those of what does. */
  problem: string | null
}

/**
 * What the model saw after event `at`. Asks `read` twice; of the bodies only those of the nodes are held,
 * which is what fits a window.
 */
export async function momentAt(read: () => Many<SessionEvent>, at: Seq): Promise<Moment> {
  const heads: EventHead[] = []
  let header: RequestHeader | null = null
  let problem: string | null = null
  for await (const event of read()) {
    if (event.seq > at) break
    if (event.seq !== heads.length) {
      problem = `The log does not fold: event ${heads.length} is missing (L1)`
      break
    }
    heads.push(headOf(event))
    if (event.type === 'request/header') header = event.data
  }
  const last = heads.length - 1
  const folded = foldSurface(heads)
  if (!folded.ok) {
    const { message, rule } = folded.error
    return {
      at: last,
      header,
      nodes: [],
      problem: `The log does not fold: ${message} (${rule})`,
    }
  }
  const seqs = folded.value.nodes
  const wanted = new Set(seqs)
  const bodies = new Map<Seq, SurfaceEvent>()
  for await (const event of read()) {
    if (event.seq > last) break
    if (wanted.has(event.seq)) bodies.set(event.seq, event as SurfaceEvent)
  }
  return { at: last, header, nodes: seqs.flatMap((seq) => bodies.get(seq) ?? []), problem }
}

/** The entries of a moment's nodes, in surface order. */
export const entriesOf = ({ nodes }: Moment): Entry[] =>
  nodes.flatMap((event) => entryOf(event, new Map()) ?? [])
