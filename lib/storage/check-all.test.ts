import 'fake-indexeddb/auto'
import { beforeEach, expect, it } from 'vitest'
import { sampleLog } from '../formats/testing/sample-log'
import { type CheckProgress, checkAll } from './check-all'
import { type Database, openDatabase } from './db'
import { importSession } from './import'
import { createSession, trashSession } from './sessions'
import { freshName } from './testing/database'
import { messages, numbered, sampleHeader } from './testing/sample-events'

let db: Database
beforeEach(async () => {
  db = await openDatabase(freshName())
  await createSession(db, sampleHeader('sound'), sampleLog('a'.repeat(64)))
  await importSession(db, sampleHeader('large'), messages(2_500))
  await createSession(db, sampleHeader('trashed'), messages(3))
  await trashSession(db, 'trashed', 1)
})
const check = async () => {
  const told: CheckProgress[] = []
  return { told, ...(await checkAll(db, (progress) => told.push(progress))) }
}

it('[K4] sound sessions, those in the trash too, are found sound, and how far it is is told', async () => {
  const { told, sessions, events, broken } = await check()
  expect(broken).toEqual([])
  expect(sessions).toBe(3)
  expect(events).toBe(sampleLog('').length + 2_500 + 3)
  expect(told.map(({ sessions, of }) => `${sessions}/${of}`)).toContain('2/3')
  expect(told.length).toBeGreaterThan(3)
})

it('damage, a log that ends too early, a broken rule and a damaged row are told apart', async () => {
  await db.relaxed.bodies.update(['large', 1_000], { text: 'changed' })
  await db.relaxed.fresh.delete(['trashed', 2])
  const wrong = numbered([{ type: 'turn/end', data: { turn: 1, reason: 'completed' } }])
  await createSession(db, sampleHeader('wrong'), wrong)
  await db.relaxed.sessions.update('sound', { counts: 'none' } as never)
  const { broken } = await check()
  const of = (id: string) => broken.find((one) => one.id === id)
  expect(broken.map(({ id }) => id).sort()).toEqual(['large', 'sound', 'trashed', 'wrong'])
  expect(of('large')!.damaged).toBeGreaterThan(100)
  expect(of('large')!.rules).toEqual([])
  expect(of('trashed')).toMatchObject({ damaged: 1 })
  expect(of('wrong')).toMatchObject({ damaged: 0, rules: ['L9'] })
})
