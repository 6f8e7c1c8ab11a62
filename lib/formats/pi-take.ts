/** What an entry of a pi file says, taken into a log. */

import type { Block, JsonObject } from '../core/message'
import { anthropicPieces, resultContent, type Soon, soon, textBlock, textBlocks } from './blocks'
import type { Builder } from './builder'
import { compact, type FirstNode } from './compactions'
import type { ForeignFile, Place } from './foreign'
import { countOf, numberOf, rowOf, textOf, timeOf, usageOf } from './json'

export const FORMAT = 'pi'
const USAGE = { input: 'input', output: 'output', read: 'cacheRead', write: 'cacheWrite' }

export type Entry = Place & { id?: string; parent?: string; speaks: boolean }

/** A writer of one session: what must be known of it while its entries are taken. */
export type Writing = {
  file: ForeignFile
  builder: Builder
  /** All entries of the file by id and by place, for what compactions name. */
  indexOf: ReadonlyMap<string, number>
  entries: readonly Entry[]
  /** What the first node says without the summary laid before it. */
  first: FirstNode | null
}

const callsAs = (content: unknown): JsonObject[] =>
  (Array.isArray(content) ? content : []).map((block) => {
    const row = rowOf(block)
    if (row.type === 'toolCall') {
      return {
        type: 'tool_use',
        id: row.id ?? '',
        name: row.name ?? '',
        input: row.arguments ?? {},
      }
    }
    if (row.type === 'thinking') {
      return {
        type: 'thinking',
        thinking: row.thinking ?? '',
        signature: row.thinkingSignature ?? '',
      }
    }
    if (row.type === 'image' && row.source === undefined) {
      const source = { type: 'base64', media_type: row.mimeType ?? '', data: row.data ?? '' }
      return { type: 'image', source }
    }
    return row
  })

function blocksOf(
  { file }: Writing,
  content: JsonObject[string] | undefined,
  byModel: boolean,
): Soon<Block[]> {
  const given = Array.isArray(content) ? callsAs(content) : content
  return soon(anthropicPieces(file.keepBlob, given, byModel), (pieces) =>
    pieces.flatMap((piece) => (piece.kind === 'said' ? piece.blocks : piece.content)),
  )
}

function takeUser(writing: Writing, at: Place, content: Block[], kind: 'human' | 'notice'): void {
  const { builder } = writing
  builder.user(at, content, { kind })
  builder.inOrder(at, () => {
    const seq = builder.log.heads.findIndex(({ op }) => op === 'append')
    if (writing.first === null && seq >= 0 && builder.rows[seq]?.first === at.index) {
      writing.first = { seq, content }
    }
  })
}

function takeMessage(writing: Writing, at: Place, message: JsonObject): Soon<void> {
  const { builder, file } = writing
  switch (message.role) {
    case 'assistant':
      return soon(blocksOf(writing, message.content, true), (content) =>
        builder.assistant(at, {
          content,
          provider: `${FORMAT}/${textOf(message.provider) ?? 'unknown'}`,
          model: textOf(message.model),
          stopReason: textOf(message.stopReason),
          usage: usageOf(message.usage, USAGE),
          interrupted: message.stopReason === 'aborted',
        }),
      )
    case 'toolResult': {
      const given = Array.isArray(message.content) ? callsAs(message.content) : message.content
      return soon(resultContent(file.keepBlob, given), (content) =>
        builder.result(at, {
          callId: textOf(message.toolCallId),
          name: textOf(message.toolName),
          content,
          isError: message.isError === true,
        }),
      )
    }
    case 'bashExecution': {
      const said = `$ ${textOf(message.command) ?? ''}\n${textOf(message.output) ?? ''}`
      if (message.excludeFromContext === true)
        return builder.keep(at, 'a command kept from the model')
      return takeUser(writing, at, [textBlock(said)], 'notice')
    }
    case 'user':
      return soon(blocksOf(writing, message.content, false), (content) =>
        takeUser(writing, at, content, 'human'),
      )
    default: {
      const content = textBlocks(message.summary ?? message.content)
      return takeUser(writing, at, content, 'notice')
    }
  }
}

/** The first node on the surface that was read from the kept entry or one after it. */
function keptNode(
  { builder, indexOf, entries }: Writing,
  value: JsonObject,
): number | null | undefined {
  const id = textOf(value.firstKeptEntryId)
  const index = countOf(value.firstKeptEntryIndex)
  // Version 1 counts the file's records, the header among them.
  const from = id !== undefined ? indexOf.get(id) : index
  if (from === undefined) return id === undefined ? undefined : null
  if (entries.length === 0) return undefined
  const seq = builder.rows.findIndex(
    ({ first }, at) => first >= from && builder.log.heads[at]?.op === 'append',
  )
  return seq < 0 ? undefined : seq
}

function takeCompaction(writing: Writing, at: Place, value: JsonObject): void {
  const { builder } = writing
  const isNamed = textOf(value.firstKeptEntryId) !== undefined
  compact(
    builder,
    at,
    () => ({
      id: textOf(value.id) ?? `compaction-${at.index}`,
      trigger: 'pressure',
      summary: textOf(value.summary) ?? '',
      opaque: textOf(value.summary) === undefined,
      certainty: isNamed ? 'exact' : 'derived',
      measured: numberOf(value.tokensBefore),
      keepFrom: keptNode(writing, value),
    }),
    () => writing.first,
  )
  const { heads, history } = builder.log
  const checkpoint = heads.findLast(({ kind }) => kind === 'checkpoint')
  // A later compaction that keeps everything repeats what this one carried.
  if (
    checkpoint &&
    writing.first &&
    history.replacementOf(writing.first.seq, heads.length - 1) === checkpoint.seq
  ) {
    writing.first = { ...writing.first, seq: checkpoint.seq }
  }
}

export function takeEntry(writing: Writing, at: Place, value: JsonObject): Soon<void> {
  const { builder } = writing
  builder.setTime(timeOf(value.timestamp) ?? timeOf(rowOf(value.message).timestamp))
  switch (value.type) {
    case 'message':
      return takeMessage(writing, at, rowOf(value.message))
    case 'custom_message':
      return soon(blocksOf(writing, value.content, false), (content) =>
        takeUser(writing, at, content, 'notice'),
      )
    case 'branch_summary':
      return takeUser(writing, at, textBlocks(value.summary), 'notice')
    case 'compaction':
      return takeCompaction(writing, at, value)
    case 'session_info': {
      const name = textOf(value.name)
      return name ? builder.title(at, name, 'human') : builder.keep(at, 'facts about the session')
    }
    default:
      return builder.keep(at, `an entry that is no message (${textOf(value.type) ?? 'no type'})`)
  }
}
