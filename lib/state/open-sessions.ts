/** The sessions this tab has open, and the one it reads ahead because somebody seems about to open it. */

import type { LiveSession, ReadAhead } from './live-session'

export type OpenSessions = {
  /** Opens the session in this tab, or gives the one that is open already. */
  open(id: string): LiveSession
  /** Ends it here; resolves when another tab may write it. */
  close(id: string): Promise<void>
  /** The session if it is open in this tab. */
  known(id: string): LiveSession | null
  all(): Iterable<LiveSession>
  /** Forgets a session that turned out not to be here. */
  forget(id: string): void
  /** Reads it so that opening it is quick. One at a time; what nobody opens is let go. */
  peek(id: string): void
  /** Lets go what was read ahead of a session, or of whichever one. */
  unpeek(id?: string): void
}

/** How long what was read ahead waits to be opened: it may be many megabytes. */
const PEEK_MS = 20_000

export function createOpenSessions(
  read: (id: string) => ReadAhead,
  onPhase: (live: LiveSession) => void,
): OpenSessions {
  const lives = new Map<string, LiveSession>()
  let ahead: { id: string; reading: ReadAhead; timer: ReturnType<typeof setTimeout> } | null = null

  function unpeek(id?: string): void {
    if (!ahead || (id !== undefined && ahead.id !== id)) return
    clearTimeout(ahead.timer)
    ahead = null
  }

  function open(id: string): LiveSession {
    const known = lives.get(id)
    if (known) return known
    const live = (ahead?.id === id ? ahead.reading : read(id)).enter()
    unpeek(id)
    lives.set(id, live)
    live.store.subscribe((state, before) => {
      if (state.live.phase !== before.live.phase) onPhase(live)
    })
    return live
  }

  return {
    open,
    async close(id) {
      const live = lives.get(id)
      if (!live) return
      lives.delete(id)
      await live.close()
    },
    known: (id) => lives.get(id) ?? null,
    all: () => lives.values(),
    forget: (id) => void lives.delete(id),
    peek(id) {
      if (lives.has(id) || ahead?.id === id) return
      unpeek()
      ahead = { id, reading: read(id), timer: setTimeout(() => unpeek(id), PEEK_MS) }
    },
    unpeek,
  }
}
