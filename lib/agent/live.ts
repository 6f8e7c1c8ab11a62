/** What is going on right now: never in the log, gone with the page. */

import type { CompactTrigger, RequestError, Seq } from '../core/event'
import type { Block } from '../core/message'
import type { QueuedMessage } from '../ports'
import type { Typing } from './assemble'

export type Phase =
  | 'idle'
  /** A request is out, nothing has come back. */
  | 'waiting'
  | 'streaming'
  | 'tools'
  | 'compacting'
  /** Between two attempts; see `retry`. */
  | 'retrying'
  /** Nothing runs, or a write is held: see `problem`. `retry()` goes on. */
  | 'failed'

export type Problem = {
  /**
   * A model error's code, `journal-quota`, `journal-failed`, `journal-epoch`, `journal-closed`,
   * `invalid-request` (Q4), `empty-request`, `automatic-stopped` (C11) or `internal`.
   */
  code: string
  message: string
}

export type Live = {
  phase: Phase
  turn?: number
  step?: number
  /** The reply so far; a call still being written has empty input. */
  content: Block[]
  /** The call being written: its argument text so far. */
  typing?: Typing
  /** When this phase began, Unix milliseconds. */
  since: number
  running: { callId: string; name: string }[]
  compaction?: {
    compactionId: string
    trigger: CompactTrigger
    /** The summary so far. */
    text: string
    since: number
    /** Which call of several is being written, from 1; absent where one call reads the whole span (C10). */
    part?: { phase: 'window' | 'merge'; index: number; of: number }
    /** Asked for during a turn: begins when the step has ended (C4). */
    waiting?: boolean
  }
  /** The request waits for one of the connections that may stream at once. */
  connection?: 'queued'
  /** `at`: when the next attempt begins, Unix milliseconds. `attempt`: its number, from 2. */
  retry?: { at: number; attempt: number; error: RequestError }
  problem?: Problem
  /**
   * Drafts (`compact/draft` seqs) that automatic runs left for review, because the policy asks first
   * (C16); gone when they are committed, discarded or stale.
   */
  review?: { draftSeqs: Seq[] }
  /** Lone surrogates replaced in text that came in since this session was opened here (L5). */
  repaired?: number
  /** Messages typed while busy, oldest first. */
  queued: QueuedMessage[]
  /** The queue waits for the user: the last turn was stopped or failed, or this page was just opened. */
  held: boolean
}

export interface LiveState {
  readonly current: Live
  /** A new phase sets `since`. Tells the listener once. */
  set(patch: Partial<Live>): void
}

export function createLive(now: () => number, onLive: (live: Live) => void): LiveState {
  let current: Live = {
    phase: 'idle',
    content: [],
    since: now(),
    running: [],
    queued: [],
    held: true,
  }
  return {
    get current() {
      return current
    },
    set(patch) {
      const since = patch.phase && patch.phase !== current.phase ? now() : current.since
      current = { ...current, since, ...patch }
      onLive(current)
    },
  }
}
