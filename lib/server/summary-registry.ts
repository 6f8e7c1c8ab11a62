/**
 * Running summaries by id, so that a route can end what a server action started. On `globalThis`, because
 * routes and actions are bundled with module instances of their own. Good for one process.
 */

import 'server-only'

type Registry = {
  running: Map<string, AbortController>
  /** Ids cancelled before their summary began: the cancel may overtake a large upload. */
  early: Set<string>
}

const KEY = Symbol.for('palimpsest.summaries')
const MAX_EARLY = 500

function registry(): Registry {
  const home = globalThis as { [KEY]?: Registry }
  home[KEY] ??= { running: new Map(), early: new Set() }
  return home[KEY]
}

/** Null when the id is in use already; aborted from the start when it was cancelled early. */
export function beginSummary(id: string): AbortController | null {
  const { running, early } = registry()
  if (running.has(id)) return null
  const abort = new AbortController()
  if (early.delete(id)) abort.abort()
  running.set(id, abort)
  return abort
}

export function endSummary(id: string): void {
  registry().running.delete(id)
}

/** True when a running summary was ended; otherwise the id is remembered for one that begins later. */
export function cancelSummary(id: string): boolean {
  const { running, early } = registry()
  const abort = running.get(id)
  if (abort) {
    abort.abort()
    return true
  }
  early.add(id)
  for (const oldest of early) {
    if (early.size <= MAX_EARLY) break
    early.delete(oldest)
  }
  return false
}
