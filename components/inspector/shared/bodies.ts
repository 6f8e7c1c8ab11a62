'use client'

import type { Seq, SessionEvent } from '@/lib/core/event'
import type { Bodies } from '@/lib/state/hooks'

/** All of `seqs` as soon as they are here; for actions, where a hook cannot be. */
export function readBodies(
  bodies: Bodies,
  session: string,
  seqs: readonly Seq[],
): Promise<SessionEvent[]> {
  return new Promise((resolve) => {
    const found = new Map<Seq, SessionEvent>()
    let stop = () => {}
    const look = () => {
      for (const seq of seqs) {
        const event = found.get(seq) ?? bodies.peek(session, seq)
        if (event) found.set(seq, event)
      }
      if (found.size < new Set(seqs).size) return false
      stop()
      resolve(seqs.map((seq) => found.get(seq)!))
      return true
    }
    if (look()) return
    stop = bodies.subscribe(look)
    bodies.load(session, seqs)
  })
}
