/** What rules look up about earlier events: one index over a log, or over a log and a batch not yet in it. */

import type { EventHead, Seq } from './event'
import type { Change, Node } from './surface'

export interface Ledger {
  readonly length: number
  headAt(seq: Seq): EventHead | undefined
  /** Assistant messages and results that carry a call id, in log order. */
  occurrencesOf(callId: string): readonly EventHead[]
  /** What a replacement shadowed when it came; undefined for any other event. */
  shadowsOf(seq: Seq): readonly Node[] | undefined
  /** Whether a bracket of that id ever began (C2). */
  hasBracket(compactionId: string): boolean
}

export interface GrowingLedger extends Ledger {
  /** Takes the next head and what it did to the surface. */
  add(head: EventHead, change: Change | null): void
}

/** An empty ledger, or one that goes on where `base` ends and leaves `base` as it is. */
export function createLedger(base?: Ledger): GrowingLedger {
  const from = base?.length ?? 0
  const heads: EventHead[] = []
  const occurrences = new Map<string, EventHead | EventHead[]>()
  const note = (id: string, head: EventHead) => {
    const own = occurrences.get(id)
    if (own === undefined) occurrences.set(id, head)
    else if (Array.isArray(own)) own.push(head)
    else occurrences.set(id, [own, head])
  }
  const shadows = new Map<Seq, readonly Node[]>()
  const brackets = new Set<string>()

  return {
    get length() {
      return from + heads.length
    },
    headAt: (seq) => (seq < from ? base?.headAt(seq) : heads[seq - from]),
    occurrencesOf(callId) {
      const earlier = base?.occurrencesOf(callId) ?? []
      const found = occurrences.get(callId) ?? []
      const own = Array.isArray(found) ? found : [found]
      return earlier.length === 0 ? own : [...earlier, ...own]
    },
    shadowsOf: (seq) => shadows.get(seq) ?? base?.shadowsOf(seq),
    hasBracket: (id) => brackets.has(id) || (base?.hasBracket(id) ?? false),
    add(head, change) {
      heads.push(head)
      if (head.type === 'assistant/message' || head.type === 'tool/result') {
        for (const id of head.calls ?? []) note(id, head)
      } else if (head.type === 'compact/start' && head.compactionId) brackets.add(head.compactionId)
      if (change?.kind === 'replace') shadows.set(head.seq, change.shadowed)
    },
  }
}
