/** How a bracket's summary is asked for: in one call, or in windows that are merged. Rules C6, C10, C11, C14, Q5. */

import { acceptRecord, acceptSummary, finishedText } from '../core/accept'
import { changedSince, startDraft, summaryMaxTokens } from '../core/compaction'
import type { EventData, Policy, RequestHeader, Seq, SurfaceEvent } from '../core/event'
import { surfaceNodes } from '../core/log'
import type { Usage } from '../core/message'
import { readMeter } from '../core/meter'
import { REQUEST_LIMITS } from '../core/policy'
import { checkRange } from '../core/range'
import {
  buildFoldRequest,
  buildSummaryRequest,
  type RequestBody,
  summaryForm,
  validateRequest,
} from '../core/request'
import { err, ok, type Result } from '../core/result'
import { repairText } from '../core/text'
import { estimateRequest } from '../core/valid'
import {
  type FoldCall,
  MIN_BUDGET,
  nextCall,
  splitWindows,
  TEXT_MARGIN,
  type Window,
  windowBudget,
} from '../core/windows'
import type { Model } from '../ports'
import type { Reply } from './assemble'
import { type Bracket, CANCELLED, CHANGED, commitUnless, type Failure } from './bracket'
import { readingFor } from './header'
import { reportRepair, type Session } from './session'
import type { Spending } from './spending'
import { askSummary } from './summary'

type Start = EventData['compact/start']
export type Summary = { text: string; usage?: Usage; ms?: number; requestHash?: string }

export type SummaryPlan = {
  start: Start
  header: RequestHeader
  model: Model
  /** The first call, or the only one. */
  body: RequestBody
  /** Where the span is read in windows (C10). */
  fold?: { windows: Window[]; budget: number }
}

/** Whom a summary is asked of, and what one call may hold, in that provider's tokens. */
type Voice = {
  model: Model
  call: { provider: string; model: string; maxTokens: number }
  window?: number
  /** What an estimated token is worth. */
  scale: number
}

/** A budget where no window is known: what the provider's bytes allow, with room for escapes. */
const UNBOUND = REQUEST_LIMITS.bytes / 8

function voiceOf(
  session: Session,
  header: RequestHeader,
  { trigger, isHeavy }: Bracket,
  atMost: number | undefined,
): Voice {
  const { deps, log } = session
  const model = deps.summariser(header)
  const isOwnWire = model.provider === header.provider
  const named = header.policy.summaryModel ?? (isOwnWire ? header.model : model.provider)
  const isOwn = isOwnWire && named === header.model
  const { total, scale } = readMeter(log)
  const known = isOwn ? header.contextWindow : deps.windowOf?.(model.provider, named)
  // An overflow says that a request of this size, its output included, was too large.
  const refused =
    isOwn && trigger === 'context-overflow' && !isHeavy
      ? total + header.params.max_tokens
      : undefined
  const windows = [known, refused, atMost].filter((window) => window !== undefined)
  const window = windows.length === 0 ? undefined : Math.min(...windows)
  const maxTokens = summaryMaxTokens(header, window)
  const call = { provider: model.provider, model: named, maxTokens }
  return { model, call, window, scale: isOwn ? scale : 1 }
}

/**
 * The start event, and for a model the exact first request its hash stands for (Q5, C14). `atMost`: a
 * request of this many tokens, output included, may still fit.
 */
export async function planSummary(
  session: Session,
  header: RequestHeader,
  bracket: Bracket,
  atMost?: number,
): Promise<Result<{ start: Start; plan?: SummaryPlan }, Failure>> {
  const { deps } = session
  const { trigger, turn, judgedBy, given } = bracket
  const { text: instructions, repaired } = repairText(bracket.instructions ?? '')
  reportRepair(session, repaired)
  // A run carries more than its ends, and an event takes no key it does not know (L3).
  const range = { start: bracket.range.start, end: bracket.range.end }
  const reading = readingFor(session, judgedBy ?? header)
  const fields = { compactionId: deps.newId(), turn, trigger, range, reading, instructions }
  if (given) {
    const draftSeq = given.kind === 'reviewed' ? given.draftSeq : undefined
    return ok({ start: startDraft({ ...fields, draftSeq }).data })
  }
  const voice = voiceOf(session, header, bracket, atMost)
  const { model, call } = voice
  const draft = startDraft({ ...fields, call }).data
  const chosen = await chooseCalls(session, header, draft, voice)
  if (!chosen.ok) return chosen
  const { body, fold } = chosen.value
  const requestHash = await deps.hash(body)
  const start = startDraft({ ...fields, call, requestHash, budget: fold?.budget }).data
  return ok({ start, plan: { start, header, model, body, fold } })
}

const refused = (message: string): Result<never, Failure> => err({ code: 'refused', message })

