import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { openJournal } from './journal'
import { acquireWriter, lockProblem, stealWriter, waitForWriter } from './lock'
import { createSession } from './sessions'
import { twoTabs } from './testing/database'
import { createLocks } from './testing/locks'
import { messages, sampleHeader } from './testing/sample-events'

const ID = 'session-1'
const never = new AbortController().signal

async function openWorld() {
  const [one, two] = await twoTabs()
  await createSession(one, sampleHeader(ID))
  await createSession(one, sampleHeader('session-2'))
  return { one, two, locks: createLocks() }
}

describe('one writer (R1)', () => {
  it('[R1] grants a session to one tab, and another session to another', async () => {
    const { one, two, locks } = await openWorld()
    const lease = await acquireWriter(one, ID, locks)
    expect(lease).toMatchObject({ sessionId: ID, epoch: 1 })
    expect(await acquireWriter(two, ID, locks)).toBeNull()
    expect(await acquireWriter(two, 'session-2', locks)).not.toBeNull()
  })

  it('[R1] raises the epoch for each writer', async () => {
    const { one, two, locks } = await openWorld()
    const first = await acquireWriter(one, ID, locks)
    await first?.release()
    const second = await acquireWriter(two, ID, locks)
    expect([first?.epoch, second?.epoch]).toEqual([1, 2])
    expect((await one.relaxed.writers.get(ID))?.epoch).toBe(2)
    const late = openJournal(one, ID, first!).append({
      events: messages(1),
      durability: 'relaxed',
    })
    await expect(late).rejects.toMatchObject({ code: 'epoch' })
  })

  it('[R1] a waiting tab becomes the writer when the other lets go', async () => {
    const { one, two, locks } = await openWorld()
    const first = await acquireWriter(one, ID, locks)
    const order: string[] = []
    const waiting = waitForWriter(two, ID, never, locks).then((lease) => {
      order.push('granted')
      return lease
    })
    order.push('released')
    await first?.release()
    expect(await waiting).toMatchObject({ epoch: 2 })
    expect(order).toEqual(['released', 'granted'])
    expect(await acquireWriter(one, ID, locks)).toBeNull()
  })

  it('stops waiting when told to, and leaves the place to others', async () => {
    const { one, two, locks } = await openWorld()
    const first = await acquireWriter(one, ID, locks)
    const stop = new AbortController()
    const waiting = waitForWriter(two, ID, stop.signal, locks)
    stop.abort()
    expect(await waiting).toBeNull()
    await first?.release()
    expect(await acquireWriter(one, ID, locks)).toMatchObject({ epoch: 2 })
  })

  it('lets the lock go when the session is not there', async () => {
    const { one, locks } = await openWorld()
    await expect(acquireWriter(one, 'unknown', locks)).rejects.toMatchObject({ code: 'closed' })
    await createSession(one, sampleHeader('unknown'))
    expect(await acquireWriter(one, 'unknown', locks)).not.toBeNull()
  })

  it('[R1] tells a writer whose lock was taken away', async () => {
    const { one, locks } = await openWorld()
    const lease = await acquireWriter(one, ID, locks)
    expect(lease?.lost.aborted).toBe(false)
    const lost = new Promise((resolve) => lease?.lost.addEventListener('abort', resolve))
    await locks.request(`palimpsest:${ID}`, { steal: true }, async () => {})
    await lost
    await lease?.release()
  })

  it('[R1] taking over leaves the former writer nothing to write, and a place in the queue', async () => {
    const { one, two, locks } = await openWorld()
    const former = await acquireWriter(one, ID, locks)
    const frozen = openJournal(one, ID, former!)
    await frozen.append({ events: messages(1), durability: 'strict' })
    const lease = await stealWriter(two, ID, locks)
    expect([former?.lost.aborted, lease?.epoch]).toEqual([true, 2])
    const events = messages(1, 1)
    await expect(frozen.append({ events, durability: 'relaxed' })).rejects.toMatchObject({
      code: 'epoch',
    })
    await openJournal(two, ID, lease!).append({ events, durability: 'relaxed' })
    const waiting = waitForWriter(one, ID, never, locks)
    await lease?.release()
    expect(await waiting).toMatchObject({ epoch: 3 })
  })

  it('[R1] two tabs that send at once: one writes, whole, and the other is refused', async () => {
    const { one, two } = await openWorld()
    // No locks at all, as if both had slipped through: the epoch alone decides.
    const [a, b] = [
      openJournal(one, ID, (await acquireWriter(one, ID, createLocks()))!),
      openJournal(two, ID, (await acquireWriter(two, ID, createLocks()))!),
    ]
    const write = { events: messages(3), durability: 'relaxed' as const }
    const settled = await Promise.allSettled([a.append(write), b.append(write)])
    expect(settled).toMatchObject([
      { status: 'rejected', reason: { code: 'epoch' } },
      { status: 'fulfilled' },
    ])
    expect(await b.heads()).toHaveLength(3)
  })

  it('refuses, with the reason, where the browser has no locks', async () => {
    const { one } = await openWorld()
    expect(lockProblem(undefined)).toMatch(/https/)
    expect(lockProblem(createLocks())).toBeNull()
    await expect(acquireWriter(one, ID)).rejects.toThrow(/https/)
    await expect(waitForWriter(one, ID, never)).rejects.toThrow(/https/)
    expect((await one.relaxed.writers.get(ID))?.epoch).toBe(0)
  })
})
