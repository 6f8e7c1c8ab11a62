/** What DeepSeek Harness puts on its surface: messages, results, replacements and compactions. */

import type { SurfaceOp } from '../core/event'
import { surfaceNodes } from '../core/log'
import type { Block, Json, JsonObject } from '../core/message'
import { anthropicPieces, isBlank, resultContent, type Soon, soon, textBlock } from './blocks'
import { compact, pruneDrafts } from './compactions'
import type { ForeignFile, Place, Row } from './foreign'
import {
  argumentsOf,
  countOf,
  isRow,
  listOf,
  numberOf,
  rowOf,
  textOf,
  usageOf,
  wordsOf,
} from './json'
import type { Opened } from './session'

export const FORMAT = 'dsh'
const USAGE = {
  input: 'inputTokens',
  output: 'outputTokens',
  read: 'cacheReadTokens',
  write: 'cacheWriteTokens',
}

export type Reading = {
  file: ForeignFile
  session: Opened
  /** Their seq → ours, for surface nodes. */
  nodes: Map<number, number>
  /** The seq the next row has if it says none. */
  next: number
  /** A bracket that was opened and waits for its summary, and the summary that waits for its message. */
  start: { at: Place; data: JsonObject } | null
  summary: { at: Place; data: JsonObject } | null
  prune: { at: Place; data: JsonObject } | null
}

/** Both spellings of a replace. */
export function opOf(value: Json | undefined): { start: number; end: number } | 'append' | null {
  if (value === 'append') return 'append'
  const op = rowOf(value)
  const start = countOf(op.start ?? op.startSeq)
  const end = countOf(op.end ?? op.endSeq)
  return op.op === 'replace' && start !== undefined && end !== undefined ? { start, end } : null
}

/** Their blocks spell calls otherwise. */
const renamed = (content: Json | undefined): Json =>
  listOf(content).map((block) => {
    if (!isRow(block)) return block
    if (block.type === 'tool-call') {
      return {
        type: 'tool_use',
        id: block.id ?? '',
        name: block.name ?? '',
        input: argumentsOf(block.arguments),
      }
    }
    if (block.type === 'reasoning') return { type: 'thinking', thinking: block.text ?? '' }
    return block
  })

function saidBlocks({ file }: Reading, content: Json | undefined, byModel: boolean): Soon<Block[]> {
  const given = Array.isArray(content) ? renamed(content) : content
  return soon(anthropicPieces(file.keepBlob, given, byModel), (pieces) =>
    pieces.flatMap((piece) => (piece.kind === 'said' ? piece.blocks : piece.content)),
  )
}

/** Remembers which of our nodes their seq became, once it is written. */
export function remember(reading: Reading, seq: number, row: Row): void {
  const { builder } = reading.session
  builder.inOrder(row, () => {
    const ours = builder.rows.findLastIndex(
      ({ first }, at) => first === row.index && builder.log.heads[at]?.op !== undefined,
    )
    if (ours >= 0) reading.nodes.set(seq, ours)
  })
}

export function takeUser(
  reading: Reading,
  row: Row,
  data: JsonObject,
  op: SurfaceOp | object | null,
): Soon<void> {
  const { builder } = reading.session
  const source = rowOf(data.source)
  return soon(saidBlocks(reading, data.content, false), (content) => {
    if (op !== 'append' && op !== null) return takeReplace(reading, row, data, content, op as Span)
    const isHuman = source.kind === undefined || source.kind === 'user'
    builder.user(row, content, { kind: isHuman ? 'human' : 'notice' }, textOf(data.id))
  })
}

type Span = { start: number; end: number }

