/** A summary compaction as events: the bracket, what is accepted, and the checkpoint (C2, C4, C6, C13). */

import { headsOf, spanOn, tokensOf } from './accept'
import { checkpointBlocks } from './checkpoint'
import type {
  CompactFailure,
  CompactTrigger,
  DraftOf,
  EventData,
  EventDraft,
  Range,
  RequestHeader,
  Seq,
  Spent,
} from './event'
import type { Log } from './log'
import type { Block, Usage } from './message'
import type { Reading } from './meter'
import { BUILDER } from './request'
import { isAutomatic } from './state'

type Start = EventData['compact/start']

/**
 * Output a summary may use: enough for all sections, never more than the session reserves (C7) nor than a
 * quarter of the summariser's window, where that is known.
 */
export const summaryMaxTokens = (header: RequestHeader, window?: number): number =>
  Math.min(
    8192,
    header.params.max_tokens,
    window === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(window / 4)),
  )

export type StartFields = {
  compactionId: string
  /** The open turn, or null between turns. */
  turn: number | null
  trigger: CompactTrigger
  range: Range
  reading: Reading
  /** The user's focus (C14). */
  instructions?: string
  /** Whom the summary is asked of; absent where no model is called (C16, S7). */
  call?: { provider: string; model: string; maxTokens: number }
  requestHash?: string
  draftSeq?: Seq
  /** Where the span goes as text in windows (C10). */
  budget?: number
}

/** Opens the bracket; from here on it is the lock (C2). */
export function startDraft(fields: StartFields): DraftOf<'compact/start'> {
  const { compactionId, turn, trigger, range, reading, instructions, call } = fields
  const { requestHash, draftSeq, budget } = fields
  return {
    type: 'compact/start',
    data: {
      compactionId,
      turn,
      trigger,
      range,
      ...(instructions?.trim() && { instructions }),
      measured: reading.total,
      ...(reading.threshold !== undefined && { threshold: reading.threshold }),
      ...(reading.window !== undefined && { window: reading.window }),
      ...call,
      builder: BUILDER,
      ...(requestHash !== undefined && { requestHash }),
      ...(draftSeq !== undefined && { draftSeq }),
      ...(budget !== undefined && { budget }),
    },
  }
}

/**
 * What says that a person does not want a draft: a bracket that cites it and ends `cancelled` at once, for
 * one storage transaction (C16).
 */
export function discardDrafts(
  fields: Pick<StartFields, 'compactionId' | 'turn' | 'range' | 'reading'> & { draftSeq: Seq },
): EventDraft[] {
  const start = startDraft({ ...fields, trigger: 'manual' })
  return [start, failDraft(start.data, 'cancelled', 'The draft was not wanted.')]
}

/**
 * Whether a commit would meet another surface than the one its bracket began with (C4): any change counts
 * for automatic runs, for the others one of the span. A bracket that is not open has changed.
 */
export function changedSince(log: Log, startSeq: Seq, { range }: Pick<Start, 'range'>): boolean {
  const { bracket } = log.state
  if (bracket?.seq !== startSeq) return true
  if (isAutomatic(bracket.trigger)) return bracket.touched
  const now = spanOn(log, range)
  return now.length !== bracket.span.length || now.some((seq, index) => seq !== bracket.span[index])
}

export type CommitFields = {
  startSeq: Seq
  start: Start
  summary: string
  /** Id of the checkpoint message. */
  messageId: string
  usage?: Usage
  ms?: number
  /** A person changed the text (C16). */
  edited?: boolean
  /** Who wrote the text, where that was not this bracket's own call (C16). */
  call?: StartFields['call']
  /** Of the call that merged the windows (C10). */
  requestHash?: string
  /** Put into the checkpoint below the summary; already within `fitLiterals`. */
  literals?: readonly string[]
  /** The checkpoint's own words, where it comes back as it stood (S7). */
  content?: Block[]
  /** Nobody can read its summary (T3). */
  opaque?: true
  /** Calls before the one that wrote the text (C5). */
  spent?: Spent
}

/**
 * The three events of a commit, for one storage transaction and at the log's end (C2): the summary, the
 * checkpoint in place of the range, the bracket's end.
 */
export function commitDrafts(log: Log, fields: CommitFields): EventDraft[] {
  const { startSeq, start, summary, messageId, usage, ms, edited, requestHash, spent } = fields
  const { content, opaque } = fields
  const { compactionId, range, turn } = start
  const { provider, model, maxTokens } = fields.call ?? start
  const literals = fields.literals?.length ? [...fields.literals] : undefined
  const shadowedSeqs = spanOn(log, range)
  const shadowed = headsOf(log, shadowedSeqs)
  const summarySeq = log.heads.length
  return [
    {
      type: 'compact/summary',
      data: {
        compactionId,
        summary,
        shadowedRange: range,
        shadowedSeqs,
        shadowedTokenCount: tokensOf(shadowed),
        ...(provider !== undefined && { provider }),
        ...(model !== undefined && { model }),
        ...(maxTokens !== undefined && { maxTokens }),
        ...(usage && { usage }),
        ...(edited && { edited }),
        ...(ms !== undefined && { ms }),
        ...(requestHash !== undefined && { requestHash }),
        ...(literals && { literals }),
        certainty: 'exact',
        ...(opaque && { opaque }),
      },
    },
    {
      type: 'user/message',
      data: {
        id: messageId,
        content: content ?? checkpointBlocks(summary, shadowed, literals),
        source: { kind: 'checkpoint', compactionId },
      },
      surfaceOp: { op: 'replace', start: range.start, end: range.end },
      sourceEventSeqs: [startSeq, summarySeq, ...shadowedSeqs],
    },
    { type: 'compact/end', data: { compactionId, turn, ...(spent && { spent }) } },
  ]
}

export type DraftFields = {
  start: Pick<Start, 'compactionId' | 'turn'>
  summary: string
  usage?: Usage
  ms: number
  requestHash?: string
  /** Calls before the one that wrote the text (C5). */
  spent?: Spent
}

const DRAFTED = 'The summary waits for review.'

/** A summary for a person to review, and the end of its bracket: one storage transaction (C16). */
export function reviewDrafts({
  start,
  summary,
  usage,
  ms,
  requestHash,
  spent,
}: DraftFields): EventDraft[] {
  const { compactionId } = start
  return [
    {
      type: 'compact/draft',
      data: {
        compactionId,
        summary,
        ...(usage && { usage }),
        ms,
        ...(requestHash !== undefined && { requestHash }),
      },
    },
    failDraft(start, 'drafted', DRAFTED, spent),
  ]
}

/** Closes a bracket without a summary; the surface stays as it was (C5). */
export const failDraft = (
  { compactionId, turn }: Pick<Start, 'compactionId' | 'turn'>,
  code: CompactFailure,
  message: string,
  spent?: Spent,
): DraftOf<'compact/end'> => ({
  type: 'compact/end',
  data: { compactionId, turn, error: { code, message }, ...(spent && { spent }) },
})
