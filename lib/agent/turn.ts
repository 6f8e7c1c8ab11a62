/** One turn: the header, then steps until the model has finished or something ends it. Rules Q1, Q3, C7, C9. */

import type { RequestHeader, TurnEndReason } from '../core/event'
import { surfaceNodes } from '../core/log'
import { currentHeader, sameHeader, settleHeader, wantedHeader } from './header'
import type { Problem } from './live'
import { microPass } from './passes'
import { relieveOverflow, relievePressure } from './pressure'
import type { Queue } from './queue'
import type { Session } from './session'
import { runStep } from './step'
import { keptDrafts, noticeDraft } from './user-draft'
import { must } from './writer'

export type TurnEnd = { reason: TurnEndReason; problem?: Problem }

export type TurnContext = {
  session: Session
  queue: Queue
  turn: number
  signal: AbortSignal
  /** Surface work asked for from outside: manual compaction, restore (Q1, C4). */
  between(): Promise<void>
}

/** Runs an open turn whose prompt is in the log, and closes it. */
export async function runTurn(context: TurnContext): Promise<TurnEnd> {
  const { session, turn, signal } = context
  const end = await takeSteps(context)
  const reason = signal.aborted ? 'cancelled' : end.reason
  await must(session.writer, [{ type: 'turn/end', data: { turn, reason } }])
  return reason === end.reason ? end : { reason }
}

async function takeSteps(context: TurnContext): Promise<TurnEnd> {
  const { session, turn, signal } = context
  const header = await takeHeader(session, turn, signal)
  let isPaused = false
  let isWeighed = false
  let isSecondTry = false
  for (;;) {
    const step = session.log.state.lastStep + 1
    if (signal.aborted) return { reason: 'cancelled' }
    if (step > session.deps.maxSteps) return { reason: 'max-steps' }
    if (!isPaused) {
      await context.between()
      if (await slipIn(context)) isWeighed = false
    }
    await microPass(session, header.policy)
    if (!isWeighed) await relievePressure(session, { turn, signal })
    isWeighed = true
    if (signal.aborted) return { reason: 'cancelled' }
    const outcome = await runStep({
      session,
      place: { turn, step },
      header,
      signal,
      paused: isPaused,
    })
    if (outcome.kind === 'end') return outcome
    if (outcome.kind === 'overflow') {
      const { code, message } = outcome.error
      const failed: TurnEnd = { reason: 'error', problem: { code, message } }
      if (isSecondTry) return failed
      const bytesRefused = outcome.error.status === 413
      const relief = await relieveOverflow(session, { turn, signal, bytesRefused })
      if (signal.aborted || !relief || relief.pruned + relief.results.length === 0) return failed
      await bridge(session, OVERFLOW_NOTICE)
    }
    isSecondTry = outcome.kind === 'overflow'
    isPaused = outcome.kind === 'next' && outcome.paused === true
  }
}

/**
 * Writes what the user has chosen when it differs from what the log says. A model switch is judged with the
 * new window first, while the old model can still summarise (C7).
 */
async function takeHeader(
  session: Session,
  turn: number,
  signal: AbortSignal,
): Promise<RequestHeader> {
  const wanted = wantedHeader(session)
  const current = await currentHeader(session)
  if (current && !sameHeader(current, wanted))
    await relievePressure(session, { turn, signal, judgedBy: wanted })
  return settleHeader(session)
}

/** Messages marked "send now" join the turn; true if any did. */
async function slipIn({ session, queue }: TurnContext): Promise<boolean> {
  let slipped = false
  for (let message = queue.urgent(); message; message = queue.urgent()) {
    const { id } = message
    const { writer, log } = session
    const taken = await queue.take(id, ({ content, keep }) =>
      must(writer, () => keptDrafts(id, content, log.heads.length, keep), {
        durability: 'strict',
        dequeue: id,
      }),
    )
    slipped ||= taken
  }
  return slipped
}

const OVERFLOW_NOTICE =
  'Your reply was cut off because the context window was full. Earlier messages were compacted. Go on from where you stopped.'

/** A request may not end with the assistant's own words (Q4): a notice says how to go on. */
async function bridge(session: Session, text: string): Promise<void> {
  if (endsWithAssistant(session)) await must(session.writer, [noticeDraft(session, text)])
}

export function endsWithAssistant({ log }: Session): boolean {
  const last = surfaceNodes(log).at(-1)
  return last !== undefined && log.heads[last]?.type === 'assistant/message'
}
