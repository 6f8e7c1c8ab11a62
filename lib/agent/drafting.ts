/** Runs that end as drafts, and what the screen is told of them. Rule C16. */

import { waitingDrafts } from '../core/drafts'
import type { RequestHeader, Seq } from '../core/event'
import type { Reading } from '../core/meter'
import { chooseRuns, type Run, type RunMode } from '../core/range'
import type { Bracket, Failure } from './bracket'
import { type DraftResult, runDraft } from './compact'
import type { Session } from './session'

export type Drafted = { drafts: DraftResult[]; failure: Failure | null }

/** What a compaction of that mode would replace, each run as a draft of its own, until one fails (C8). */
export async function draftRuns(
  session: Session,
  header: RequestHeader,
  bracket: Omit<Bracket, 'range'>,
  runs: readonly Run[],
): Promise<Drafted> {
  const drafts: DraftResult[] = []
  for (const range of runs) {
    const outcome = await runDraft(session, header, { ...bracket, range })
    if (!outcome.ok) return { drafts, failure: outcome.error }
    drafts.push(outcome.value)
  }
  return { drafts, failure: null }
}

/**
 * An automatic run whose policy asks a person first. While a draft that such a run left still fits,
 * discarded or not, no model is asked again; an overflow does not wait for anybody. What failed, if
 * anything.
 */
export async function askFirst(
  session: Session,
  header: RequestHeader,
  bracket: Omit<Bracket, 'range'>,
  reading: Reading,
  mode: RunMode = 'pressure',
): Promise<Failure | null> {
  if (waitingDrafts(session.log).length > 0) return null
  const runs = chooseRuns(session.log, reading, header.policy, mode)
  const { failure } = await draftRuns(session, header, bracket, runs)
  showReview(session)
  return failure
}

/** Tells the screen which automatic drafts wait now (`live.review`). */
export function showReview({ log, live, discarded }: Session): void {
  const draftSeqs = waitingDrafts(log)
    .map((draft) => draft.draftSeq)
    .filter((seq) => !discarded.has(seq))
  const review = draftSeqs.length > 0 ? { draftSeqs } : undefined
  if (review || live.current.review) live.set({ review })
}

/** A person does not want it. It stays in the log; nothing is written. */
export function discardDraft(session: Session, draftSeq: Seq): void {
  session.discarded.add(draftSeq)
  showReview(session)
}
