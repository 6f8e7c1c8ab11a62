/**
 * How many replies may stream at once. Over HTTP/1.1 a browser opens six connections to a server, for all
 * its tabs together; if replies took all six, a cancel would have to wait for one of them. So they may
 * take five, counted by Web Locks, which know the other tabs and let go when one dies.
 */

import type { Model } from '../ports'
import { CANCELLED } from './wire'

export const MAX_STREAMS = 5

type Locks = Pick<LockManager, 'request'>
type Release = () => void

export type Slots = {
  /** A place, or null when all are taken. */
  tryTake(): Promise<Release | null>
  /** Waits its turn; null when `signal` aborts first. */
  wait(signal: AbortSignal): Promise<Release | null>
}

/** Holds a lock until the release; null where it was not granted. */
const hold = (locks: Locks, name: string, options: LockOptions): Promise<Release | null> =>
  new Promise((resolve, reject) => {
    const held = (lock: Lock | null) =>
      lock ? new Promise<void>((release) => resolve(release)) : resolve(null)
    locks.request(name, options, held).catch((error: unknown) => {
      if (options.signal?.aborted) resolve(null)
      else reject(error)
    })
  })

export function createSlots(locks: Locks, count = MAX_STREAMS): Slots {
  const names = Array.from({ length: count }, (_, n) => `palimpsest:stream:${n}`)
  return {
    async tryTake() {
      for (const name of names) {
        const release = await hold(locks, name, { ifAvailable: true })
        if (release) return release
      }
      return null
    },
    // In line for every place at once: the first to come free is taken, the others are given up.
    async wait(signal) {
      const enough = new AbortController()
      const either = AbortSignal.any([signal, enough.signal])
      let taken: Release | null = null
      const inLine = names.map(async (name) => {
        const release = await hold(locks, name, { signal: either })
        if (release && taken) release()
        else if (release) {
          taken = release
          enough.abort()
        }
      })
      await Promise.all(inLine)
      return taken
    },
  }
}

/** The model with a place for each of its replies; one that has to wait says `queued` first. */
export const withSlots = (model: Model, slots: Slots): Model => ({
  provider: model.provider,
  async *stream(body, signal) {
    let release = signal.aborted ? null : await slots.tryTake()
    if (!release && !signal.aborted) {
      yield { type: 'queued' }
      release = await slots.wait(signal)
    }
    if (!release || signal.aborted) {
      release?.()
      yield CANCELLED
      return
    }
    try {
      yield* model.stream(body, signal)
    } finally {
      release()
    }
  },
})
