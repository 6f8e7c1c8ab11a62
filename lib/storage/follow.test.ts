import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../core/event'
import { followList, followSession, type ListChange } from './follow'
import { openJournal, openReader } from './journal'
import { acquireWriter } from './lock'
import { clearAll, createSession, purgeSession, trashSession, untrashSession } from './sessions'
import { twoTabs } from './testing/database'
import { createLocks } from './testing/locks'
import { messages, numbered, sampleHeader, titled } from './testing/sample-events'

const ID = 'session-1'

async function openWorld() {
  const [writer, follower] = await twoTabs()
  await createSession(writer, sampleHeader(ID))
  const lease = await acquireWriter(writer, ID, createLocks())
  return { writer, follower, journal: openJournal(writer, ID, lease!) }
}

/** Collects until `count` have come. */
function collect<T>(count: number) {
  const seen: T[] = []
  let done = () => {}
  const all = new Promise<T[]>((resolve) => {
    done = () => resolve(seen)
  })
  const take = (value: T) => {
    seen.push(value)
    if (seen.length === count) done()
  }
  return { take, all }
}

describe('following other tabs', () => {
  it('[R1] another tab hears of each commit and can read it at once', async () => {
    const { follower, journal } = await openWorld()
    const { take, all } = collect<number>(2)
    followSession(follower, ID, take)
    await journal.append({ events: messages(2), durability: 'strict' })
    await journal.append({ events: messages(1, 2), durability: 'relaxed' })
    expect(await all).toEqual([2, 3])
    expect(await openReader(follower, ID).heads(2)).toHaveLength(1)
  })

  it('does not tell of other sessions, of refused appends, or after it ended', async () => {
    const { writer, follower, journal } = await openWorld()
    const seen: number[] = []
    const end = followSession(follower, ID, (length) => seen.push(length))
    const append = (events: SessionEvent[]) => journal.append({ events, durability: 'relaxed' })
    const first = collect<ListChange>(2)
    followList(follower, first.take)
    await expect(append(messages(1, 7))).rejects.toThrow()
    await createSession(writer, sampleHeader('session-2'), messages(1))
    await append([])
    await append(messages(1))
    await first.all
    expect(seen).toEqual([1])
    end()
    const second = collect<ListChange>(1)
    followList(follower, second.take)
    await append(messages(1, 1))
    await second.all
    expect(seen).toEqual([1])
  })

  it('tells of the stream row and the queue', async () => {
    const { follower, journal } = await openWorld()
    const { take, all } = collect<string>(3)
    followSession(
      follower,
      ID,
      () => take('grown'),
      () => take('live'),
    )
    await journal.saveQueued({ id: 'a', content: [], time: 0, sendNow: false })
    await journal.append({ events: messages(1), durability: 'relaxed', dequeue: 'a' })
    expect(await all).toEqual(['live', 'grown', 'live'])
  })

  it('tells of sessions that came, went and were renamed', async () => {
    const { writer, follower, journal } = await openWorld()
    const { take, all } = collect<ListChange>(7)
    followList(follower, take)
    await createSession(writer, sampleHeader('session-2'))
    await journal.append({ events: numbered([titled('New')]), durability: 'relaxed' })
    await trashSession(writer, 'session-2', 5)
    await untrashSession(writer, 'session-2')
    await purgeSession(writer, 'session-2')
    await clearAll(writer)
    const told = (await all).map((change) => (change.type === 'list' ? change.change : change.type))
    expect(told).toEqual([
      'created',
      'grown',
      'renamed',
      'trashed',
      'restored',
      'deleted',
      'cleared',
    ])
  })

  it('passes over messages of another version of the program', async () => {
    const { follower, journal } = await openWorld()
    const { take, all } = collect<number>(1)
    followSession(follower, ID, take)
    const stranger = new BroadcastChannel(follower.name)
    stranger.postMessage({ type: 'grown', sessionId: ID, length: 'many' })
    stranger.postMessage('hello')
    stranger.close()
    await journal.append({ events: messages(1), durability: 'relaxed' })
    expect(await all).toEqual([1])
  })
})