/** Our nodes for their span; undefined where the file does not hold them. */
function rangeOf({ nodes }: Reading, span: Span): Span | undefined {
  const [start, end] = [nodes.get(span.start), nodes.get(span.end)]
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** A replace is a compaction's checkpoint, or a message that took the place of others without one. */
function takeReplace(
  reading: Reading,
  row: Row,
  data: JsonObject,
  content: Block[],
  span: Span,
): void {
  const { builder } = reading.session
  const { summary, start } = reading
  reading.summary = null
  reading.start = null
  if (!summary) {
    if (start) builder.keep(start.at, 'a compaction that was not finished')
    return void takePlainReplace(reading, row, content, span)
  }
  const fields = summary.data
  const id = textOf(fields.compactionId) ?? textOf(rowOf(data.source).compactionId)
  compact(builder, row, () => {
    const range = rangeOf(reading, span)
    const said = wordsOf(fields.summary)
    return {
      id: id ?? `replace-${row.index}`,
      trigger: start?.data.sourceCommandId === undefined ? 'pressure' : 'manual',
      summary: said,
      opaque: said === '',
      checkpoint: content.length > 0 ? content : undefined,
      certainty: range ? 'exact' : 'unknown',
      range,
      tokens: numberOf(fields.shadowedTokenCount),
      provider: textOf(fields.provider),
      model: textOf(fields.model),
      maxTokens: countOf(fields.maxTokens),
      usage: usageOf(fields.usage, USAGE),
    }
  })
  for (const part of [start, summary]) if (part) builder.took(part.at)
}

function takePlainReplace(reading: Reading, row: Row, content: Block[], span: Span): void {
  const { builder } = reading.session
  builder.inOrder(row, () => {
    const range = rangeOf(reading, span)
    const nodes = surfaceNodes(builder.log)
    const from = range ? nodes.indexOf(range.start) : -1
    const to = range ? nodes.indexOf(range.end) : -1
    if (isBlank(content)) return builder.keep(row, 'its message holds nothing')
    if (!range || from < 0 || to < from) {
      return builder.keep(row, 'it replaces messages that are not on the surface')
    }
    builder.append(row, [
      {
        type: 'user/message',
        data: { id: `m${builder.log.heads.length}`, content, source: { kind: 'notice' } },
        surfaceOp: { op: 'replace', ...range },
        sourceEventSeqs: nodes.slice(from, to + 1),
      },
    ])
  })
}

export function takeAssistant(reading: Reading, row: Row, data: JsonObject): Soon<void> {
  const message = rowOf(data.message)
  const source = rowOf(message.source)
  return soon(saidBlocks(reading, message.content, true), (content) =>
    reading.session.builder.assistant(row, {
      content,
      id: textOf(message.id),
      provider: `${FORMAT}/${textOf(source.provider) ?? 'unknown'}`,
      model: textOf(source.model),
      usage: usageOf(data.usage, USAGE),
      turn: countOf(data.turn),
      step: countOf(data.step),
      interrupted: data.interrupted === true,
    }),
  )
}

/** A result in place of another. */
function takePruned(reading: Reading, row: Row, content: Block[], span: Span | null): void {
  const { prune, nodes } = reading
  const { builder } = reading.session
  reading.prune = null
  builder.inOrder(row, () => {
    const target = span ? nodes.get(span.start) : undefined
    if (target === undefined)
      return builder.keep(row, 'it replaces a result that is not on the surface')
    builder.append(row, pruneDrafts(builder.log, target, content, 'pressure'))
    if (prune) builder.took(prune.at)
  })
}

export function takeResult(
  reading: Reading,
  row: Row,
  data: JsonObject,
  op: SurfaceOp | object | null,
): Soon<void> {
  const { file, session } = reading
  const message = rowOf(data.message)
  const block = rowOf(listOf(message.content).find((part) => rowOf(part).type === 'tool-result'))
  return soon(resultContent(file.keepBlob, block.content ?? message.content), (content) => {
    if (op !== 'append') return takePruned(reading, row, content, op as Span | null)
    session.builder.result(row, {
      id: textOf(message.id),
      callId: textOf(block.toolCallId) ?? textOf(rowOf(message.source).callId),
      content: content.length > 0 ? content : [textBlock('(no output)')],
      isError: block.isError === true,
      turn: countOf(data.turn),
      step: countOf(data.step),
    })
  })
}
