/** What every journal must do (ports.ts): one suite, run on each implementation. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SessionEvent } from '../../core/event'
import { headOf } from '../../core/head'
import { plainHead } from '../../core/packed-head'
import type { Journal, QueuedMessage, StreamRow } from '../../ports'
import { messages } from './sample-events'

/** One stored, empty session. */
export type JournalWorld = {
  /** Opens it for writing: a new writer, the one before is a former one. */
  open(): Promise<Journal>
  close?(): void
}

const stream: StreamRow = {
  turn: 1,
  step: 2,
  model: 'reader',
  provider: 'offline',
  content: [{ type: 'text', text: 'so far' }],
  time: 5,
}
const queued = (id: string, text = id): QueuedMessage => ({
  id,
  content: [{ type: 'text', text }],
  time: 7,
  sendNow: false,
})
const relaxed = (events: readonly SessionEvent[]) => ({ events, durability: 'relaxed' as const })
const seqsOf = async (journal: Journal) => (await journal.heads()).map((head) => head.seq)

export function journalContract(name: string, createWorld: () => Promise<JournalWorld>): void {
  describe(`journal: ${name}`, () => {
    let world: JournalWorld
    let journal: Journal
    beforeEach(async () => {
      world = await createWorld()
      journal = await world.open()
    })
    afterEach(() => world.close?.())

    it('[L1] begins empty', async () => {
      expect(await journal.heads()).toEqual([])
      expect(await journal.stream()).toBeNull()
      expect(await journal.queue()).toEqual([])
    })

    it('[L1] gives back what was appended, to this writer and to the next', async () => {
      const events = messages(5)
      await journal.append({ events: events.slice(0, 2), durability: 'strict' })
      await journal.append(relaxed(events.slice(2)))
      const next = await world.open()
      for (const reader of [journal, next]) {
        expect(await reader.read([0, 1, 2, 3, 4])).toEqual(events)
        expect((await reader.heads()).map(plainHead)).toEqual(events.map(headOf))
      }
    })

    it('reads seqs in the order asked for, twice where asked twice', async () => {
      const events = messages(4)
      await journal.append(relaxed(events))
      expect(await journal.read([3, 0, 3])).toEqual([events[3], events[0], events[3]])
      expect(await journal.read([])).toEqual([])
    })

    it('throws for a seq the log does not hold', async () => {
      await journal.append(relaxed(messages(2)))
      await expect(journal.read([1, 2])).rejects.toThrow(RangeError)
      await expect(journal.read([-1])).rejects.toThrow(RangeError)
    })

    it('[L1] refuses events that do not continue the log, and keeps nothing of them', async () => {
      await journal.append(relaxed(messages(2)))
      for (const events of [messages(1, 3), messages(1, 1), [...messages(1, 2), ...messages(1, 4)]])
        await expect(journal.append(relaxed(events))).rejects.toMatchObject({ code: 'failed' })
      expect(await seqsOf(journal)).toEqual([0, 1])
    })

    it('[L1] is not changed by changing what was appended or read', async () => {
      const [event] = messages(1)
      await journal.append(relaxed([event!]))
      const before = structuredClone(event)
      event!.time = 0
      const [read] = await journal.read([0])
      read!.time = 1
      expect(await journal.read([0])).toEqual([before])
    })

    it('keeps a body of a megabyte and every kind of character', async () => {
      const text = `${'x'.repeat(1 << 20)}\u0000\u2028\ud83d\ude00é`
      const events = messages(1)
      const [first] = events
      if (first?.type === 'user/message') first.data.content = [{ type: 'text', text }]
      await journal.append(relaxed(events))
      expect(await journal.read([0])).toEqual(events)
    })

    it('[R3] keeps the newest stream row until the append that ends it', async () => {
      await journal.saveStream(stream)
      const newer = { ...stream, content: [{ type: 'text', text: 'more' }], time: 6 }
      await journal.saveStream(newer)
      expect(await journal.stream()).toEqual(newer)
      await journal.append(relaxed(messages(1)))
      expect(await journal.stream()).toEqual(newer)
      await journal.append({ ...relaxed(messages(1, 1)), endStream: true })
      expect(await journal.stream()).toBeNull()
    })

    it('keeps queued messages in the order they came and in place when changed', async () => {
      for (const id of ['c', 'a', 'b']) await journal.saveQueued(queued(id))
      await journal.saveQueued({ ...queued('c', 'again'), sendNow: true })
      const expected = [{ ...queued('c', 'again'), sendNow: true }, queued('a'), queued('b')]
      expect(await journal.queue()).toEqual(expected)
      expect(await (await world.open()).queue()).toEqual(expected)
    })

    it('removes a queued message by itself and with an append', async () => {
      for (const id of ['a', 'b', 'c']) await journal.saveQueued(queued(id))
      await journal.removeQueued('b')
      await journal.append({ ...relaxed(messages(1)), dequeue: 'a' })
      expect(await journal.queue()).toEqual([queued('c')])
      await journal.removeQueued('unknown')
      expect(await journal.queue()).toEqual([queued('c')])
    })

    it('ends the stream and dequeues without an event too', async () => {
      await journal.saveStream(stream)
      await journal.saveQueued(queued('a'))
      await journal.append({ ...relaxed([]), endStream: true, dequeue: 'a' })
      expect([await journal.stream(), await journal.queue(), await seqsOf(journal)]).toEqual([
        null,
        [],
        [],
      ])
    })

    it('[R4] a refused append leaves stream and queue as they were', async () => {
      await journal.saveStream(stream)
      await journal.saveQueued(queued('a'))
      const write = { ...relaxed(messages(1, 9)), endStream: true as const, dequeue: 'a' }
      await expect(journal.append(write)).rejects.toMatchObject({ code: 'failed' })
      expect(await journal.stream()).toEqual(stream)
      expect(await journal.queue()).toEqual([queued('a')])
    })

    it('[R1] a former writer can write nothing and still read', async () => {
      await journal.append(relaxed(messages(1)))
      const next = await world.open()
      await next.append(relaxed(messages(1, 1)))
      const refused = { code: 'epoch' }
      await expect(journal.append(relaxed(messages(1, 2)))).rejects.toMatchObject(refused)
      await expect(journal.append(relaxed([]))).rejects.toMatchObject(refused)
      await expect(journal.saveStream(stream)).rejects.toMatchObject(refused)
      await expect(journal.saveQueued(queued('a'))).rejects.toMatchObject(refused)
      await expect(journal.removeQueued('a')).rejects.toMatchObject(refused)
      expect(await seqsOf(journal)).toEqual([0, 1])
      expect([await next.stream(), await next.queue()]).toEqual([null, []])
    })

    it('[L4] two appends at once of the same place: one wins, whole', async () => {
      const writes = [messages(3), messages(2)].map((events) => journal.append(relaxed(events)))
      const settled = await Promise.allSettled(writes)
      expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const length = settled[0]?.status === 'fulfilled' ? 3 : 2
      expect(await seqsOf(journal)).toEqual([0, 1, 2].slice(0, length))
    })
  })
}
