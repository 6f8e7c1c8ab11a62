/** Surface work asked for from outside a turn: it waits for the end of a step, and can be withdrawn. */

import type { CompactTrigger } from '../core/event'

type Wish<T> = {
  /** What kind of compaction it is; null for other work. */
  trigger: CompactTrigger | null
  signal: AbortSignal
  run(turn: number | null, signal: AbortSignal): Promise<T>
  /** What an abort before it began rejects with. */
  withdrawn(): Error
}

export interface Jobs {
  /** Adds work; settles as `run` does, or at once when it is withdrawn. */
  add<T>(wish: Wish<T>): Promise<T>
  /** The trigger of the oldest compaction that waits. */
  waitingFor(): CompactTrigger | undefined
  /** How many wait. */
  readonly size: number
  /** Runs what waits, oldest first; never rejects. `turn`: the turn between whose steps this happens. */
  run(turn: number | null): Promise<void>
  /** Aborts what runs and withdraws what waits. */
  stop(): void
}

type Job = {
  trigger: CompactTrigger | null
  start(turn: number | null): Promise<void>
  controller: AbortController
}

export function createJobs(onChange: () => void): Jobs {
  let waiting: Job[] = []
  let running: Job | null = null

  function drop(job: Job): void {
    waiting = waiting.filter((other) => other !== job)
    onChange()
  }
  return {
    add({ trigger, signal, run, withdrawn }) {
      const controller = new AbortController()
      const combined = AbortSignal.any([signal, controller.signal])
      return new Promise((resolve, reject) => {
        const job: Job = {
          trigger,
          controller,
          start: (turn) => run(turn, combined).then(resolve, reject),
        }
        const withdraw = () => {
          if (!waiting.includes(job)) return
          drop(job)
          reject(withdrawn())
        }
        if (combined.aborted) return reject(withdrawn())
        combined.addEventListener('abort', withdraw, { once: true })
        waiting = [...waiting, job]
        onChange()
      })
    },
    waitingFor: () => waiting.find((job) => job.trigger !== null)?.trigger ?? undefined,
    get size() {
      return waiting.length
    },
    async run(turn) {
      for (let job = waiting[0]; job; job = waiting[0]) {
        running = job
        drop(job)
        await job.start(turn)
        running = null
      }
    },
    stop() {
      for (const job of [...waiting]) job.controller.abort()
      running?.controller.abort()
    },
  }
}
