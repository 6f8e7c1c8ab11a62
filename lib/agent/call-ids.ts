/** Call ids, unique within a session though providers reuse them (P2), of characters every wire takes. */

import type { EventHead } from '../core/event'

export interface CallIds {
  /** The id under which a call is logged and sent back from now on: the provider's own unless it is taken. */
  take(id: string): string
}

export function createCallIds(heads: readonly EventHead[]): CallIds {
  let taken: Set<string> | null = null
  const next = new Map<string, number>()
  return {
    take(id) {
      // Looked up with the first call, not with every opening.
      taken ??= new Set(heads.flatMap((head) => head.calls ?? []))
      const wanted = id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 100) || 'call'
      let unique = wanted
      for (let n = next.get(wanted) ?? 2; taken.has(unique); n++) {
        unique = `${wanted}_${n}`
        next.set(wanted, n + 1)
      }
      taken.add(unique)
      return unique
    },
  }
}
