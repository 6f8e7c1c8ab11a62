/**
 * Layer three: the bracket transaction. Exactly one `compact/end` follows every `compact/start`; the
 * checkpoint comes in one storage transaction with it or not at all. Rules C2–C6, C13, C16.
 */

import { checkSummary, fitLiterals } from '../core/accept'
import { changedSince, commitDrafts, failDraft, reviewDrafts } from '../core/compaction'
import type {
  EventData,
  EventOf,
  Policy,
  Range,
  RequestHeader,
  Seq,
  SessionEvent,
  SurfaceEvent,
} from '../core/event'
import { surfaceOf } from '../core/log'
import { automaticStopped } from '../core/loop'
import { checkRange } from '../core/range'
import { err, ok } from '../core/result'
import { isAutomatic, spanOf } from '../core/state'
import {
  type Bracket,
  CANCELLED,
  CHANGED,
  commitUnless,
  type Failure,
  type Outcome,
} from './bracket'
import type { Session } from './session'
import { createSpending, type Spending } from './spending'
import { planSummary, type Summary, writeSummary } from './summarise'
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

/** A summary that waits for a person: the surface is as it was (C16). */
export type DraftResult = {
  startSeq: Seq
  draftSeq: Seq
  endSeq: Seq
  summary: string
  range: Range
  /** In surface order; what a commit would shadow. */
  seqs: Seq[]
}

type Start = EventData['compact/start']
type Opened = {
  startSeq: Seq
  start: Start
  policy: Policy
  bracket: Bracket
  spending: Spending
}

/** Smaller requests tried after the provider found one too large, each half the one before (C10). */
const SMALLER = 3

/**
 * One bracket that ends with a checkpoint, under a header that is in the log. Nothing is written unless the
 * range is valid and can gain enough, and the request may be sent (C3, C6). Rejects only where the journal
 * is lost; R2 closes then.
 */
export const runBracket = (
  session: Session,
  header: RequestHeader,
  bracket: Bracket,
): Promise<Outcome<CompactionResult>> => inBrackets(session, header, bracket, { finish: commit })

/** The same, but the bracket ends `drafted`: the summary waits, and nothing is locked (C16). */
export const runDraft = (
  session: Session,
  header: RequestHeader,
  bracket: Bracket,
): Promise<Outcome<DraftResult>> =>
  inBrackets(session, header, bracket, { finish: keep, isDraft: true })

type Ending<T> = {
  finish(session: Session, opened: Opened, summary: Summary): Promise<Outcome<T>>
  isDraft?: true
}

/**
 * A request the provider calls too large tells how large one may be: the next bracket takes windows (C10).
 * Automatic runs have no more brackets for it than any other failure leaves them (C11).
 */
async function inBrackets<T>(
  session: Session,
  header: RequestHeader,
  bracket: Bracket,
  ending: Ending<T>,
): Promise<Outcome<T>> {
  let atMost: number | undefined
  for (let tries = 0; ; tries++) {
    const outcome = await inBracket(session, header, bracket, ending, atMost)
    if (outcome.ok || outcome.error.tooLarge === undefined || tries === SMALLER) return outcome
    const isStopped = automaticStopped(session.log, header.policy, true) !== null
    if (isAutomatic(bracket.trigger) && isStopped) return outcome
    atMost = Math.floor(outcome.error.tooLarge / 2)
  }
}

async function inBracket<T>(
  session: Session,
  header: RequestHeader,
  bracket: Bracket,
  ending: Ending<T>,
  atMost: number | undefined,
): Promise<Outcome<T>> {
  const { policy } = header
  const hindrance = () => findHindrance(session, policy, bracket)
  const early = hindrance()
  if (early) return err(early)
  const planned = await planSummary(session, header, bracket, atMost)
  if (!planned.ok) return planned
  const { start, plan } = planned.value
  const opened = await commitUnless(session, hindrance, () => [
    { type: 'compact/start', data: start },
  ])
  if (!opened.ok) return opened.error.code === 'commit' ? err(asRefused(opened.error)) : opened
  const spending = createSpending()
  const at = { startSeq: opened.value[0]!.seq, start, policy, bracket, spending }
  return underLock(session, at, async () => {
    const { given, signal } = bracket
    const { isDraft } = ending
    const summary: Outcome<Summary> = plan
      ? await writeSummary(session, plan, at.startSeq, { policy, signal, spending, isDraft })
      : ok({ text: given?.summary ?? '' })
    if (!summary.ok) return summary
    const finished = await ending.finish(session, at, summary.value)
    if (!finished.ok) spending.waste(summary.value.usage)
    return finished
  })
}

