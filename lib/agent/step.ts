/** One step: the request, the reply, the tools it asked for, and the pressure check. Rules Q1, Q4, C7, C9, R3. */

import type { DraftOf, RequestHeader, StopReason, TurnEndReason } from '../core/event'
import { surfaceNodes } from '../core/log'
import { measureTotal, type Reading } from '../core/meter'
import type { RequestBody } from '../core/request'
import { buildRequest, validateRequest } from '../core/request'
import type { ModelError, ToolOutcome } from '../ports'
import type { Reply } from './assemble'
import { callDrafts, type Place, refusedDrafts, runCalls } from './calls'
import type { Problem } from './live'
import { compactAsAsked, relievePressure } from './pressure'
import { failedDraft, receiveReply } from './reply'
import { reportRepair, type Session } from './session'
import { must } from './writer'

export type StepOutcome =
  | { kind: 'next'; paused?: true }
  | { kind: 'end'; reason: TurnEndReason; problem?: Problem }
  /** Too large for the window, as the provider says or as is known before asking (C9, C10). */
  | { kind: 'overflow'; error: ModelError }

/**
 * Runs one step of an open turn. Whatever happens after `step/start`, `step/end` follows; a request that
 * would be refused (Q4) or is known to be too large (C10) is never sent and opens no step.
 */
export async function runStep(
  session: Session,
  place: Place,
  header: RequestHeader,
  signal: AbortSignal,
  paused: boolean,
): Promise<StepOutcome> {
  const { deps, log, writer, live } = session
  const body = buildRequest(header, await session.bodies.nodes(surfaceNodes(log)))
  const invalid = validateRequest(body, { ...UNLIMITED, paused })
  if (invalid) {
    const message = `This request would be refused (${invalid.rule}): ${invalid.message}`
    return { kind: 'end', reason: 'error', problem: { code: 'invalid-request', message } }
  }
  const tooLarge = validateRequest(body, {
    paused,
    window: header.contextWindow,
    tokens: surelyHeld(measureTotal(log)),
  })
  if (tooLarge) return { kind: 'overflow', error: { code: 'overflow', message: tooLarge.message } }
  const requestHash = await deps.hash(body)
  if (signal.aborted) return { kind: 'end', reason: 'cancelled' }
  await must(writer, [{ type: 'step/start', data: { ...place, requestHash } }])
  live.set({ step: place.step })
  const outcome = await converse(session, place, header, body, signal)
  await must(writer, [{ type: 'step/end', data: place }])
  return outcome
}

/** An estimate may be half as high again as the provider's count: not known to be too large (C10). */
const surelyHeld = ({ total, kind }: { total: number; kind: Reading['kind'] }): number =>
  kind === 'estimated' ? total / 1.5 : total

/** What is wrong with a body whatever its size. */
const UNLIMITED = { bytes: Number.POSITIVE_INFINITY, media: Number.POSITIVE_INFINITY }

async function converse(
  session: Session,
  place: Place,
  header: RequestHeader,
  body: RequestBody,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { reply, error } = await receiveReply(session, place, header, body, signal)
  if (error) return settleFailure(session, place, header, reply, error)
  return settleReply(session, place, header, reply, signal)
}

function messageDraft(
  session: Session,
  place: Place,
  header: RequestHeader,
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
      ...(stopReason === undefined ? {} : { stopReason }),
      ...(usage ? { usage } : {}),
      ...(interrupted ? { interrupted: true as const } : {}),
    },
    surfaceOp: 'append',
    sourceEventSeqs: [],
  }
}

/** A reply that broke off keeps what came (R3); nothing came, nothing is kept. */
async function settleFailure(
  session: Session,
  place: Place,
  header: RequestHeader,
  reply: Reply,
  error: ModelError,
): Promise<StepOutcome> {
  const isCancelled = error.code === 'cancelled'
  if (reply.content.length > 0) {
    const why = isCancelled ? NOT_RUN.cancelled : NOT_RUN.broken
    await must(
      session.writer,
      [
        messageDraft(session, place, header, reply, true),
        ...refusedDrafts(session, place, reply.calls, why),
      ],
      { endStream: true },
    )
  } else await must(session.writer, [], { endStream: true })
  clearContent(session)
  if (isCancelled) return { kind: 'end', reason: 'cancelled' }
  if (error.code === 'overflow') return { kind: 'overflow', error }
  return { kind: 'end', reason: 'error', problem: { code: error.code, message: error.message } }
}

const NOT_RUN = {
  cancelled: 'Cancelled by the user before it was run.',
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
  session: Session,
  place: Place,
  header: RequestHeader,
  reply: Reply,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const meaning = meaningOf(reply.stopReason ?? 'end_turn')
  const mayRun = meaning === 'go-on' || meaning === 'pause'
  const runs = mayRun && reply.calls.length > 0 && !signal.aborted
  const rest = runs
    ? callDrafts(place, reply.calls)
    : refusedDrafts(session, place, reply.calls, whyNotRun(meaning, signal.aborted))
  const isLost = meaning === 'overflow' && reply.content.length === 0
  const drafts = isLost
    ? [failedDraft(place, 1, WINDOW_FULL)]
    : [messageDraft(session, place, header, reply, false), ...rest]
  const durability = runs ? 'strict' : 'relaxed'
  await must(session.writer, drafts, { durability, endStream: true })
  clearContent(session)
  reportRepair(session, reply.repaired)
  if (meaning === 'overflow') return { kind: 'overflow', error: WINDOW_FULL }
  const compact = runs ? await runCalls(session, place, reply.calls, signal) : undefined
  session.live.set({ running: [] })
  await relieve(session, place, compact, signal)
  if (signal.aborted) return { kind: 'end', reason: 'cancelled' }
  if (meaning === 'max-tokens') return { kind: 'end', reason: 'max-tokens' }
  if (meaning === 'pause') return runs ? { kind: 'next' } : { kind: 'next', paused: true }
  return runs ? { kind: 'next' } : { kind: 'end', reason: 'completed' }
}

function whyNotRun(meaning: ReturnType<typeof meaningOf>, isCancelled: boolean): string {
  if (isCancelled) return NOT_RUN.cancelled
  return meaning === 'max-tokens' || meaning === 'overflow' ? NOT_RUN[meaning] : NOT_RUN.refused
}

const WINDOW_FULL: ModelError = {
  code: 'overflow',
  message: 'The model stopped because its context window was full.',
}

/** The reply is in the log now, and shown from there. */
const clearContent = ({ live }: Session) => live.set({ content: [], typing: undefined })

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
