/** Messages typed while the agent is busy: stored first, shown at once, taken in the order typed. */

import type { Journal, QueuedMessage } from '../ports'

export interface Queue {
  /** Reads what an earlier page left. */
  load(): Promise<void>
  /** Durable when it resolves. */
  save(message: QueuedMessage): Promise<void>
  /** Nothing happens for an id that is not there. */
  remove(id: string): Promise<void>
  /** It is in the log now; the append that put it there also deleted its row. */
  forget(id: string): void
  get(id: string): QueuedMessage | undefined
  /** Oldest of those to be slipped in before the next step. */
  urgent(): QueuedMessage | undefined
  oldest(): QueuedMessage | undefined
}

export function createQueue(
  journal: Journal,
  onChange: (messages: QueuedMessage[]) => void,
): Queue {
  let messages: QueuedMessage[] = []
  const set = (next: QueuedMessage[]) => {
    messages = next
    onChange(messages)
  }
  const without = (id: string) => messages.filter((message) => message.id !== id)
  return {
    async load() {
      const stored = await journal.queue()
      if (stored.length > 0) set(stored.toSorted((a, b) => a.time - b.time))
    },
    async save(message) {
      await journal.saveQueued(message)
      const known = messages.some(({ id }) => id === message.id)
      set(
        known
          ? messages.map((other) => (other.id === message.id ? message : other))
          : [...messages, message],
      )
    },
    async remove(id) {
      if (!messages.some((message) => message.id === id)) return
      set(without(id))
      await journal.removeQueued(id)
    },
    forget(id) {
      if (messages.some((message) => message.id === id)) set(without(id))
    },
    get: (id) => messages.find((message) => message.id === id),
    urgent: () => messages.find((message) => message.sendNow),
    oldest: () => messages[0],
  }
}
