/**
 * Layer three: the bracket transaction. Exactly one `compact/end` follows every `compact/start`; the
 * checkpoint comes in one storage transaction with it or not at all. Rules C2–C6, C13–C15.
 */

import { acceptSummary } from '../core/accept'
import {
  changedSince,
  commitDrafts,
  failDraft,
  startDraft,
  summaryMaxTokens,
} from '../core/compaction'
import type {
  CompactFailure,
  CompactTrigger,
  EventData,
  EventDraft,
  EventOf,
  Policy,
  Range,
  RequestHeader,
  Seq,
  SessionEvent,
  SurfaceEvent,
} from '../core/event'
import { surfaceNodes } from '../core/log'
import type { Usage } from '../core/message'
import { checkRange } from '../core/range'
import {
  buildSummaryRequest,
  type RequestBody,
  summaryForm,
  validateRequest,
} from '../core/request'
import { err, ok, type Result } from '../core/result'
import { JournalError, type Model } from '../ports'
import { readingFor } from './header'
import type { Session } from './session'
import { askSummary } from './summary'
import { isLost, must } from './writer'

export type CompactionResult = {
  startSeq: Seq
  summarySeq: Seq
  endSeq: Seq
  summary: string
  shadowedRange: Range
  /** In surface order; what the checkpoint stands for. */
  shadowedSeqs: Seq[]
  shadowedTokenCount: number
}

/**
 * `refused` (a range that may not or need not be summarised) and `busy` wrote nothing, nor did a cancel or
 * a failing journal before the bracket was open. Every other code closed a bracket (C5).
 */
export type Failure = { code: CompactFailure | 'refused'; message: string }
export type Outcome = Result<CompactionResult, Failure>

export type Bracket = {
  range: Range
  trigger: CompactTrigger
  /** The open turn, or null. */
  turn: number | null
  signal: AbortSignal
  /** Focus, from the user or the model (C12, C14). */
  instructions?: string
  /** The header whose window made it necessary, where that is not yet in force (C7). */
  judgedBy?: RequestHeader
  /** Puts a restored checkpoint back: this text and no model call (S7). */
  undo?: { summary: string }
}

type Start = EventData['compact/start']
type Call = { body: RequestBody; model: Model }
type Summary = { text: string; usage?: Usage; ms?: number }

const CANCELLED: Failure = { code: 'cancelled', message: 'Stopped before it was done.' }

/**
 * One bracket, under a header that is in the log. Nothing is written unless the range is valid and can gain
 * enough, and the request may be sent (C3, C6). Rejects only where the journal is lost; R2 closes then.
 */
export async function runBracket(
  session: Session,
  header: RequestHeader,
  bracket: Bracket,
): Promise<Outcome> {
  const { policy } = header
  const hindrance = () => findHindrance(session, policy, bracket)
  const early = hindrance()
  if (early) return err(early)
  const prepared = await prepare(session, header, bracket)
  if (!prepared.ok) return prepared
  const { start, call } = prepared.value
  const opened = await commitUnless(session, hindrance, () => [
    { type: 'compact/start', data: start },
  ])
  if (!opened.ok) return opened.error.code === 'commit' ? err(asRefused(opened.error)) : opened
  return underLock(session, start, async () => {
    const startSeq = opened.value[0]!.seq
    const summary = await summarise(session, policy, bracket, start, call)
    if (!summary.ok) return summary
    return commit(session, bracket, startSeq, start, summary.value)
  })
}

const asRefused = ({ message }: Failure): Failure => ({ code: 'refused', message })

/** What stands in the way of opening a bracket right now (C3, C6). */
function findHindrance(session: Session, { minGain }: Policy, bracket: Bracket): Failure | null {
  const { range, trigger, signal, undo } = bracket
  if (signal.aborted) return CANCELLED
  if (session.log.state.bracket)
    return { code: 'busy', message: 'Another compaction of this session is running.' }
  const refusal = checkRange(session.log, range.start, range.end, {
    trigger,
    minGain,
    undo: undo !== undefined,
  })
  return refusal && { code: 'refused', message: refusal.message }
}

