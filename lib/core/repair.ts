/** Closing a log that a crash cut off (R2, R3). */

import { failDraft } from './compaction'
import type { EventDraft, EventHead, Seq } from './event'
import type { Log } from './log'
import { type Block, isKnown, isToolUse, type ToolUseBlock } from './message'

/** What was streaming when the writer died, as its journal kept it (R3). */
export type StreamLeft = {
  turn: number
  step: number
  model: string
  provider: string
  content: readonly Block[]
}

/** What a call without a result says, depending on whether its `tool/call` is in the log (R2). */
export const NOT_STARTED =
  'Not started: the session was interrupted before this call ran. Call again if it is still needed.'
export const OUTCOME_UNKNOWN =
  'Outcome unknown: the session was interrupted while this call ran, and its result was lost. It may have taken effect: check before calling again.'
const INTERRUPTED = 'The session was interrupted before this compaction was done.'

/**
 * A call is whole when its arguments are an object; the last block of a cut stream with no arguments yet
 * may still have been waiting for them (R3).
 */
function isWhole(call: ToolUseBlock, isLast: boolean): boolean {
  const { input } = call as { input: unknown }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  return !isLast || Object.keys(input).length > 0
}

const keptContent = (content: readonly Block[]): Block[] =>
  content.filter(
    (block, index) =>
      !(isKnown(block) && isToolUse(block)) || isWhole(block, index === content.length - 1),
  )

type Unanswered = { callId: string; name: string; turn?: number; step?: number; callSeq?: Seq }

const errorResult = (call: Unanswered, id: string): EventDraft => {
  const text = call.callSeq === undefined ? NOT_STARTED : OUTCOME_UNKNOWN
  return {
    type: 'tool/result',
    data: {
      id,
      ...(call.turn !== undefined && { turn: call.turn }),
      ...(call.step !== undefined && { step: call.step }),
      callId: call.callId,
      name: call.name,
      content: [{ type: 'text', text }],
      isError: true,
    },
    surfaceOp: 'append',
    ...(call.callSeq !== undefined && { sourceEventSeqs: [call.callSeq] }),
  }
}

/** The newest `tool/call` of an id: the tool may have run. */
const startOf = (heads: readonly EventHead[], callId: string): Seq | undefined =>
  heads.findLast((head) => head.type === 'tool/call' && head.calls?.[0] === callId)?.seq

/** Calls in the log that no result answers, in call order; placed in the step that is still open. */
function openCalls(log: Log): Unanswered[] {
  const { turn, step } = log.state
  const place = turn === null || step === null ? {} : { turn, step }
  return log.state.openCalls.map(({ callId, name, started }) => {
    const callSeq = started ? startOf(log.heads, callId) : undefined
    return { callId, name, ...place, callSeq }
  })
}

/** The stream row counts only for the open step that still waits for its reply (R3). */
function messageLeft(log: Log, stream: StreamLeft | null): Block[] {
  const { turn, step, awaitingReply } = log.state
  if (stream === null || !awaitingReply || stream.turn !== turn || stream.step !== step) return []
  return keptContent(stream.content)
}

/**
 * The events that close what a crash left, for one transaction and in this order (R2): the streamed text
 * as an interrupted message, error results, the end of the compaction, of the step, of the turn. Empty for
 * a log that was closed. `session/open` follows and is the caller's.
 */
export function planRepair(log: Log, stream: StreamLeft | null, newId: () => string): EventDraft[] {
  const { turn, step, bracket } = log.state
  const drafts: EventDraft[] = []
  const content = messageLeft(log, stream)
  const unanswered = openCalls(log)
  if (stream !== null && turn !== null && step !== null && content.length > 0) {
    const { provider, model } = stream
    drafts.push({
      type: 'assistant/message',
      data: { id: newId(), turn, step, content, provider, model, interrupted: true },
      surfaceOp: 'append',
      sourceEventSeqs: [],
    })
    for (const call of content.filter(isToolUse))
      unanswered.push({ callId: call.id, name: call.name, turn, step })
  }
  for (const call of unanswered) drafts.push(errorResult(call, newId()))
  if (bracket) {
    const { compactionId, seq } = bracket
    const start = { compactionId, turn: log.heads[seq]!.turn ?? null }
    drafts.push(failDraft(start, 'interrupted', INTERRUPTED))
  }
  if (turn !== null && step !== null) drafts.push({ type: 'step/end', data: { turn, step } })
  if (turn !== null) drafts.push({ type: 'turn/end', data: { turn, reason: 'interrupted' } })
  return drafts
}
