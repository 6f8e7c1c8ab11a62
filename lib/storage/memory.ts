/** The journal in memory: the same contract, for tests and for scripts without IndexedDB. */

import type { SessionEvent } from '../core/event'
import { headOf } from '../core/head'
import type { Journal, QueuedMessage, StreamRow } from '../ports'
import { checkContiguous, formerWriter } from './failure'

/** What outlives a writer: give it to the next `memoryJournal` to reopen the session. */
export type MemoryDisk = {
  epoch: number
  events: SessionEvent[]
  stream: StreamRow | null
  queue: QueuedMessage[]
  /** Writes so far. */
  writes: number
  /** Called before a write with its number, from 0. What it throws refuses that write, whole. */
  beforeWrite?: (write: number) => void
}

export const memoryDisk = (events: readonly SessionEvent[] = []): MemoryDisk => ({
  epoch: 0,
  events: structuredClone([...events]),
  stream: null,
  queue: [],
  writes: 0,
})

/** Opens a session for writing; a journal opened earlier over the same disk is a former writer (R1). */
export function memoryJournal(sessionId: string, disk: MemoryDisk = memoryDisk()): Journal {
  disk.epoch += 1
  const { epoch } = disk

  const write = async (work: () => void): Promise<void> => {
    if (disk.epoch !== epoch) throw formerWriter()
    disk.beforeWrite?.(disk.writes)
    work()
    disk.writes += 1
  }

  return {
    sessionId,
    heads: async () => disk.events.map(headOf),
    read: async (seqs) =>
      seqs.map((seq) => {
        const event = disk.events[seq]
        if (event) return structuredClone(event)
        const { length } = disk.events
        throw new RangeError(`session ${sessionId} of ${length} events has no event ${seq}`)
      }),
    append: ({ events, endStream, dequeue }) =>
      write(() => {
        checkContiguous(events, disk.events.length)
        disk.events.push(...structuredClone([...events]))
        if (endStream) disk.stream = null
        if (dequeue !== undefined) disk.queue = disk.queue.filter(({ id }) => id !== dequeue)
      }),
    saveStream: (row) =>
      write(() => {
        disk.stream = structuredClone(row)
      }),
    stream: async () => structuredClone(disk.stream),
    queue: async () => structuredClone(disk.queue),
    saveQueued: (message) =>
      write(() => {
        const at = disk.queue.findIndex(({ id }) => id === message.id)
        if (at === -1) disk.queue.push(structuredClone(message))
        else disk.queue[at] = structuredClone(message)
      }),
    removeQueued: (id) =>
      write(() => {
        disk.queue = disk.queue.filter((message) => message.id !== id)
      }),
  }
}
