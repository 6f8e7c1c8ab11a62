/**
 * opencode exports: `{info, messages: [{info, parts}]}`. A compaction is a user message with a `compaction`
 * part, then an assistant message marked `summary`; pruned tools carry the time they were cleared at.
 */

import type { Block, JsonObject } from '../core/message'
import { imageFromUrl, textBlock, textBlocks } from './blocks'
import type { Builder } from './builder'
import { compact, pruneResults } from './compactions'
import { placeInside, readRecords } from './documents'
import type { ForeignFile, KeepBlob, Part, Place } from './foreign'
import { argumentsOf, countOf, isRow, listOf, rowOf, showJson, textOf, timeOf } from './json'
import { createSessions, type Sessions } from './session'

const FORMAT = 'opencode'

type Message = { at: Place; info: JsonObject; parts: JsonObject[] }

type Writing = {
  builder: Builder
  keepBlob: KeepBlob
  /** Row of each message by its id, for what a compaction keeps. */
  rowOfId: Map<string, number>
  /** The message that asked for the compaction whose summary comes next. */
  asked: { at: Place; part: JsonObject } | null
  pruned: { at: Place; callId: string }[]
}

async function partBlocks(
  keepBlob: KeepBlob,
  part: JsonObject,
  byModel: boolean,
): Promise<Block[]> {
  switch (part.type) {
    case 'text':
      return part.ignored === true ? [] : textBlocks(part.text)
    case 'reasoning':
      return byModel ? [{ type: 'thinking', thinking: showJson(part.text), signature: '' }] : []
    case 'file': {
      const mime = textOf(part.mime) ?? ''
      if (mime.startsWith('image/')) return [await imageFromUrl(keepBlob, textOf(part.url))]
      return [textBlock(`[file: ${textOf(part.filename) ?? textOf(part.url) ?? 'unnamed'}]`)]
    }
    case 'tool':
      return [
        {
          type: 'tool_use',
          id: textOf(part.callID) ?? '',
          name: textOf(part.tool) ?? 'unknown',
          input: argumentsOf(rowOf(part.state).input),
        },
      ]
    default:
      return []
  }
}

const wholeUsage = ({ tokens }: JsonObject) => {
  const { input, output, cache } = rowOf(tokens)
  const [input_tokens, output_tokens] = [countOf(input), countOf(output)]
  if (input_tokens === undefined || output_tokens === undefined) return undefined
  const { read, write } = rowOf(cache)
  return {
    input_tokens,
    output_tokens,
    cache_read_input_tokens: countOf(read) ?? 0,
    cache_creation_input_tokens: countOf(write) ?? 0,
  }
}

function takeResults({ builder, pruned }: Writing, { at, parts }: Message): void {
  for (const part of parts) {
    if (part.type !== 'tool') continue
    const state = rowOf(part.state)
    const callId = textOf(part.callID)
    if (state.status !== 'completed' && state.status !== 'error') continue
    const isError = state.status === 'error'
    const content = textBlocks(isError ? state.error : state.output)
    builder.result(at, { callId, content, isError })
    if (callId && rowOf(state.time).compacted !== undefined) pruned.push({ at, callId })
  }
}

function takeSummary(writing: Writing, { at, info, parts }: Message): void {
  const { builder, asked, rowOfId } = writing
  writing.asked = null
  const summary = parts
    .flatMap((part) => (part.type === 'text' ? (textOf(part.text) ?? []) : []))
    .join('\n')
  const tail = textOf(asked?.part.tail_start_id)
  compact(builder, at, () => {
    const from = tail === undefined ? undefined : rowOfId.get(tail)
    const keepFrom =
      from === undefined
        ? undefined
        : builder.rows.findIndex(
            ({ first }, seq) => first >= from && builder.log.heads[seq]?.op === 'append',
          )
    return {
      id: textOf(info.id) ?? `compaction-${at.index}`,
      trigger:
        asked?.part.overflow === true
          ? 'context-overflow'
          : asked?.part.auto === false
            ? 'manual'
            : 'pressure',
      summary,
      opaque: summary === '',
      certainty: keepFrom === undefined ? 'derived' : 'exact',
      keepFrom: keepFrom !== undefined && keepFrom >= 0 ? keepFrom : undefined,
      model: textOf(info.modelID),
    }
  })
  if (asked) builder.took(asked.at)
}

async function takeMessage(writing: Writing, message: Message): Promise<void> {
  const { builder, keepBlob } = writing
  const { at, info, parts } = message
  const byModel = info.role === 'assistant'
  builder.setTime(timeOf(rowOf(info.time).created))
  const marker = parts.find(({ type }) => type === 'compaction')
  if (marker && !byModel) {
    writing.asked = { at, part: marker }
    return
  }
  if (byModel && info.summary === true) return takeSummary(writing, message)
  const blocks: Block[] = []
  for (const part of parts) blocks.push(...(await partBlocks(keepBlob, part, byModel)))
  if (!byModel) {
    const isNotice = parts.length > 0 && parts.every((part) => part.synthetic === true)
    return builder.user(at, blocks, { kind: isNotice ? 'notice' : 'human' }, textOf(info.id))
  }
  builder.assistant(at, {
    content: blocks,
    id: textOf(info.id),
    provider: `${FORMAT}/${textOf(info.providerID) ?? 'unknown'}`,
    model: textOf(info.modelID),
    stopReason: textOf(info.finish),
    usage: wholeUsage(info),
  })
  takeResults(writing, message)
}

async function* readSession(
  file: ForeignFile,
  sessions: Sessions,
  row: Place,
  value: JsonObject,
): AsyncGenerator<Part> {
  const info = rowOf(value.info)
  const messages = listOf(value.messages)
    .filter(isRow)
    .map((message, n) => ({
      at: placeInside(row, n),
      info: rowOf(message.info),
      parts: listOf(message.parts).filter(isRow),
    }))
  const id = textOf(info.id)
  const createdAt = timeOf(rowOf(info.time).created)
  const { builder, opened } = sessions.begin({
    format: FORMAT,
    id: id ?? (row.index === 0 ? undefined : `${sessions.fallbackId(FORMAT)}-${row.index}`),
    createdAt,
    toolVersion: textOf(info.version),
    parent: textOf(info.parentID) ? { id: textOf(info.parentID) as string, seq: 0 } : undefined,
  })
  yield opened
  builder.took(row)
  builder.setTime(createdAt)
  const title = textOf(info.title)
  if (title) builder.title(row, title)
  const rowOfId = new Map(
    messages.flatMap(({ at, info }) =>
      textOf(info.id) ? [[textOf(info.id) as string, at.index] as const] : [],
    ),
  )
  const writing: Writing = { builder, keepBlob: file.keepBlob, rowOfId, asked: null, pruned: [] }
  for (const message of messages) {
    await takeMessage(writing, message)
    yield* builder.drain()
  }
  if (writing.asked) builder.keep(writing.asked.at, 'a compaction that has no summary')
  // When a result was cleared is known only as a time, and times are labels: it counts from the end.
  for (const { at, callId } of writing.pruned) pruneResults(builder, at, [callId], 'pressure')
  yield* builder.finish()
}

export async function* readOpencode(file: ForeignFile): AsyncGenerator<Part> {
  const sessions = createSessions(file)
  for await (const row of readRecords(file)) {
    if (isRow(row.value) && Array.isArray(row.value.messages)) {
      yield* readSession(file, sessions, row, row.value)
    } else sessions.keep(row, 'it is no session')
  }
}
