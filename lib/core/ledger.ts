/** What rules look up about earlier events: one index over a log, or over a log and a batch not yet in it. */

import type { EventHead, Seq } from './event'
import type { Change } from './surface'

export interface Ledger {
  readonly length: number
  headAt(seq: Seq): EventHead | undefined
  /** Assistant messages and results that carry a call id, in log order. */
  occurrencesOf(callId: string): readonly EventHead[]
  /** What a replacement shadowed when it came; undefined for any other event. */
  shadowsOf(seq: Seq): readonly EventHead[] | undefined
  /** Whether a bracket of that id ever began (C2). */
  hasBracket(compactionId: string): boolean
}

export interface GrowingLedger extends Ledger {
  /** Takes the next head and what it did to the surface. */
  add(head: EventHead, change: Change | null): void
}

const NONE: readonly EventHead[] = []

/**
 * An empty ledger, or one that goes on where `base` ends and leaves `base` as it is. Every append makes one, and
 * most of what it could index never comes: each index is made when it is first needed.
 */
export function createLedger(base?: Ledger): GrowingLedger {
  const from = base?.length ?? 0
  const heads: EventHead[] = []
  let occurrences: Map<string, EventHead | EventHead[]> | null = null
  let shadows: Map<Seq, readonly EventHead[]> | null = null
  let brackets: Set<string> | null = null

  const note = (id: string, head: EventHead) => {
    occurrences ??= new Map()
    const own = occurrences.get(id)
    if (own === undefined) occurrences.set(id, head)
    else if (Array.isArray(own)) own.push(head)
    else occurrences.set(id, [own, head])
  }

  const ledger = {
    length: from,
    headAt: (seq: Seq) => (seq < from ? base?.headAt(seq) : heads[seq - from]),
    occurrencesOf(callId: string) {
      const earlier = base?.occurrencesOf(callId) ?? NONE
      const found = occurrences?.get(callId) ?? NONE
      const own = Array.isArray(found) ? found : [found as EventHead]
      if (own.length === 0) return earlier
      return earlier.length === 0 ? own : [...earlier, ...own]
    },
    shadowsOf: (seq: Seq) => shadows?.get(seq) ?? base?.shadowsOf(seq),
    hasBracket: (id: string) => brackets?.has(id) || (base?.hasBracket(id) ?? false),
    add(head: EventHead, change: Change | null) {
      heads.push(head)
      ledger.length += 1
      if (head.type === 'assistant/message' || head.type === 'tool/result') {
        if (head.calls) for (const id of head.calls) note(id, head)
      } else if (head.type === 'compact/start' && head.compactionId) {
        brackets ??= new Set()
        brackets.add(head.compactionId)
      }
      if (change?.kind !== 'replace') return
      shadows ??= new Map()
      shadows.set(head.seq, change.shadowed)
    },
  }
  return ledger
}
