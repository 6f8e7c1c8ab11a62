/** One step: the request, the reply, the tools it asked for, and the pressure check. Rules Q1, Q4, C7, C9, R3. */

import type { DraftOf, RequestHeader, StopReason, TurnEndReason } from '../core/event'
import { surfaceNodes } from '../core/log'
import { measureTotal, type Reading } from '../core/meter'
import type { RequestBody } from '../core/request'
import { buildRequest, validateRequest } from '../core/request'
import type { RequestLimits } from '../core/valid'
import type { ModelError, ToolOutcome } from '../ports'
import type { Reply } from './assemble'
import { callDrafts, NOT_RUN, type Place, refusedDrafts, runCalls, runsOf } from './calls'
import type { Problem } from './live'
import { compactAsAsked, relievePressure } from './pressure'
import { failedDraft, type Received, receiveReply } from './reply'
import { reportRepair, type Session } from './session'
import { must } from './writer'

export type StepOutcome =
  | { kind: 'next'; paused?: true }
  | { kind: 'end'; reason: TurnEndReason; problem?: Problem }
  /** Too large for the window, as the provider says or as is known before asking (C9, C10). */
  | { kind: 'overflow'; error: ModelError }

export type StepContext = {
  session: Session
  place: Place
  header: RequestHeader
  signal: AbortSignal
  /** The step before paused: its reply is continued. */
  paused: boolean
}

/**
 * Runs one step of an open turn. Whatever happens after `step/start`, `step/end` follows; a request that
 * would be refused (Q4) or is known to be too large (C10) is never sent and opens no step.
 */
export async function runStep(context: StepContext): Promise<StepOutcome> {
  const { session, place, header, signal, paused } = context
  const { deps, log, writer, live } = session
  const body = buildRequest(header, await session.bodies.nodes(surfaceNodes(log)))
  const tokens = surelyHeld(measureTotal(log))
  const unfit = whyUnfit(body, { paused, window: header.contextWindow, tokens })
  if (unfit) return unfit
  const requestHash = await deps.hash(body)
  if (signal.aborted) return { kind: 'end', reason: 'cancelled' }
  await must(writer, [{ type: 'step/start', data: { ...place, requestHash } }])
  live.set({ step: place.step })
  const received = await receiveReply(context, body)
  const outcome = received.error
    ? await settleFailure(context, received, received.error)
    : await settleReply(context, received)
  await must(writer, [{ type: 'step/end', data: place }])
  return outcome
}

/** An estimate may be half as high again as the provider's count: not known to be too large (C10). */
const surelyHeld = ({ total, kind }: { total: number; kind: Reading['kind'] }): number =>
  kind === 'estimated' ? Math.floor(total / 1.5) : total

/** Q4: a body that is too large may fit after a compaction, any other flaw is a bug or an empty prompt. */
function whyUnfit(body: RequestBody, limits: RequestLimits): StepOutcome | null {
  const refusal = validateRequest(body, limits)
  if (!refusal) return null
  const flaw = validateRequest(body, { ...UNLIMITED, paused: limits.paused })
  if (!flaw) return { kind: 'overflow', error: { code: 'overflow', message: refusal.message } }
  const message = `This request would be refused (${flaw.rule}): ${flaw.message}`
  return { kind: 'end', reason: 'error', problem: { code: 'invalid-request', message } }
}

const UNLIMITED = { bytes: Number.POSITIVE_INFINITY, media: Number.POSITIVE_INFINITY }

function messageDraft(
  { session, place, header }: StepContext,
  reply: Reply,
  interrupted: boolean,
): DraftOf<'assistant/message'> {
  const { content, stopReason, usage } = reply
  return {
    type: 'assistant/message',
    data: {
      id: session.deps.newId(),
      ...place,
      content,
      provider: header.provider,
      model: header.model,
      ...(stopReason !== undefined && { stopReason }),
      ...(usage && { usage }),
      ...(interrupted && { interrupted }),
    },
    surfaceOp: 'append',
    sourceEventSeqs: [],
  }
}

