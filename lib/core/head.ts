/** Heads: what structure needs of an event, without its body (L8). */

import type { EventHead, EventOf, RequestHeader, SessionEvent, SurfaceEvent } from './event'
import { type Block, isText, isToolUse, type Message, usageTotal } from './message'
import { thresholdOf } from './policy'
import { bytesOfPreamble, countMedia, estimateText, estimateTools, weighMessage } from './price'
import { codePoints } from './text'

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

/** Sets what a surface event adds to a request; nothing where it derives no message. Answers its texts' code points. */
function weigh(head: EventHead, event: SurfaceEvent): number {
  const message = messageOf(event)
  if (message === null) {
    head.blank = true
    return 0
  }
  const { tokens, bytes, chars } = weighMessage(message)
  head.tokens = tokens
  head.bytes = bytes
  head.media = countMedia(message.content)
  return chars
}

// The three kinds of nodes are most of any log, so their fields are set one by one.

function setUser(head: EventHead, event: EventOf<'user/message'>): void {
  weigh(head, event)
  const { source } = event.data
  head.kind = source.kind
  if (source.kind === 'checkpoint') head.compactionId = source.compactionId
}

function setPlace(head: EventHead, { turn, step }: { turn?: number; step?: number }): void {
  if (turn !== undefined) head.turn = turn
  if (step !== undefined) head.step = step
}

function setAssistant(head: EventHead, event: EventOf<'assistant/message'>): void {
  weigh(head, event)
  const { data } = event
  setPlace(head, data)
  if (data.interrupted) head.kind = 'interrupted'
  if (data.model !== undefined) head.name = data.model
  const uses = data.content.filter(isToolUse)
  if (uses.length > 0) {
    head.calls = uses.map((use) => use.id)
    head.names = uses.map((use) => use.name)
  }
  if (data.usage === undefined) return
  head.measured = usageTotal(data.usage)
  head.usage = data.usage
}

const quoted = (text: string): string => JSON.stringify(text)

/** `canonicalJson` of a result's data without its content: its members are few, and known. */
function frameOf({ id, turn, step, callId, name, isError, durationMs }: ResultData): string {
  const parts = [`{"callId":`, quoted(callId)]
  if (durationMs !== undefined) parts.push(`,"durationMs":`, JSON.stringify(durationMs))
  parts.push(`,"id":`, quoted(id), isError ? `,"isError":true` : `,"isError":false`)
  if (name !== undefined) parts.push(`,"name":`, quoted(name))
  if (step !== undefined) parts.push(`,"step":`, String(step))
  if (turn !== undefined) parts.push(`,"turn":`, String(turn))
  parts.push('}')
  // Joined: a text grown by `+=` would keep all its parts for as long as the log lives.
  return parts.join('')
}

type ResultData = EventOf<'tool/result'>['data']

function setResult(head: EventHead, event: EventOf<'tool/result'>): void {
  const weighed = weigh(head, event)
  const { data } = event
  setPlace(head, data)
  if (data.isError) head.kind = 'error'
  if (data.name !== undefined) head.name = data.name
  head.calls = [data.callId]
  head.frame = frameOf(data)
  const blank = data.content.filter(isBlankText)
  const unsaid = blank.reduce((sum, block) => sum + (isText(block) ? codePoints(block.text) : 0), 0)
  // What stands in for an error that says nothing is none of its text.
  head.chars = unsaid + (blank.length < data.content.length ? weighed : 0)
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

/** The fields of a head that depend on the event's type, for those off the surface. */
function detailsOf(event: Exclude<SessionEvent, SurfaceEvent>): Partial<EventHead> {
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
    case 'tool/call': {
      const { turn, step, callId, name } = event.data
      return { turn, step, calls: [callId], name }
    }
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
  if (event.type === 'user/message') setUser(head, event)
  else if (event.type === 'assistant/message') setAssistant(head, event)
  else if (event.type === 'tool/result') setResult(head, event)
  else setDetails(head, event)
  return head
}

function setDetails(head: EventHead, event: Exclude<SessionEvent, SurfaceEvent>): void {
  const fields: Record<string, unknown> = head
  const details: Record<string, unknown> = detailsOf(event)
  for (const key in details) {
    if (details[key] !== undefined) fields[key] = details[key]
  }
}