const asRefused = ({ message }: Failure): Failure => ({ code: 'refused', message })

/** What stands in the way of opening a bracket right now (C3, C6, C16). */
function findHindrance(session: Session, { minGain }: Policy, bracket: Bracket): Failure | null {
  const { log } = session
  const { range, trigger, signal, given } = bracket
  if (signal.aborted) return CANCELLED
  if (log.state.bracket)
    return { code: 'busy', message: 'Another compaction of this session is running.' }
  const undo = given?.kind === 'undo'
  const refusal =
    checkRange(log, range.start, range.end, { trigger, minGain, undo }) ??
    (given?.kind === 'reviewed' ? checkSummary(log, bracket, given.summary, minGain) : null)
  return refusal && { code: 'refused', message: refusal.message }
}

/** Runs what happens between start and end; every failure, a bug included, ends the bracket once (C2). */
async function underLock<T>(
  session: Session,
  { start, spending }: Opened,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { live, deps, writer } = session
  const { compactionId, trigger } = start
  const close = ({ code, message }: Failure) => {
    const end = failDraft(start, code === 'refused' ? 'commit' : code, message, spending.total())
    return must(writer, [end], { durability: 'strict' })
  }
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

/** Why the surface may no longer be replaced as it was when the bracket began; a cancel wins (C4, C5). */
function findChange({ log }: Session, { startSeq, start, bracket }: Opened): Failure | null {
  if (bracket.signal.aborted) return CANCELLED
  const { range, given } = bracket
  const undo = given?.kind === 'undo'
  const isGone = checkRange(log, range.start, range.end, { undo }) !== null
  return isGone || changedSince(log, startSeq, start) ? CHANGED : null
}

/** What code puts below the summary: what was given with it, or what the caller finds lost in it. */
async function literalsFor(session: Session, opened: Opened, summary: string): Promise<string[]> {
  const { deps, log, bodies } = session
  const { bracket, start, policy } = opened
  const { given, range } = bracket
  if (given?.kind === 'undo') return [...(given.literals ?? [])]
  const seqs = spanOf(surfaceOf(log), range.start, range.end)
  const lost = given
    ? (given.literals ?? [])
    : (deps.lostLiterals?.((await bodies.read(seqs)) as SurfaceEvent[], summary) ?? [])
  return lost.length === 0 ? [] : fitLiterals(log, start, summary, lost, policy.minGain)
}

/** Summary, checkpoint and end in one transaction; a cancel wins until it is issued (C2, C4, C5). */
async function commit(
  session: Session,
  opened: Opened,
  summary: Summary,
): Promise<Outcome<CompactionResult>> {
  const { log, deps } = session
  const { startSeq, start, bracket } = opened
  const { text, usage, ms, requestHash } = summary
  const { given } = bracket
  const change = findChange(session, opened)
  if (change) return err(change)
  const reviewed = given?.kind === 'reviewed' ? { edited: given.edited, call: given.call } : {}
  const undone = given?.kind === 'undo' ? { content: given.content, opaque: given.opaque } : {}
  const fields = {
    ...reviewed,
    ...undone,
    startSeq,
    start,
    summary: text,
    messageId: deps.newId(),
    usage,
    ms,
    requestHash,
    literals: await literalsFor(session, opened, text),
    spent: opened.spending.total(),
  }
  const written = await commitUnless(
    session,
    () => findChange(session, opened),
    () => commitDrafts(log, fields),
  )
  if (!written.ok) return written
  const [first, , end] = written.value as readonly [
    EventOf<'compact/summary'>,
    unknown,
    SessionEvent,
  ]
  const { shadowedRange, shadowedSeqs, shadowedTokenCount } = first.data
  return ok({
    startSeq,
    summarySeq: first.seq,
    endSeq: end.seq,
    summary: text,
    shadowedRange,
    shadowedSeqs,
    shadowedTokenCount,
  })
}

/** The draft and its bracket's end in one transaction (C16). */
async function keep(
  session: Session,
  opened: Opened,
  { text, usage, ms = 0, requestHash }: Summary,
): Promise<Outcome<DraftResult>> {
  const { startSeq, start, bracket, spending } = opened
  const { range } = start
  const spent = spending.total()
  const written = await commitUnless(
    session,
    () => (bracket.signal.aborted ? CANCELLED : null),
    () => reviewDrafts({ start, summary: text, usage, ms, requestHash, spent }),
  )
  if (!written.ok) return written
  const seqs = spanOf(session.log.history.surfaceAt(startSeq), range.start, range.end)
  const draftSeq = written.value[0]!.seq
  return ok({ startSeq, draftSeq, endSeq: draftSeq + 1, summary: text, range, seqs })
}
