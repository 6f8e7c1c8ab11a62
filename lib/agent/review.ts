/** Drafts a person asks for, and committing one as it is shown. Rule C16. */

import { draftAt } from '../core/drafts'
import type { EventOf, Range, RequestHeader, Seq } from '../core/event'
import { chooseRuns } from '../core/range'
import { isAutomatic } from '../core/state'
import { repairText } from '../core/text'
import { type CompactionResult, type DraftResult, runBracket } from './compact'
import { type Drafted, draftRuns } from './drafting'
import { readingFor } from './header'
import {
  CompactionError,
  headerFor,
  stopIfAborted,
  stopIfBusy,
  type Wish,
  writeIfIdle,
} from './manual'
import type { Relief } from './pressure'
import { reportRepair, type Session } from './session'

export type DraftWish = Wish & {
  /** Writes the summary in place of the session's choice; a model of the same provider. */
  model?: string
}

/**
 * Summaries of each range, or of what a manual compaction would take, that wait for review. Null: nothing
 * useful to do, nothing written. Drafting a range again keeps the drafts before.
 */
export async function draft(
  session: Session,
  ranges: readonly Range[] | 'whole',
  { turn, signal, instructions, model }: DraftWish,
): Promise<DraftResult[] | null> {
  stopIfAborted({ turn, signal })
  stopIfBusy(session)
  const header = await headerFor(session, turn)
  const isWhole = ranges === 'whole'
  const runs = isWhole
    ? chooseRuns(session.log, readingFor(session, header), header.policy, 'manual')
    : ranges
  if (runs.length === 0) return null
  await writeIfIdle(session, turn)
  const trigger = isWhole ? ('manual' as const) : ('region' as const)
  const writer = withModel(header, model)
  return settle(await draftRuns(session, writer, { turn, signal, instructions, trigger }, runs))
}

const withModel = (header: RequestHeader, model: string | undefined): RequestHeader =>
  model === undefined ? header : { ...header, policy: { ...header.policy, summaryModel: model } }

function settle({ drafts, failure }: Drafted): DraftResult[] {
  if (failure) throw new CompactionError(failure.code, failure.message)
  return drafts
}

export type Reviewed = {
  /** Exactly what the checkpoint says between its frame. */
  text: string
  /** Put below it by code, within the budget of `fitLiterals`. */
  literals?: readonly string[]
}

/**
 * Commits a draft with this text, without a model call, in a new bracket that cites it. Rejects with
 * `changed` where its own span is no longer what it was (later messages do not matter), with `refused`
 * where the text would not be smaller (C6) or a pin came in between; then nothing was written.
 */
export async function commitDraft(
  session: Session,
  draftSeq: Seq,
  { text, literals }: Reviewed,
  relief: Relief,
): Promise<CompactionResult> {
  stopIfAborted(relief)
  stopIfBusy(session)
  const { log, bodies } = session
  const found = draftAt(log, draftSeq)
  if (!found) throw new CompactionError('refused', `#${draftSeq} is no draft.`)
  if (found.isStale) throw new CompactionError('changed', STALE)
  const [drafted, started] = (await bodies.read([draftSeq, found.startSeq])) as [
    EventOf<'compact/draft'>,
    EventOf<'compact/start'>,
  ]
  const { provider, model, maxTokens } = started.data
  const isNamed = provider !== undefined && model !== undefined && maxTokens !== undefined
  const whole = repairText(text)
  reportRepair(session, whole.repaired)
  const given = {
    kind: 'reviewed' as const,
    draftSeq,
    summary: whole.text,
    literals,
    edited: whole.text !== drafted.data.summary,
    call: isNamed ? { provider, model, maxTokens } : undefined,
  }
  const header = await headerFor(session, relief.turn)
  await writeIfIdle(session, relief.turn)
  const trigger = isAutomatic(found.trigger) ? 'manual' : found.trigger
  const outcome = await runBracket(session, header, {
    ...relief,
    range: found.range,
    trigger,
    given,
  })
  if (!outcome.ok) throw new CompactionError(outcome.error.code, outcome.error.message)
  return outcome.value
}

const STALE = 'What this draft would replace has changed since it was written.'
