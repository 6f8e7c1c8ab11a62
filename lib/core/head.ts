/** Heads: what structure needs of an event, without its body (L8). */

import type { EventHead, EventOf, RequestHeader, SessionEvent, SurfaceEvent } from './event'
import { type Block, isText, isToolUse, type Message, usageTotal } from './message'
import { thresholdOf } from './policy'
import { bytesOfPreamble, countMedia, estimateText, estimateTools, weighMessage } from './price'
import { canonicalJson, codePoints } from './text'

/** Stands in for an error result that says nothing: the API refuses an empty one (Q4). */
const SILENT_ERROR: Block = { type: 'text', text: 'The tool failed without a message.' }

const isBlankText = (block: Block): boolean => isText(block) && block.text.trim() === ''
/** Thinking cut off before its signature came (Q3). */
const isUnsigned = (block: Block): boolean => block.type === 'thinking' && !block.signature

/**
 * The message a node derives, before messages of one role are merged (Q2); null for a node left
 * without content (S9). Blank text and unsigned thinking are never sent (Q3, Q4). Which thinking a
 * model switch leaves out depends on the request and is not decided here.
 */
export function messageOf(event: SurfaceEvent): Message | null {
  if (event.type === 'tool/result') {
    const { callId, isError } = event.data
    const said = event.data.content.filter((block) => !isBlankText(block))
    const content = isError && said.length === 0 ? [SILENT_ERROR] : said
    const error = isError ? { is_error: true } : {}
    return {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: callId, content, ...error }],
    }
  }
  const role = event.type === 'user/message' ? 'user' : 'assistant'
  const content = event.data.content.filter((block) => !isBlankText(block) && !isUnsigned(block))
  return content.length === 0 ? null : { role, content }
}

/** Weight of what a surface event adds to a request; nothing where it derives no message. */
function weightOf(event: SurfaceEvent): Pick<EventHead, 'tokens' | 'bytes' | 'media' | 'blank'> {
  const message = messageOf(event)
  if (message === null) return { tokens: 0, bytes: 0, media: 0, blank: true }
  return { ...weighMessage(message), media: countMedia(message.content) }
}

function assistantHead({ data }: EventOf<'assistant/message'>): Partial<EventHead> {
  const uses = data.content.filter(isToolUse)
  return {
    turn: data.turn,
    step: data.step,
    kind: data.interrupted && 'interrupted',
    name: data.model,
    calls: uses.length > 0 ? uses.map((use) => use.id) : undefined,
    names: uses.length > 0 ? uses.map((use) => use.name) : undefined,
    measured: data.usage && usageTotal(data.usage),
    usage: data.usage,
  }
}

function resultHead({ data }: EventOf<'tool/result'>): Partial<EventHead> {
  const { content, ...frame } = data
  return {
    turn: data.turn,
    step: data.step,
    kind: data.isError ? 'error' : undefined,
    name: data.name,
    calls: [data.callId],
    frame: canonicalJson(frame),
    chars: content.filter(isText).reduce((sum, block) => sum + codePoints(block.text), 0),
  }
}

function headerHead(data: RequestHeader): Partial<EventHead> {
  const system = data.system === '' ? 0 : estimateText(data.system)
  const tools = estimateTools(data.tools)
  const maxTokens = data.params.max_tokens
  const window = data.contextWindow
  return {
    tokens: system + tools,
    bytes: bytesOfPreamble(data.system, data.tools),
    name: data.model,
    limits: {
      system,
      tools,
      window,
      threshold: thresholdOf(data.policy, window, maxTokens),
      maxTokens,
    },
  }
}

/** The fields of a head that depend on the event's type. */
function detailsOf(event: SessionEvent): Partial<EventHead> {
  switch (event.type) {
    case 'session/open':
      return { kind: event.data.reason }
    case 'session/title':
      return {}
    case 'request/header':
      return headerHead(event.data)
    case 'turn/start':
      return { turn: event.data.turn }
    case 'turn/end':
      return { turn: event.data.turn, kind: event.data.reason }
    case 'step/start':
    case 'step/end':
      return { turn: event.data.turn, step: event.data.step }
    case 'request/failed':
      return { turn: event.data.turn, step: event.data.step, kind: event.data.error.code }
    case 'user/message': {
      const { source } = event.data
      const compactionId = source.kind === 'checkpoint' ? source.compactionId : undefined
      return { ...weightOf(event), kind: source.kind, compactionId }
    }
    case 'assistant/message':
      return { ...weightOf(event), ...assistantHead(event) }
    case 'tool/call': {
      const { turn, step, callId, name } = event.data
      return { turn, step, calls: [callId], name }
    }
    case 'tool/result':
      return { ...weightOf(event), ...resultHead(event) }
    case 'compact/start': {
      const { compactionId, turn, trigger, range, draftSeq, model } = event.data
      const [kind, cites, name] = [trigger, draftSeq, model]
      return { compactionId, turn: turn ?? undefined, kind, range, cites, name }
    }
    case 'compact/window': {
      const { compactionId, range, usage } = event.data
      return { compactionId, range, usage }
    }
    case 'compact/draft': {
      const { compactionId, usage } = event.data
      return { compactionId, usage }
    }
    case 'compact/summary': {
      const { compactionId, shadowedRange: range, shadowedSeqs: seqs, usage } = event.data
      const kind = event.data.certainty === 'exact' ? undefined : event.data.certainty
      return { compactionId, range, seqs, usage, kind }
    }
    case 'compact/end': {
      const { compactionId, turn, error, spent } = event.data
      return { compactionId, turn: turn ?? undefined, kind: error?.code, usage: spent?.usage }
    }
    case 'compact/prune':
      return { kind: event.data.cause, seqs: event.data.shadowedSeqs }
    case 'pin/set':
      return { kind: event.data.pinned ? 'pinned' : 'unpinned', seqs: event.data.seqs }
    case 'surface/restore':
      return {}
    default:
      event satisfies never
      return {}
  }
}

/**
 * The head of an event that `parseEvent` accepted. Absent fields are absent keys, so that heads that
 * were stored and heads that were just made compare equal. An ignorable event of an unknown type (L6)
 * has a head without details.
 */
export function headOf(event: SessionEvent): EventHead {
  const { seq, time, type } = event
  const head: EventHead = { seq, time, type, tokens: 0, bytes: 0, media: 0 }
  if (event.surfaceOp !== undefined) head.op = event.surfaceOp
  if ('sourceEventSeqs' in event && event.sourceEventSeqs) head.sources = event.sourceEventSeqs
  const fields: Record<string, unknown> = head
  const details: Record<string, unknown> = detailsOf(event)
  for (const key in details) {
    if (details[key] !== undefined) fields[key] = details[key]
  }
  return head
}