/** The start event, and for a model the exact request its hash stands for (Q5, C14). */
async function prepare(
  session: Session,
  header: RequestHeader,
  { range: span, trigger, turn, instructions, judgedBy, undo }: Bracket,
): Promise<Result<{ start: Start; call?: Call }, Failure>> {
  const { deps, log, bodies } = session
  // A run carries more than its ends, and an event takes no key it does not know (L3).
  const range = { start: span.start, end: span.end }
  const reading = readingFor(session, judgedBy ?? header)
  const fields = { compactionId: deps.newId(), turn, trigger, range, reading, instructions }
  if (undo) return ok({ start: startDraft(fields).data })
  const model = deps.summariser(header)
  const isOwn = model.provider === header.provider
  const named = header.policy.summaryModel ?? (isOwn ? header.model : model.provider)
  const maxTokens = summaryMaxTokens(header)
  const call = { provider: model.provider, model: named, maxTokens }
  const draft = startDraft({ ...fields, call }).data
  const surface = surfaceNodes(log)
  const form = summaryForm(header, surface[0], draft)
  const from = form === 'prefix' ? 0 : surface.indexOf(range.start)
  const nodes = await bodies.read(surface.slice(from, surface.indexOf(range.end) + 1))
  const body = buildSummaryRequest(header, nodes as SurfaceEvent[], draft, form)
  const window = form === 'prefix' ? header.contextWindow : undefined
  const invalid = validateRequest(body, { window })
  if (invalid) return err({ code: 'refused', message: invalid.message })
  const requestHash = await deps.hash(body)
  return ok({ start: startDraft({ ...fields, call, requestHash }).data, call: { body, model } })
}

/** Runs what happens between start and end; every failure, a bug included, ends the bracket once (C2). */
async function underLock(
  session: Session,
  start: Start,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { live, deps, writer } = session
  const { compactionId, trigger } = start
  const close = ({ code, message }: Failure) =>
    must(writer, [failDraft(start, code === 'refused' ? 'commit' : code, message)], {
      durability: 'strict',
    })
  live.set({
    phase: 'compacting',
    compaction: { compactionId, trigger, text: '', since: deps.clock.now() },
  })
  try {
    const outcome = await work()
    if (!outcome.ok) await close(outcome.error)
    return outcome
  } catch (cause) {
    if (!isLost(cause)) await close({ code: 'summary', message: String(cause) })
    throw cause
  } finally {
    live.set({ compaction: session.waiting })
  }
}

async function summarise(
  session: Session,
  { minGain }: Policy,
  { signal, undo }: Bracket,
  start: Start,
  call: Call | undefined,
): Promise<Result<Summary, Failure>> {
  if (undo || !call) return ok({ text: undo?.summary ?? '' })
  const began = session.deps.clock.now()
  const answer = await askSummary(session, call, signal)
  if (signal.aborted) return err(CANCELLED)
  if (!answer.ok) return err({ code: 'summary', message: answer.error.message })
  const { content, stopReason = 'end_turn', usage } = answer.value
  const accepted = acceptSummary(session.log, start, { content, stopReason }, minGain)
  if (accepted.ok) return ok({ text: accepted.value, usage, ms: session.deps.clock.now() - began })
  // A span that is gone cannot be measured: say what happened, not what it looks like.
  const isGone = checkRange(session.log, start.range.start, start.range.end) !== null
  return err(isGone ? CHANGED : { code: 'summary', message: accepted.error.message })
}

const CHANGED: Failure = {
  code: 'changed',
  message: 'The history changed while the summary was written.',
}

/** Summary, checkpoint and end in one transaction; a cancel wins until it is issued (C2, C4, C5). */
async function commit(
  session: Session,
  bracket: Bracket,
  startSeq: Seq,
  start: Start,
  { text, usage, ms }: Summary,
): Promise<Outcome> {
  const { log, deps } = session
  const { start: from, end: to } = bracket.range
  const messageId = deps.newId()
  const written = await commitUnless(
    session,
    () => {
      if (bracket.signal.aborted) return CANCELLED
      const isGone = checkRange(log, from, to, { undo: bracket.undo !== undefined }) !== null
      return isGone || changedSince(log, startSeq, start) ? CHANGED : null
    },
    () => commitDrafts(log, { startSeq, start, summary: text, messageId, usage, ms }),
  )
  if (!written.ok) return written
  const [summary, , end] = written.value as readonly [
    EventOf<'compact/summary'>,
    unknown,
    SessionEvent,
  ]
  const { shadowedRange, shadowedSeqs, shadowedTokenCount } = summary.data
  return ok({
    startSeq,
    summarySeq: summary.seq,
    endSeq: end.seq,
    summary: text,
    shadowedRange,
    shadowedSeqs,
    shadowedTokenCount,
  })
}

/** Decides in the commit's own turn; a refusal by the log is `commit`, a full or failing disk `persistence`. */
async function commitUnless(
  { writer }: Session,
  hindrance: () => Failure | null,
  drafts: () => EventDraft[],
): Promise<Result<readonly SessionEvent[], Failure>> {
  const found: { failure?: Failure | null } = {}
  const decide = () => {
    found.failure = hindrance()
    return found.failure ? [] : drafts()
  }
  try {
    const result = await writer.commit(decide, { durability: 'strict', onFailure: 'fail' })
    if (found.failure) return err(found.failure)
    if (!result.ok) return err({ code: 'commit', message: result.error.message })
    return result
  } catch (cause) {
    if (!(cause instanceof JournalError) || isLost(cause)) throw cause
    return err({ code: 'persistence', message: cause.message })
  }
}
