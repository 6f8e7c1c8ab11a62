/** What a writer does besides writing, when nothing waits for it. */

import type { StoreApi } from 'zustand/vanilla'
import type { WriterJournal } from '../storage/journal'
import { sparklineOf } from '../storage/summary'
import type { SessionState } from './model'

/** How long after a commit the list's row is brought up to the log and what is due is sealed, in ms. */
const UPKEEP_DELAY = 1000
/** How long sealing waits for the window to be idle, in ms; it then does a few milliseconds at a time. */
const IDLE_TIMEOUT = 5000

const whenIdle = (work: () => void): void => {
  if (typeof requestIdleCallback === 'undefined') setTimeout(work)
  else requestIdleCallback(work, { timeout: IDLE_TIMEOUT })
}

/** What appends leave for later: the list's row, the sparkline in it, and sealing. */
export function createUpkeep(
  store: StoreApi<SessionState>,
  journal: WriterJournal,
  onProblem: (error: unknown) => void,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const problem = (error: unknown) => {
    if (!stopped) onProblem(error)
  }
  const save = async () => {
    clearTimeout(timer)
    timer = undefined
    const { log } = store.getState()
    await journal.summarise(sparklineOf(log.history, log.heads.length))
  }
  const seal = () => {
    if (!stopped) void journal.seal().catch(problem)
  }
  return {
    later() {
      if (stopped) return
      timer ??= setTimeout(() => save().then(() => whenIdle(seal), problem), UPKEEP_DELAY)
    },
    now: async () => {
      if (timer && !stopped) await save()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
