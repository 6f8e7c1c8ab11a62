/** Call ids, unique within a session though providers reuse them (P2), of characters every wire takes. */

import type { EventHead } from '../core/event'

export interface CallIds {
  /** The id under which a call is logged and sent back from now on: the provider's own unless it is taken. */
  take(id: string): string
}

export function createCallIds(heads: readonly EventHead[]): CallIds {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  for (const head of heads) for (const id of head.calls ?? []) taken.add(id)
  return {
    take(id) {
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
