/** Messages typed while the agent is busy: stored first, shown at once, taken in the order typed. */

import type { Journal, QueuedMessage } from '../ports'

/** What is done with one message is done one after the other, so that it is sent once whatever comes together. */
export interface Queue {
  /** Reads what an earlier page left. */
  load(): Promise<void>
  /** Durable when it resolves. */
  add(message: QueuedMessage): Promise<void>
  /** Marks it to be slipped in before the next step. Nothing happens for an id that is not there any more. */
  hasten(id: string): Promise<void>
  /** Nothing happens for an id that is not there any more. */
  remove(id: string): Promise<void>
  /**
   * Hands a message to `append`, which puts it in the log and deletes its row in one transaction; false when
   * it is not there any more. What `append` rejects with leaves it queued.
   */
  take(id: string, append: (message: QueuedMessage) => Promise<unknown>): Promise<boolean>
  /** Oldest of those to be slipped in before the next step. */
  urgent(): QueuedMessage | undefined
  oldest(): QueuedMessage | undefined
}

export function createQueue(
  journal: Journal,
  onChange: (messages: QueuedMessage[]) => void,
): Queue {
  let messages: QueuedMessage[] = []
  /** The end of what is being done with each message. */
  const lines = new Map<string, Promise<unknown>>()
  const set = (next: QueuedMessage[]) => {
    messages = next
    onChange(messages)
  }
  const find = (id: string) => messages.find((message) => message.id === id)
  const drop = (id: string) => set(messages.filter((message) => message.id !== id))

  /** Begins at once where nothing is being done with the message; gives null where it is not there by then. */
  function inLine<T>(id: string, work: (message: QueuedMessage) => Promise<T>): Promise<T | null> {
    const begin = async () => {
      const message = find(id)
      return message ? work(message) : null
    }
    const before = lines.get(id)
    const done = before ? before.then(begin, begin) : begin()
    lines.set(id, done)
    const leave = () => void (lines.get(id) === done && lines.delete(id))
    done.then(leave, leave)
    return done
  }

  return {
    async load() {
      const stored = await journal.queue()
      if (stored.length > 0) set(stored.toSorted((a, b) => a.time - b.time))
    },
    async add(message) {
      await journal.saveQueued(message)
      set([...messages, message])
    },
    async hasten(id) {
      await inLine(id, async (message) => {
        if (message.sendNow) return
        const urgent = { ...message, sendNow: true }
        await journal.saveQueued(urgent)
        set(messages.map((other) => (other.id === id ? urgent : other)))
      })
    },
    async remove(id) {
      await inLine(id, async () => {
        drop(id)
        await journal.removeQueued(id)
      })
    },
    async take(id, append) {
      const taken = await inLine(id, async (message) => {
        await append(message)
        drop(id)
        return true
      })
      return taken === true
    },
    urgent: () => messages.find((message) => message.sendNow),
    oldest: () => messages[0],
  }
}
