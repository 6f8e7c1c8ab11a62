/**
 * A DeepSeek Harness log, version 0: JSONL of `{type, seq, time, data}` over the same kind of surface. It
 * knows no restore: a replacement that was taken off again is left out with its bracket, which leaves
 * the surface as it is now. Pins, drafts, windows, failed requests and media bytes have no place in it.
 */

import type { EventHead, EventOf, Seq, SessionEvent, SessionHeader, SurfaceOp } from '../core/event'
import { headOf } from '../core/head'
import { type Block, isKnown, type Json, type Usage } from '../core/message'
import { isEventType } from '../core/shape'
import type { Many } from './native'
import { streamText } from './stream'

type Row = { type: string; data: object; surfaceOp?: SurfaceOp; sourceEventSeqs?: Seq[] }

type Omitted = { seqs: Set<Seq>; brackets: Set<string> }

/** What was undone: restored replacements, with the events that belong to them. */
function omittedOf(heads: readonly EventHead[]): Omitted {
  const omitted: Omitted = { seqs: new Set(), brackets: new Set() }
  for (const { op } of heads) {
    if (typeof op !== 'object' || op.op !== 'restore') continue
    omitted.seqs.add(op.seq)
    const { compactionId } = heads[op.seq] ?? {}
    if (compactionId !== undefined) omitted.brackets.add(compactionId)
    if (heads[op.seq - 1]?.type === 'compact/prune') omitted.seqs.add(op.seq - 1)
  }
  return omitted
}

const usageOf = (usage: Usage | undefined): object =>
  usage === undefined
    ? {}
    : {
        usage: {
          inputTokens: usage.input_tokens,
          outputTokens: usage.output_tokens,
          ...(usage.cache_read_input_tokens !== undefined && {
            cacheReadTokens: usage.cache_read_input_tokens,
          }),
          ...(usage.cache_creation_input_tokens !== undefined && {
            cacheWriteTokens: usage.cache_creation_input_tokens,
          }),
        },
      }

const argumentsText = (input: Json, raw?: string): string => raw ?? JSON.stringify(input)

function blockOf(block: Block): object[] {
  if (!isKnown(block)) return [{ type: 'text', text: JSON.stringify(block) }]
  switch (block.type) {
    case 'text':
      return [block]
    case 'thinking':
      return [{ type: 'reasoning', text: block.thinking }]
    case 'redacted_thinking':
      return []
    case 'tool_use':
      return [
        {
          type: 'tool-call',
          id: block.id,
          name: block.name,
          arguments: argumentsText(block.input),
        },
      ]
    case 'tool_result':
      return block.content.flatMap(blockOf)
    case 'image':
    case 'document': {
      const { media_type: type, bytes } = block.source
      return [{ type: 'text', text: `[${block.type}: ${type}, ${bytes} bytes]` }]
    }
  }
}

const blocksOf = (blocks: readonly Block[]): object[] => blocks.flatMap(blockOf)

function userRow({ data }: EventOf<'user/message'>): Row {
  const { id, content, source } = data
  const from =
    source.kind === 'human'
      ? { kind: 'user' }
      : source.kind === 'checkpoint'
        ? { kind: 'plugin', plugin: 'compact', compactionId: source.compactionId }
        : { kind: 'plugin', plugin: 'notice' }
  const said = { id, role: 'user', content: blocksOf(content), source: from }
  return { type: 'user/message', data: said }
}

