/** A clock that moves only when told; each look at it takes one millisecond. */

import type { Clock } from '../../ports'

export interface FakeClock extends Clock {
  /** Moves on by `ms` and wakes every sleeper whose time has come. */
  advance(ms: number): void
  /** Milliseconds each sleeper still has to wait, shortest first. */
  sleepers(): number[]
}

export function fakeClock(start = 1_700_000_000_000): FakeClock {
  let time = start
  const sleepers = new Set<{ at: number; wake: () => void }>()
  return {
    now: () => ++time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const sleeper = { at: time + ms, wake }
        function wake(): void {
          sleepers.delete(sleeper)
          resolve()
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    advance(ms) {
      time += ms
      for (const sleeper of [...sleepers].sort((a, b) => a.at - b.at))
        if (sleeper.at <= time) sleeper.wake()
    },
    sleepers: () => [...sleepers].map(({ at }) => at - time).sort((a, b) => a - b),
  }
}
