import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '../storage/db'
import { importSession } from '../storage/import'
import { openReader } from '../storage/journal'
import { createSession } from '../storage/sessions'
import { DEFAULT_SETTINGS } from '../storage/settings'
import { twoTabs } from '../storage/testing/database'
import { createLocks } from '../storage/testing/locks'
import { messages, sampleHeader } from '../storage/testing/sample-events'
import { keepChoice } from './choice'
import { headerOf } from './defaults'
import { type LiveSession, readAhead } from './live-session'

const ID = 'session-1'
let tabs: [Database, Database]
const problems: unknown[] = []
beforeEach(async () => {
  vi.stubGlobal('navigator', { locks: createLocks() })
  tabs = await twoTabs()
  await createSession(tabs[0], sampleHeader(ID))
  problems.length = 0
})
afterEach(() => vi.unstubAllGlobals())

const noModel = () => {
  throw new Error('nothing is sent here')
}

let made = 0
const ahead = (db: Database, id: string) =>
  readAhead(
    id,
    {
      db,
      clock: { now: () => 1_700_000_000_000, sleep: async () => {} },
      newId: () => `id-${made++}`,
      initialHeader: () => headerOf(DEFAULT_SETTINGS, []),
      maxSteps: () => 5,
      keepFacts: () => [],
      model: noModel,
      summariser: noModel,
      windowOf: () => undefined,
      onProblem: (error) => problems.push(error),
    },
    () => {},
  )
const opening = (db: Database, id: string): LiveSession => ahead(db, id).enter()
async function openIn(db: Database): Promise<LiveSession> {
  const live = opening(db, ID)
  await live.ready
  return live
}
const roles = (...lives: LiveSession[]) => lives.map(({ store }) => store.getState().role)
const titles = async (db: Database) => {
  const reader = openReader(db, ID)
  const seqs = (await reader.heads()).map(({ seq }) => seq)
  return (await reader.read(seqs)).flatMap((event) =>
    event.type === 'session/title' ? [event.data.title] : [],
  )
}

it('[R1] a follower that takes over writes, and the tab that wrote follows', async () => {
  const [a, b] = [await openIn(tabs[0]), await openIn(tabs[1])]
  expect(roles(a, b)).toEqual(['writer', 'follower'])
  await b.takeOver()
  await expect.poll(() => roles(a, b)).toEqual(['follower', 'writer'])
  await b.agent()?.setTitle('by b', 'human')
  expect(await titles(tabs[0])).toEqual(['by b'])
  await expect.poll(() => a.store.getState().title).toBe('by b')
  expect(problems).toEqual([])
})

it('[R1] what is read ahead takes no lock, and what was written meanwhile is read when it is entered', async () => {
  const surveys = vi.spyOn(tabs[1].relaxed.segments, 'where')
  await importSession(tabs[0], sampleHeader('large'), messages(3_000))
  const peeked = ahead(tabs[1], 'large')
  await expect.poll(() => surveys.mock.calls.length).toBeGreaterThan(0)
  const writer = opening(tabs[0], 'large')
  await writer.ready
  expect(roles(writer)).toEqual(['writer'])
  await writer.agent()?.setTitle('written meanwhile', 'human')
  await writer.close()
  const read = surveys.mock.calls.length
  const entered = peeked.enter()
  await entered.ready
  expect(roles(entered)).toEqual(['writer'])
  const { version, title } = entered.store.getState()
  expect({ version, title }).toEqual({
    version: writer.store.getState().version,
    title: 'written meanwhile',
  })
  expect(version).toBeGreaterThan(3_000)
  // Sealed heads were read once, before anybody entered.
  expect(surveys.mock.calls.length).toBe(read)
  await entered.close()
  expect(problems).toEqual([])
})

it('says what went wrong with what was read ahead to whoever enters, and to nobody else', async () => {
  await importSession(tabs[0], sampleHeader('large'), messages(3_000))
  await tabs[0].relaxed.segments.where({ sessionId: 'large' }).delete()
  await tabs[0].relaxed.bodies.where({ sessionId: 'large' }).delete()
  const damaged = ahead(tabs[1], 'large').enter()
  await damaged.ready
  expect(damaged.store.getState().status).toBe('damaged')
  const missing = ahead(tabs[1], 'nothing').enter()
  await missing.ready
  expect(missing.store.getState().status).toBe('missing')
})

it('[R1] a writer that holds the lock under an outdated epoch becomes the writer again', async () => {
  const a = await openIn(tabs[0])
  // What is left when two tabs take over at once: the lock went to one, the higher epoch to the other.
  await tabs[1].relaxed.writers.update(ID, { epoch: 9 })
  const first = a.agent()
  await expect(first?.setTitle('refused', 'human')).rejects.toMatchObject({ code: 'epoch' })
  await expect.poll(() => a.agent() !== null && a.agent() !== first).toBe(true)
  expect(roles(a)).toEqual(['writer'])
  await a.agent()?.setTitle('kept', 'human')
  expect(await titles(tabs[1])).toEqual(['kept'])
  expect((await tabs[1].relaxed.writers.get(ID))?.epoch).toBe(10)
})

it('[R1] two followers that take over at once: one of three tabs writes in the end', async () => {
  const [a, b] = [await openIn(tabs[0]), await openIn(tabs[1])]
  const c = await openIn(tabs[1])
  await Promise.all([b.takeOver(), c.takeOver()])
  const writers = () => roles(a, b, c).filter((role) => role === 'writer').length
  await expect.poll(writers).toBe(1)
  const winner = [a, b, c].find(({ store }) => store.getState().role === 'writer')
  await winner?.agent()?.setTitle('won', 'human')
  expect(await titles(tabs[0])).toEqual(['won'])
  expect(winner).not.toBe(a)
})

it('[L8] a log is first shown with the bodies of its newest page, and of no more', async () => {
  const events = messages(200)
  await importSession(tabs[0], sampleHeader('long'), events)
  const live = opening(tabs[0], 'long')
  const held = await new Promise<number[]>((done) => {
    live.store.subscribe(({ version }) => {
      if (version > 0) done(events.flatMap(({ seq }) => (live.bodies.peek(seq) ? [seq] : [])))
    })
  })
  expect(held).toEqual(events.slice(-48).map(({ seq }) => seq))
  await live.close()
})

it('a model chosen and not used yet is the model after a reload', async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  const before = await openIn(tabs[0])
  const { log, chosen } = before.store.getState()
  keepChoice(ID, log.heads, { ...chosen, provider: 'anthropic', model: 'claude-opus-5' })
  await before.close()
  const after = await openIn(tabs[1])
  expect(after.store.getState().chosen).toMatchObject({
    provider: 'anthropic',
    model: 'claude-opus-5',
  })
  // Another visit opens the log again and says nothing of models; the choice still holds.
  await after.agent()?.setTitle('renamed', 'human')
  await after.close()
  const later = await openIn(tabs[0])
  expect(later.store.getState().chosen.model).toBe('claude-opus-5')
})