/** A provider's name in their own logs: what came from one of them was marked with its format here. */
const ownName = (provider: string | undefined): string | undefined =>
  provider?.replace(/^dsh\//, '')

function assistantRow({ data }: EventOf<'assistant/message'>): Row {
  const { id, content, provider, model, turn, step, usage, interrupted } = data
  const source = { kind: 'model', provider: ownName(provider), model }
  const message = { id, role: 'assistant', content: blocksOf(content), source }
  return {
    type: 'assistant/message',
    data: { turn, step, message, ...usageOf(usage), ...(interrupted && { interrupted }) },
  }
}

function resultRow({ data }: EventOf<'tool/result'>): Row {
  const { id, callId: toolCallId, content, isError, turn, step } = data
  const result = { type: 'tool-result', toolCallId, content: blocksOf(content), isError }
  const source = { kind: 'tool', callId: toolCallId }
  const message = { id, role: 'user', content: [result], source }
  return { type: 'tool/result', data: { turn, step, message } }
}

function summaryRow({ data }: EventOf<'compact/summary'>): Row {
  const { compactionId, summary, provider, model, maxTokens, usage } = data
  const { shadowedRange, shadowedSeqs, shadowedTokenCount } = data
  const text = [{ type: 'text', text: summary }]
  const shadowed = { shadowedRange, shadowedSeqs, shadowedTokenCount }
  const by = { provider, model, maxTokens, ...usageOf(usage) }
  return {
    type: 'compaction/summary',
    data: { compactionId, summary: text, ...shadowed, ...by },
  }
}

function startRow({ data }: EventOf<'compact/start'>): Row {
  const { compactionId, turn, trigger } = data
  const isAsked = trigger === 'manual' || trigger === 'region'
  const command = isAsked ? { sourceCommandId: 'compact' } : {}
  return { type: 'compaction/start', data: { compactionId, turn, ...command } }
}

function rowOf(event: SessionEvent): Row | null {
  switch (event.type) {
    case 'user/message':
      return userRow(event)
    case 'assistant/message':
      return assistantRow(event)
    case 'tool/result':
      return resultRow(event)
    case 'tool/call': {
      const { turn, step, callId, name, input, raw } = event.data
      const data = { turn, step, callId, name, arguments: argumentsText(input, raw) }
      return { type: event.type, data }
    }
    case 'turn/start':
    case 'step/end':
      return { type: event.type, data: event.data }
    case 'step/start': {
      const { turn, step } = event.data
      return { type: event.type, data: { turn, step } }
    }
    case 'turn/end': {
      const { turn, reason } = event.data
      return { type: event.type, data: { turn, reason: { kind: reason } } }
    }
    case 'session/title': {
      const { title } = event.data
      return { type: event.type, data: { title, messageSeqs: [], source: { kind: 'fallback' } } }
    }
    case 'request/header': {
      const { provider, model, system } = event.data
      const tools = event.data.tools.map(({ input_schema: parameters, ...tool }) => ({
        ...tool,
        parameters,
      }))
      return { type: event.type, data: { header: { config: { provider, model }, system, tools } } }
    }
    case 'compact/start':
      return startRow(event)
    case 'compact/summary':
      return summaryRow(event)
    case 'compact/prune': {
      const { shadowedRange, shadowedSeqs, shadowedTokenCount } = event.data
      const data = { shadowedRange, shadowedSeqs, shadowedTokenCount }
      return { type: 'compaction/prune', data }
    }
    case 'compact/end': {
      const { compactionId, turn, error } = event.data
      return { type: 'compaction/end', data: { compactionId, turn, ...(error && { error }) } }
    }
    default:
      return null
  }
}

function isOmitted(event: SessionEvent, { seqs, brackets }: Omitted): boolean {
  if (seqs.has(event.seq)) return true
  return (
    'compactionId' in event.data &&
    typeof event.data.compactionId === 'string' &&
    brackets.has(event.data.compactionId)
  )
}

/** Their seqs for ours: rows left out leave no gaps. */
function placed(row: Row, places: ReadonlyMap<Seq, Seq>, event: SessionEvent): Row {
  const seqs = (list: readonly Seq[]) => list.flatMap((seq) => places.get(seq) ?? [])
  const at = (seq: Seq) => places.get(seq) ?? seq
  const data = 'shadowedSeqs' in row.data ? { ...row.data } : row.data
  if (event.type === 'compact/summary' || event.type === 'compact/prune') {
    const { shadowedRange, shadowedSeqs } = event.data
    const range = { start: at(shadowedRange.start), end: at(shadowedRange.end) }
    Object.assign(data, { shadowedRange: range, shadowedSeqs: seqs(shadowedSeqs) })
  }
  const { surfaceOp: op } = event
  const sources = 'sourceEventSeqs' in event ? event.sourceEventSeqs : undefined
  return {
    ...row,
    data,
    ...(sources && { sourceEventSeqs: seqs(sources) }),
    ...(op === 'append' && { surfaceOp: op }),
    ...(typeof op === 'object' &&
      op.op === 'replace' && { surfaceOp: { ...op, start: at(op.start), end: at(op.end) } }),
  }
}

async function* lines(
  header: SessionHeader,
  read: () => Many<SessionEvent>,
): AsyncGenerator<string> {
  const heads: EventHead[] = []
  for await (const event of read()) {
    if (event.seq !== heads.length) break
    heads.push(headOf(event))
  }
  const omitted = omittedOf(heads)
  const parentSession = header.parent?.id
  const { id, createdAt } = header
  yield `${JSON.stringify({ type: 'session', version: 0, id, createdAt, parentSession, delegationDepth: 0 })}\n`
  const places = new Map<Seq, Seq>()
  let next = 0
  for await (const event of read()) {
    const row = isEventType(event.type) && !isOmitted(event, omitted) ? rowOf(event) : null
    if (!row) continue
    const { type, data, ...surface } = placed(row, places, event)
    places.set(event.seq, next)
    yield `${JSON.stringify({ type, seq: next, time: event.time, data, ...surface })}\n`
    next += 1
  }
}

/** A session as a DeepSeek Harness log, UTF-8, streamed. `read` is asked twice. */
export const writeDsh = (
  header: SessionHeader,
  read: () => Many<SessionEvent>,
): ReadableStream<Uint8Array> => streamText(lines(header, read))
