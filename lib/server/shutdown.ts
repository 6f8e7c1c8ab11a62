/**
 * SIGTERM and SIGINT: running replies end with an error the page can go on from, and only then does the
 * server close. Next stops listening and waits for what is open; it would wait for a long reply for ever.
 * On `globalThis`, because routes and actions are bundled with module instances of their own.
 */

import 'server-only'
import { writeLog } from './log'

type State = { isClosing: boolean; running: Set<() => void> }

const KEY = Symbol.for('palimpsest.shutdown')
/** A reader who takes nothing cannot hold up the end for longer than this, in ms. */
const PATIENCE_MS = 5_000

function state(): State {
  const home = globalThis as { [KEY]?: State }
  if (home[KEY]) return home[KEY]
  const made: State = { isClosing: false, running: new Set() }
  home[KEY] = made
  const close = () => {
    if (made.isClosing) return
    beginShutdown()
    setTimeout(() => process.exit(0), PATIENCE_MS).unref()
  }
  process.once('SIGTERM', close)
  process.once('SIGINT', close)
  return made
}

/** Ends every running call; exported for tests. */
export function beginShutdown(): void {
  const { running } = state()
  state().isClosing = true
  writeLog({ route: 'server', outcome: 'closing', events: running.size })
  for (const end of [...running]) end()
}

/** For tests: the server lives on. */
export function forgetShutdown(): void {
  state().isClosing = false
}

export const isClosing = (): boolean => state().isClosing

/** `end` is called when the server closes; the returned function says that there is nothing left to end. */
export function onShutdown(end: () => void): () => void {
  const { running } = state()
  running.add(end)
  return () => void running.delete(end)
}
