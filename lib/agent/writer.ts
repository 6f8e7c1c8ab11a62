/**
 * The one way into the log: validate, make durable, apply, tell. Commits run one after another; what
 * arrives meanwhile waits and is validated against the log it will really meet (L4, R1).
 */

import type { EventDraft, SessionEvent } from '../core/event'
import type { Log } from '../core/log'
import { applyAppend, planAppend } from '../core/log'
import type { Refusal, Result } from '../core/result'
import { ok } from '../core/result'
import type { Clock, Journal } from '../ports'
import { JournalError } from '../ports'

/** Drafts, or a decision taken only when the commit's turn has come. No drafts: nothing is written. */
export type Drafts = readonly EventDraft[] | (() => readonly EventDraft[])

export type CommitOptions = {
  /** Default `relaxed`. */
  durability?: 'strict' | 'relaxed'
  endStream?: true
  dequeue?: string
  /**
   * What a full or failing disk does to this write: `wait` (default) holds it, and everything behind
   * it, until `resume`; `fail` rejects with the `JournalError`. A journal lost to another writer or
   * closed rejects either way, for good.
   */
  onFailure?: 'wait' | 'fail'
}

export interface Writer {
  /** The events as written, or the rule the drafts would break (then nothing was written). */
  commit(drafts: Drafts, options?: CommitOptions): Promise<Result<readonly SessionEvent[], Refusal>>
  /** Tries a held write again; true if there was one. */
  resume(): boolean
  /**
   * What was asked for and is not stored: the write under way or held, those behind it, and, of a journal
   * lost for good, what it lost. As the events they would be, as far as the log takes them.
   */
  unsaved(): readonly SessionEvent[]
  /** Tries a held write once more; from now on a write that fails rejects, and so do all after it. */
  hurry(): void
  /** Nothing is written any more. */
  close(): void
  /** Resolves when everything asked for so far has settled. */
  settled(): Promise<void>
}

type WriterDeps = {
  log: Log
  journal: Journal
  clock: Clock
  onCommit(events: readonly SessionEvent[]): void
  /** A write is held (the error), or goes on (null). */
  onHeld(error: JournalError | null): void
}

export function createWriter({ log, journal, clock, onCommit, onHeld }: WriterDeps): Writer {
  let tail: Promise<unknown> = Promise.resolve()
  let lost: JournalError | null = null
  let isHurried = false
  let wake: (() => void) | null = null
  /** Of commits not stored: what was asked for; null while only its turn will tell. */
  const waiting = new Map<object, readonly EventDraft[] | null>()

  /** When the events of the write under way, or of the one that was lost, were made. */
  let underWay: number | null = null

  /** Never goes back, whatever the machine's clock does. */
  const time = () => Math.max(clock.now(), log.heads.at(-1)?.time ?? 0)

  async function persist(write: Parameters<Journal['append']>[0], patient: boolean): Promise<void> {
    for (;;) {
      if (lost) throw lost
      try {
        await journal.append(write)
        return
      } catch (cause) {
        const error = asJournalError(cause)
        if (isLost(error)) lost = error
        if (isHurried) lost ??= error
        if (lost || !patient) throw error
        onHeld(error)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        wake = null
        if (!lost) onHeld(null)
      }
    }
  }

  async function write(commit: object, drafts: Drafts, options: CommitOptions) {
    const list = typeof drafts === 'function' ? drafts() : drafts
    waiting.set(commit, list)
    const { durability = 'relaxed', endStream, dequeue, onFailure = 'wait' } = options
    if (list.length === 0 && !endStream && dequeue === undefined) return ok([])
    const now = time()
    const plan = planAppend(log, [...list], now)
    if (!plan.ok) return plan
    const { events } = plan.value
    underWay ??= now
    await persist({ events, durability, endStream, dequeue }, onFailure === 'wait')
    underWay = null
    applyAppend(log, plan.value)
    if (events.length > 0) onCommit(events)
    return ok(events)
  }

  return {
    commit(drafts, options = {}) {
      const commit = {}
      waiting.set(commit, typeof drafts === 'function' ? null : drafts)
      const done = tail.then(() => write(commit, drafts, options))
      const forget = () => waiting.delete(commit)
      tail = done.then(forget, () => {
        // Who asked for it to fail keeps it; what else a lost journal did not take is told by `unsaved`.
        if (!lost || options.onFailure === 'fail') forget()
        if (!lost) underWay = null
      })
      return done
    },
    unsaved() {
      const drafts = [...waiting.values()].flatMap((list) => list ?? [])
      for (let count = drafts.length; count > 0; count--) {
        const plan = planAppend(log, drafts.slice(0, count), underWay ?? time())
        if (plan.ok) return plan.value.events
      }
      return []
    },
    resume() {
      if (!wake) return false
      wake()
      return true
    },
    hurry() {
      isHurried = true
      wake?.()
    },
    close() {
      lost ??= new JournalError('closed', 'This session was closed.')
      wake?.()
    },
    async settled() {
      await tail
    },
  }
}

/** Another writer took over, or the store was closed: this writer will write nothing any more. */
export const isLost = (error: unknown): boolean =>
  error instanceof JournalError && (error.code === 'epoch' || error.code === 'closed')

function asJournalError(cause: unknown): JournalError {
  if (cause instanceof JournalError) return cause
  const message = cause instanceof Error ? cause.message : String(cause)
  return new JournalError('failed', message, { cause })
}

/** Commits drafts that cannot be refused unless this program is wrong; a refusal throws. */
export async function must(
  writer: Writer,
  drafts: Drafts,
  options?: CommitOptions,
): Promise<readonly SessionEvent[]> {
  const result = await writer.commit(drafts, options)
  if (!result.ok) throw new RefusedError(result.error)
  return result.value
}

/** A refusal, for callers that were promised success. */
export class RefusedError extends Error {
  constructor(readonly refusal: Refusal) {
    super(`${refusal.message} (${refusal.rule})`)
    this.name = 'RefusedError'
  }
}
