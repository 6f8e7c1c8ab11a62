import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { openDatabase } from '../storage/db'
import {
  clearAll,
  createSession,
  purgeSession,
  trashSession,
  untrashSession,
} from '../storage/sessions'
import { freshName } from '../storage/testing/database'
import { sampleHeader } from '../storage/testing/sample-events'
import type { AppContext } from './app-context'
import type { LiveSession } from './live-session'
import type { SessionState } from './model'
import { createOpenSessions } from './open-sessions'
import { watchList } from './session-actions'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Reads that are counted, and sessions that are nothing but an id. */
function world() {
  const reads: string[] = []
  const store = createStore(() => ({ live: { phase: 'idle' } }) as SessionState)
  const sessions = createOpenSessions(
    (id) => {
      reads.push(id)
      return { enter: () => ({ id, store, close: async () => {} }) as unknown as LiveSession }
    },
    () => {},
  )
  return { reads, sessions }
}

it('reads a session that is peeked at once, and opens what was read', () => {
  const { reads, sessions } = world()
  sessions.peek('a')
  sessions.peek('a')
  expect(sessions.known('a')).toBeNull()
  expect(sessions.open('a').id).toBe('a')
  sessions.peek('a')
  expect(reads).toEqual(['a'])
})

it('holds one session ahead, and lets it go for another, with time, and when told', () => {
  const { reads, sessions } = world()
  sessions.peek('a')
  sessions.peek('b')
  sessions.open('a')
  sessions.open('b')
  expect(reads).toEqual(['a', 'b', 'a'])
  sessions.peek('c')
  vi.advanceTimersByTime(60_000)
  sessions.open('c')
  sessions.peek('d')
  sessions.unpeek('d')
  sessions.open('d')
  expect(reads.slice(3)).toEqual(['c', 'c', 'd', 'd'])
})

it('reads anew a session that went or came back after it was read ahead', async () => {
  vi.useRealTimers()
  const { reads, sessions } = world()
  const db = await openDatabase(freshName())
  watchList({ ...sessions, db } as AppContext)
  const changes: (() => Promise<unknown>)[] = [
    () => createSession(db, sampleHeader('a')),
    () => trashSession(db, 'a', 1),
    () => untrashSession(db, 'a'),
    () => purgeSession(db, 'a'),
    () => clearAll(db),
  ]
  for (const change of changes) {
    sessions.unpeek()
    reads.length = 0
    sessions.peek('a')
    await change()
    sessions.peek('a')
    expect(reads, String(change)).toEqual(['a', 'a'])
  }
  reads.length = 0
  await createSession(db, sampleHeader('b'))
  sessions.peek('a')
  expect(reads).toEqual([])
})
