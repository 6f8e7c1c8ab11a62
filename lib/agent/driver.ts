/**
 * One thing at a time touches the surface, whoever asked for it. The driver runs while there is work (a
 * turn, a compaction, a restore, a queued message) and ends when there is none; nothing polls.
 */

import type { CompactTrigger, EventDraft, EventOf, Seq } from '../core/event'
import { planRepair } from '../core/repair'
import { JournalError } from '../ports'
import { createJobs } from './jobs'
import type { Problem } from './live'
import { CompactionError } from './manual'
import type { Queue } from './queue'
import { journalProblem, type Session } from './session'
import { runTurn, type TurnEnd } from './turn'
import { keptDrafts } from './user-draft'
import { isLost, must } from './writer'

export interface Driver {
  /** A turn is open or about to be: what is typed now is queued. */
  readonly isTaken: boolean
  /** Opens a turn with these events, given the seq of the first; resolves when they are durable, and the turn then runs. */
  begin(drafts: (first: Seq) => readonly EventDraft[]): Promise<void>
  /** The same with a queued message; nothing happens for one that is not there any more. */
  beginQueued(id: string): Promise<void>
  /** Runs `work` when no step is under way; `trigger` shows it as waiting for that (C4). */
  between<T>(
    trigger: CompactTrigger | null,
    signal: AbortSignal,
    work: (turn: number | null, signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** There may be work. */
  wake(): void
  /** Aborts the turn and what runs or waits beside it; queued messages stay, held. */
  stop(): void
  idle(): Promise<void>
}

type Turn = { number: number | null; controller: AbortController }

export function createDriver(session: Session, queue: Queue): Driver {
  const { deps, log, writer, live } = session
  let turn: Turn | null = null
  let running: Promise<void> | null = null
  let hasFailed = false
  const jobs = createJobs(showWaiting)

  function showWaiting(): void {
    const trigger = turn ? jobs.waitingFor() : undefined
    const compactionId = ''
    const since = session.waiting?.since ?? deps.clock.now()
    session.waiting = trigger && { compactionId, trigger, text: '', since, waiting: true }
    const shown = live.current.compaction
    if (!shown || shown.waiting) live.set({ compaction: session.waiting })
  }

  /** `write` may find that there is nothing to open a turn with. */
  async function open(write: () => Promise<EventOf<'turn/start'> | null>): Promise<void> {
    const mine: Turn = { number: null, controller: new AbortController() }
    turn = mine
    try {
      const start = await write()
      if (start) mine.number = start.data.turn
      else turn = null
    } catch (error) {
      turn = null
      fail(problemOf(error))
      throw error
    }
    wake()
  }

  async function writeStart(
    drafts: (first: Seq) => readonly EventDraft[],
    dequeue?: string,
  ): Promise<EventOf<'turn/start'>> {
    hasFailed = false
    live.set({ phase: 'waiting', problem: undefined, held: false })
    const [start] = await must(
      writer,
      () => [
        { type: 'turn/start', data: { turn: log.state.lastTurn + 1 } },
        ...drafts(log.heads.length + 1),
      ],
      { durability: 'strict', dequeue, onFailure: 'fail' },
    )
    return start as EventOf<'turn/start'>
  }

  const begin = (drafts: (first: Seq) => readonly EventDraft[]): Promise<void> =>
    open(() => writeStart(drafts))

  const beginQueued = (id: string): Promise<void> =>
    open(async () => {
      let start: EventOf<'turn/start'> | null = null
      await queue.take(id, async ({ content, keep }) => {
        start = await writeStart((seq) => keptDrafts(id, content, seq, keep), id)
      })
      return start
    })

  function fail(problem: Problem | undefined): void {
    hasFailed = true
    live.set({ phase: 'failed', held: true, ...(problem && { problem }) })
  }

  async function take({ number, controller }: Turn & { number: number }): Promise<void> {
    const { signal } = controller
    live.set({ turn: number })
    const context = { session, queue, turn: number, signal, between: () => jobs.run(number) }
    const end = await runTurn(context).catch(closeAfter)
    turn = null
    showWaiting()
    live.set({ held: end.reason === 'cancelled' || end.reason === 'error' })
    if (end.reason === 'error') fail(end.problem)
  }

  /** A bug, or a journal lost for good, must not leave a turn that looks as if it ran. */
  async function closeAfter(error: unknown): Promise<TurnEnd> {
    if (!isLost(error))
      await must(writer, () => planRepair(log, null, deps.newId), { endStream: true }).catch(
        () => {},
      )
    return { reason: 'error', problem: problemOf(error) }
  }

  async function drive(): Promise<void> {
    for (;;) {
      const next = queue.urgent() ?? queue.oldest()
      if (turn && turn.number !== null) await take({ ...turn, number: turn.number })
      else if (jobs.size > 0) await jobs.run(null)
      else if (!turn && next && !live.current.held) await beginQueued(next.id).catch(() => {})
      else return
    }
  }

  const hasWork = () =>
    (turn !== null && turn.number !== null) ||
    jobs.size > 0 ||
    (!turn && !live.current.held && queue.oldest() !== undefined)

  /** A reply that a lost journal did not take is nowhere but in `live`. */
  const lostContent = () => (writer.unsaved().length > 0 ? live.current.content : [])

  function wake(): void {
    if (running || !hasWork()) return
    running = drive()
      .catch((error: unknown) => fail(problemOf(error)))
      .finally(() => {
        running = null
        if (hasWork()) wake()
        else live.set({ phase: hasFailed ? 'failed' : 'idle', ...AT_REST, content: lostContent() })
      })
  }

  return {
    get isTaken() {
      return turn !== null
    },
    begin,
    beginQueued,
    between(trigger, signal, run) {
      const withdrawn = () => new CompactionError('cancelled', 'Stopped before it began.')
      const done = jobs.add({ trigger, signal, run, withdrawn })
      wake()
      return done
    },
    wake,
    stop() {
      turn?.controller.abort()
      jobs.stop()
    },
    async idle() {
      while (running) await running
    },
  }
}

const AT_REST = {
  turn: undefined,
  step: undefined,
  typing: undefined,
  running: [],
  compaction: undefined,
  retry: undefined,
}

function problemOf(error: unknown): Problem {
  if (error instanceof JournalError) return journalProblem(error)
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) }
}
