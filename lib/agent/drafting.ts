/** Runs that end as drafts, and what the screen is told of them. Rule C16. */

import { discardDrafts } from '../core/compaction'
import { draftAt, waitingDrafts } from '../core/drafts'
import type { Range, RequestHeader, Seq } from '../core/event'
import type { Reading } from '../core/meter'
import { chooseRuns, type RunMode } from '../core/range'
import type { Bracket, Failure } from './bracket'
import { type DraftResult, runDraft } from './compact'
import { readingFor } from './header'
import { headerFor } from './manual'
import type { Session } from './session'

export type Drafted = { drafts: DraftResult[]; failure: Failure | null }

/** What a compaction of that mode would replace, each run as a draft of its own, until one fails (C8). */
export async function draftRuns(
  session: Session,
  header: RequestHeader,
  bracket: Omit<Bracket, 'range'>,
  runs: readonly Range[],
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
    .filter(({ isDiscarded, draftSeq }) => !isDiscarded && !discarded.has(draftSeq))
    .map((draft) => draft.draftSeq)
  const review = draftSeqs.length > 0 ? { draftSeqs } : undefined
  if (review || live.current.review) live.set({ review })
}

/** Off the screen at once; `writeDiscard` makes it last. */
export function hideDraft(session: Session, draftSeq: Seq): void {
  session.discarded.add(draftSeq)
  showReview(session)
}

/**
 * Says in the log that a person does not want a draft (C16): false while another bracket is open. A draft
 * that no longer fits needs no saying.
 */
export async function writeDiscard(session: Session, draftSeq: Seq): Promise<boolean> {
  const { log, writer, deps } = session
  const header = await headerFor(session, log.state.turn)
  const found = { isBusy: false }
  await writer.commit(
    () => {
      const draft = draftAt(log, draftSeq)
      found.isBusy = log.state.bracket !== null
      if (!draft || draft.isStale || draft.isDiscarded || found.isBusy) return []
      const { range } = draft
      const { turn } = log.state
      const reading = readingFor(session, header)
      return discardDrafts({ compactionId: deps.newId(), turn, range, reading, draftSeq })
    },
    { durability: 'strict' },
  )
  return !found.isBusy
}
