import { expect, it } from 'vitest'
import { JournalError } from '../ports'
import { memoryDisk, memoryJournal } from './memory'
import { journalContract } from './testing/journal-contract'
import { messages } from './testing/sample-events'

journalContract('memory', async () => {
  const disk = memoryDisk()
  return { open: async () => memoryJournal('session-1', disk) }
})

it('[R4] a write refused by the disk keeps nothing', async () => {
  const disk = memoryDisk(messages(1))
  disk.beforeWrite = (write) => {
    if (write === 1) throw new JournalError('quota', 'full')
  }
  const journal = memoryJournal('session-1', disk)
  await journal.append({ events: messages(1, 1), durability: 'strict' })
  const second = journal.append({ events: messages(2, 2), durability: 'strict' })
  await expect(second).rejects.toMatchObject({ code: 'quota' })
  expect(disk.events).toEqual(messages(2))
})
