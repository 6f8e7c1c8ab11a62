/** What changed in the database, told to every tab: the wire under follow.ts. */

import { z } from 'zod'

const change = z.discriminatedUnion('type', [
  /** Events were appended; `length` is how many the log holds now. */
  z.object({ type: z.literal('grown'), sessionId: z.string(), length: z.int().nonnegative() }),
  /** The stream row was written, or a queued message came or went. */
  z.object({ type: z.literal('live'), sessionId: z.string() }),
  /** The list of sessions changed. */
  z.object({
    type: z.literal('list'),
    sessionId: z.string(),
    change: z.enum(['created', 'renamed', 'updated', 'trashed', 'restored', 'deleted']),
  }),
  /** Everything was deleted. */
  z.object({ type: z.literal('cleared') }),
])

export type Change = z.infer<typeof change>

/** `announce` reaches every subscriber of every tab with the same database open, this tab's own included. */
export type Feed = {
  announce(change: Change): void
  subscribe(listener: (change: Change) => void): () => void
  close(): void
}

/** Other tabs hear of growth at most once in this many ms: a message costs about half an append. */
const FRAME = 16

type Grown = Extract<Change, { type: 'grown' }>

/** Sends the newest length of each session, at once after a pause and else once a frame. */
function createGrowth(post: (change: Change) => void) {
  const waiting = new Map<string, Grown>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (const change of waiting.values()) post(change)
    waiting.clear()
  }
  /** A hidden tab's timers run late, and no frame of its own waits. */
  const isHidden = () => typeof document !== 'undefined' && document.hidden
  return {
    flush,
    announce(change: Grown) {
      waiting.set(change.sessionId, change)
      if (timer !== undefined && !isHidden()) return
      flush()
      timer = setTimeout(flush, FRAME)
    },
  }
}

/** Without BroadcastChannel (very old browsers) only this tab hears. */
export function createFeed(name: string): Feed {
  const listeners = new Set<(change: Change) => void>()
  const tell = (change: Change) => {
    for (const listener of [...listeners]) listener(change)
  }
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  if (channel) {
    channel.onmessage = (message) => {
      const parsed = change.safeParse(message.data)
      if (parsed.success) tell(parsed.data)
    }
    // Node keeps a process alive for an open channel; browsers have no such method.
    if ('unref' in channel && typeof channel.unref === 'function') channel.unref()
  }
  let open = true
  const growth = createGrowth((change) => channel?.postMessage(change))
  return {
    announce(change) {
      if (!open) return
      tell(change)
      if (change.type === 'grown') return growth.announce(change)
      growth.flush()
      channel?.postMessage(change)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      growth.flush()
      open = false
      listeners.clear()
      channel?.close()
    },
  }
}