/** A reply that broke off keeps what came (R3); nothing came, nothing is kept. */
async function settleFailure(
  context: StepContext,
  { reply, hasStreamed }: Received,
  error: ModelError,
): Promise<StepOutcome> {
  const { session, place } = context
  const isCancelled = error.code === 'cancelled'
  const why = isCancelled ? WHY_NOT_RUN.cancelled : WHY_NOT_RUN.broken
  const kept =
    reply.content.length === 0
      ? []
      : [messageDraft(context, reply, true), ...refusedDrafts(session, place, reply.calls, why)]
  if (hasStreamed) await must(session.writer, kept, { endStream: true })
  clearContent(session, reply)
  if (isCancelled) return { kind: 'end', reason: 'cancelled' }
  if (error.code === 'overflow') return { kind: 'overflow', error }
  return { kind: 'end', reason: 'error', problem: { code: error.code, message: error.message } }
}

const WHY_NOT_RUN = {
  cancelled: NOT_RUN,
  broken: 'Not run: the reply broke off.',
  'max-tokens': 'Not run: the reply reached the output limit.',
  overflow: 'Not run: the context window was full.',
  refused: 'Not run: the model ended its reply.',
}

/** What a stop reason means for calls in the same reply and for the turn. */
function meaningOf(stopReason: StopReason): 'go-on' | 'pause' | 'max-tokens' | 'overflow' | 'stop' {
  switch (stopReason) {
    case 'end_turn':
    case 'tool_use':
    case 'stop_sequence':
      return 'go-on'
    case 'pause_turn':
      return 'pause'
    case 'max_tokens':
      return 'max-tokens'
    case 'model_context_window_exceeded':
      return 'overflow'
    default:
      return 'stop'
  }
}

async function settleReply(
  context: StepContext,
  { reply, attempt }: Received,
): Promise<StepOutcome> {
  const { session, place, signal } = context
  const meaning = meaningOf(reply.stopReason ?? 'end_turn')
  const mayRun = meaning === 'go-on' || meaning === 'pause'
  const hasCalls = mayRun && reply.calls.length > 0 && !signal.aborted
  const runs = hasCalls ? runsOf(session.deps.tools(), reply.calls) : []
  const rest = hasCalls
    ? callDrafts(place, runs[0]!)
    : refusedDrafts(session, place, reply.calls, whyNotRun(meaning, signal.aborted))
  const isLost = meaning === 'overflow' && reply.content.length === 0
  const drafts = isLost
    ? [failedDraft(place, attempt, WINDOW_FULL)]
    : [messageDraft(context, reply, false), ...rest]
  const durability = hasCalls ? 'strict' : 'relaxed'
  await must(session.writer, drafts, { durability, endStream: true })
  clearContent(session, reply)
  if (meaning === 'overflow') return { kind: 'overflow', error: WINDOW_FULL }
  const compact = hasCalls ? await runCalls(session, place, runs, signal) : undefined
  session.live.set({ running: [] })
  await relieve(session, place, compact, signal)
  if (signal.aborted) return { kind: 'end', reason: 'cancelled' }
  if (meaning === 'max-tokens') return { kind: 'end', reason: 'max-tokens' }
  if (meaning === 'pause') return hasCalls ? { kind: 'next' } : { kind: 'next', paused: true }
  return hasCalls ? { kind: 'next' } : { kind: 'end', reason: 'completed' }
}

function whyNotRun(meaning: ReturnType<typeof meaningOf>, isCancelled: boolean): string {
  if (isCancelled) return WHY_NOT_RUN.cancelled
  return meaning === 'max-tokens' || meaning === 'overflow'
    ? WHY_NOT_RUN[meaning]
    : WHY_NOT_RUN.refused
}

const WINDOW_FULL: ModelError = {
  code: 'overflow',
  message: 'The model stopped because its context window was full.',
}

/** The reply is in the log now, and shown from there. */
function clearContent(session: Session, { repaired }: Reply): void {
  session.live.set({ content: [], typing: undefined })
  reportRepair(session, repaired)
}

/** C7, or in its place what the model asked for (C12). */
async function relieve(
  session: Session,
  { turn }: Place,
  compact: ToolOutcome['compact'],
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return
  if (compact) await compactAsAsked(session, turn, compact.focus, signal)
  else await relievePressure(session, { turn, signal })
}