/** One call where the span fits one, else windows of its transcript; nothing known to be too large (C10). */
async function chooseCalls(
  session: Session,
  header: RequestHeader,
  draft: Start,
  { call, window, scale }: Voice,
): Promise<Result<Pick<SummaryPlan, 'body' | 'fold'>, Failure>> {
  const { log, bodies } = session
  const { range } = draft
  const surface = surfaceNodes(log)
  const form = summaryForm(header, surface[0], draft)
  const from = form === 'prefix' ? 0 : surface.indexOf(range.start)
  const end = surface.indexOf(range.end) + 1
  const nodes = (await bodies.read(surface.slice(from, end))) as SurfaceEvent[]
  const body = buildSummaryRequest(header, nodes, draft, form)
  const margin = form === 'transcript' ? TEXT_MARGIN : 1
  const size = (estimateRequest(body) * Math.max(1, scale)) / margin + call.maxTokens
  const invalid = validateRequest(body)
  if (!invalid && (window === undefined || size <= window)) return ok({ body })
  const budget =
    window === undefined
      ? UNBOUND
      : windowBudget({ window, maxTokens: call.maxTokens, scale }, draft.instructions)
  if (budget < MIN_BUDGET)
    return refused(
      `The summariser’s window of ${window} tokens is too small to read anything with.`,
    )
  const windows = splitWindows(nodes.slice(surface.indexOf(range.start) - from), budget)
  if (windows.length === 0) return refused('The range holds nothing that can be summarised.')
  const fold = { windows, budget }
  return ok({ body: buildFoldRequest(header, draft, nextCall(windows, [], budget)), fold })
}

/** How far an answer may be trusted: within what policy, and until when. */
type Terms = { policy: Policy; signal: AbortSignal; spending: Spending; isDraft?: boolean }

/** Asks, window by window where need be, and takes what may stand for the range (C6, C10). */
export async function writeSummary(
  session: Session,
  plan: SummaryPlan,
  startSeq: Seq,
  terms: Terms,
): Promise<Result<Summary, Failure>> {
  const began = session.deps.clock.now()
  if (!plan.fold) return lastAnswer(session, plan, plan.body, { ...terms, began })
  const { windows, budget } = plan.fold
  const done: string[] = []
  for (;;) {
    const call = nextCall(windows, done, budget)
    const body = done.length === 0 ? plan.body : buildFoldRequest(plan.header, plan.start, call)
    showPart(session, call)
    if (call.isLast) {
      const answer = await lastAnswer(session, plan, body, { ...terms, began })
      if (!answer.ok || done.length === 0) return answer
      return ok({ ...answer.value, requestHash: await session.deps.hash(body) })
    }
    const record = await foldOne(session, plan, { startSeq, index: done.length, call, body }, terms)
    if (!record.ok) return record
    done.push(record.value)
  }
}

function showPart({ live }: Session, { phase, part, of }: FoldCall): void {
  const { compaction } = live.current
  if (compaction)
    live.set({ compaction: { ...compaction, text: '', part: { phase, index: part, of } } })
}

type Fold = { startSeq: Seq; index: number; call: FoldCall; body: RequestBody }

/** One window or merge that is not the last, written down when it is read: it is paid for (C10). */
async function foldOne(
  session: Session,
  plan: SummaryPlan,
  { startSeq, index, call, body }: Fold,
  { signal, spending }: Terms,
): Promise<Result<string, Failure>> {
  const { deps, log } = session
  const { start, model, fold } = plan
  const began = deps.clock.now()
  const answer = await answerTo(session, model, body, { signal, spending })
  if (!answer.ok) return answer
  const { usage } = answer.value
  const record = acceptRecord(call, finished(answer.value), fold!.budget)
  if (!record.ok) {
    spending.waste(usage)
    return err({ code: 'summary', message: record.error.message })
  }
  const requestHash = await deps.hash(body)
  const data = {
    compactionId: start.compactionId,
    index,
    range: call.range,
    summary: record.value,
    ...(usage && { usage }),
    ms: deps.clock.now() - began,
    requestHash,
  }
  // What changed meanwhile spares the windows that are left.
  const hindrance = () => {
    if (signal.aborted) return CANCELLED
    return changedSince(log, startSeq, start) ? CHANGED : null
  }
  const written = await commitUnless(session, hindrance, () => [{ type: 'compact/window', data }])
  if (written.ok) return ok(record.value)
  spending.waste(usage)
  return written
}

const finished = ({ content, stopReason = 'end_turn' }: Reply) => ({ content, stopReason })

async function answerTo(
  session: Session,
  model: Model,
  body: RequestBody,
  terms: Pick<Terms, 'signal' | 'spending'>,
): Promise<Result<Reply, Failure>> {
  const answer = await askSummary(session, { model, body }, terms)
  if (terms.signal.aborted) {
    if (answer.ok) terms.spending.waste(answer.value.usage)
    return err(CANCELLED)
  }
  if (answer.ok) return answer
  const { code, message } = answer.error
  const isTooLarge = code === 'overflow'
  const tooLarge = isTooLarge ? estimateRequest(body) + body.max_tokens : undefined
  return err({ code: 'summary', message, ...(isTooLarge && { tooLarge }) })
}

/** The answer that stands for the whole range. A draft may be too long: a person can shorten it (C16). */
async function lastAnswer(
  session: Session,
  { start, model }: SummaryPlan,
  body: RequestBody,
  { policy, signal, spending, isDraft, began }: Terms & { began: number },
): Promise<Result<Summary, Failure>> {
  const { log, deps } = session
  const answer = await answerTo(session, model, body, { signal, spending })
  if (!answer.ok) return answer
  const { usage } = answer.value
  const accepted = isDraft
    ? finishedText(finished(answer.value))
    : acceptSummary(log, start, finished(answer.value), policy.minGain)
  if (accepted.ok) return ok({ text: accepted.value, usage, ms: deps.clock.now() - began })
  spending.waste(usage)
  // A span that is gone cannot be measured: say what happened, not what it looks like.
  const isGone = checkRange(log, start.range.start, start.range.end) !== null
  return err(isGone ? CHANGED : { code: 'summary', message: accepted.error.message })
}
