import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { putBlob } from './blobs'
import { openDatabase } from './db'
import { openFiles, seedFiles } from './files'
import { importSession } from './import'
import { keepRaw } from './raw'
import { createSession, listSessions, trashSession } from './sessions'
import { freshName } from './testing/database'
import { png } from './testing/images'
import { messages, sampleHeader } from './testing/sample-events'
import { measureSessions, persistStorage, readUsage, totalOf } from './usage'

it('counts log, attachments, files and original of each session, the largest first', async () => {
  const db = await openDatabase(freshName())
  await createSession(db, sampleHeader('small'), messages(2))
  await importSession(db, sampleHeader('large'), messages(2_000))
  const image = png(9, 9)
  for (const id of ['small', 'large']) await putBlob(db, id, image, 'image/png')
  await seedFiles(db, 'small', [{ path: 'a.txt', body: 'four' }])
  await openFiles(db, 'small').write('a.txt', 'longer')
  const kept = await keepRaw(db, 'raw', 'a.jsonl', new Blob(['x'.repeat(9_000)]))
  await db.relaxed.rawMaps.put({ sessionId: 'large', rawId: kept.id } as never)
  await trashSession(db, 'small', 1)

  const uses = await measureSessions(db)
  expect(uses.map(({ id, trashed }) => [id, trashed])).toEqual([
    ['large', false],
    ['small', true],
  ])
  const [large, small] = uses
  const { sessions } = await listSessions(db)
  expect(large).toMatchObject({ log: sessions[0]?.size, attachments: image.length, files: 0 })
  expect(large!.original).toBeGreaterThan(0)
  expect(large!.original).toBeLessThan(9_000)
  expect(small).toMatchObject({ attachments: image.length, files: 'four'.length + 'longer'.length })
  expect(totalOf(small!)).toBe(small!.log + image.length + 10)
})

it('counts the log itself where the row of version 1 does not say', async () => {
  const db = await openDatabase(freshName())
  await importSession(db, sampleHeader('a'), messages(1_200))
  const { size, ...row } = (await listSessions(db)).sessions[0]!
  await db.relaxed.sessions.put(row)
  const [use] = await measureSessions(db)
  // Line feeds between the events of a chunk are not part of their JSON.
  expect(Math.abs(use!.log - size!)).toBeLessThanOrEqual(1_200)
})

it('a browser that does not say how much, or refuses to promise, is taken as it is', async () => {
  expect(await readUsage(undefined)).toEqual({ persisted: false })
  const refusing = {
    estimate: () => Promise.reject(new Error('no')),
    persisted: () => Promise.reject(new Error('no')),
    persist: () => Promise.reject(new Error('no')),
  }
  expect(await readUsage(refusing)).toEqual({ persisted: false })
  expect(await persistStorage(refusing)).toBe(false)
  expect(await persistStorage({ persist: async () => true })).toBe(true)
})
