import { expect, it } from 'vitest'
import type { EventDraft } from '../core/event'
import { createLog } from '../core/log'
import { JournalError } from '../ports'
import { memoryDisk, memoryJournal } from '../storage/memory'
import { fakeClock } from './testing/clock'
import { createWriter } from './writer'

const title = (words: string): EventDraft => ({
  type: 'session/title',
  data: { title: words, source: 'human' },
})

function open() {
  const disk = memoryDisk()
  const log = createLog({ version: 1, id: 's', createdAt: 0 })
  const held: (string | null)[] = []
  const told: number[] = []
  const clock = fakeClock()
  const writer = createWriter({
    log,
    journal: memoryJournal('s', disk),
    clock,
    onCommit: (events) => told.push(events.length),
    onHeld: (error) => held.push(error ? error.code : null),
  })
  return { disk, log, held, told, clock, writer }
}

it('[L4] commits made at once are written one after the other, each planned on the log it meets', async () => {
  const { writer, disk, log } = open()
  await Promise.all(['a', 'b', 'c'].map((words) => writer.commit([title(words)])))
  expect(disk.events.map(({ seq }) => seq)).toEqual([0, 1, 2])
  expect(log.heads).toHaveLength(3)
})

it('[L4] a refused commit changes nothing and names the rule; the next one goes through', async () => {
  const { writer, disk, log } = open()
  const refused = await writer.commit([
    title('a'),
    { type: 'turn/end', data: { turn: 1, reason: 'completed' } },
  ])
  expect(refused).toMatchObject({ ok: false, error: { rule: 'L9' } })
  expect([disk.events, log.heads, disk.writes]).toEqual([[], [], 0])
  expect(await writer.commit([title('b')])).toMatchObject({ ok: true })
})

it('the log learns of an event only when it is durable', async () => {
  const { writer, disk, log, told } = open()
  disk.beforeWrite = () => {
    expect(log.heads).toHaveLength(0)
  }
  await writer.commit([title('a')])
  expect([log.heads.length, told]).toEqual([1, [1]])
})

it('a decision is taken when its turn comes, not when it was asked for', async () => {
  const { writer, log } = open()
  const first = writer.commit([title('a')])
  const second = writer.commit(() => (log.heads.length === 1 ? [title('b')] : []))
  await Promise.all([first, second])
  expect(log.heads).toHaveLength(2)
})

it('a full disk holds the write and all behind it until it is resumed, and nothing is lost', async () => {
  const { writer, disk, held } = open()
  let isFull = true
  disk.beforeWrite = () => {
    if (isFull) throw new JournalError('quota', 'full')
  }
  const writes = Promise.all([writer.commit([title('a')]), writer.commit([title('b')])])
  await new Promise((resolve) => setImmediate(resolve))
  expect([held, disk.events]).toEqual([['quota'], []])
  writer.resume()
  await new Promise((resolve) => setImmediate(resolve))
  expect(held).toEqual(['quota', null, 'quota'])
  isFull = false
  expect(writer.resume()).toBe(true)
  await writes
  expect(disk.events).toHaveLength(2)
  expect(writer.resume()).toBe(false)
})

it('a write that may fail gives the error back and holds nobody', async () => {
  const { writer, disk } = open()
  disk.beforeWrite = (write) => {
    if (write === 0) {
      disk.beforeWrite = undefined
      throw new JournalError('failed', 'broken')
    }
  }
  await expect(writer.commit([title('a')], { onFailure: 'fail' })).rejects.toThrow('broken')
  expect(await writer.commit([title('b')])).toMatchObject({ ok: true })
})

it('[R1] a writer that was taken over writes nothing any more', async () => {
  const { writer, disk } = open()
  memoryJournal('s', disk)
  await expect(writer.commit([title('a')])).rejects.toMatchObject({ code: 'epoch' })
  await expect(writer.commit([title('b')])).rejects.toMatchObject({ code: 'epoch' })
  expect(disk.events).toEqual([])
})

it('times never go back, whatever the clock does', async () => {
  const { writer, log, clock } = open()
  await writer.commit([title('a')])
  clock.advance(-60_000)
  await writer.commit([title('b')])
  expect(log.heads[1]!.time).toBe(log.heads[0]!.time)
})

it('hurried, a held write is tried once more and then given up', async () => {
  const { writer, disk } = open()
  disk.beforeWrite = () => {
    throw new JournalError('failed', 'broken')
  }
  const write = writer.commit([title('a')])
  await new Promise((resolve) => setImmediate(resolve))
  writer.hurry()
  await expect(write).rejects.toThrow('broken')
})

it('what is not stored is told as the events it will be: held, and asked for behind it', async () => {
  const { writer, disk, log, clock } = open()
  await writer.commit([title('a')])
  disk.beforeWrite = () => {
    throw new JournalError('quota', 'full')
  }
  const writes = [writer.commit([title('b'), title('c')]), writer.commit([title('d')])]
  await Promise.resolve()
  const titles = () =>
    writer.unsaved().map(({ seq, data }) => `${seq} ${(data as { title: string }).title}`)
  await expect.poll(titles).toEqual(['1 b', '2 c', '3 d'])
  expect(log.heads).toHaveLength(1)
  const [told] = writer.unsaved()
  clock.advance(500)
  expect(writer.unsaved()[0]).toEqual(told)
  disk.beforeWrite = undefined
  expect(writer.resume()).toBe(true)
  await Promise.all(writes)
  expect(disk.events[1]).toEqual(told)
  expect(writer.unsaved()).toEqual([])
  expect(log.heads).toHaveLength(4)
})

it('what a journal lost for good did not take is still told; what was asked for later, in vain, is not', async () => {
  const { writer, disk } = open()
  await writer.commit([title('a')])
  disk.beforeWrite = () => {
    throw new JournalError('closed', 'gone')
  }
  await expect(writer.commit([title('b')])).rejects.toMatchObject({ code: 'closed' })
  const asked = writer.commit([title('c')], { onFailure: 'fail' })
  await expect(asked).rejects.toMatchObject({ code: 'closed' })
  expect(writer.unsaved().map(({ seq }) => seq)).toEqual([1])
})
