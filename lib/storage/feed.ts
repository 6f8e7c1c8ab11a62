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
  return {
    announce(change) {
      if (!open) return
      tell(change)
      channel?.postMessage(change)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      open = false
      listeners.clear()
      channel?.close()
    },
  }
}
