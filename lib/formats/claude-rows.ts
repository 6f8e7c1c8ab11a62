/** What one row of a Claude Code file says: enough to place it in its tree without its body. */

import type { JsonObject } from '../core/message'
import type { Place, Row } from './foreign'
import { isRow, listOf, rowOf, textOf } from './json'

export type ClaudeNode = Place & {
  uuid?: string
  parent?: string
  /** `says`: a message; `boundary`, `micro`: compaction markers; `links`: only a part of the chain. */
  kind: 'says' | 'boundary' | 'micro' | 'summary' | 'title' | 'links'
  byModel: boolean
  /** It hangs beside the conversation: never the end of one. */
  beside: boolean
  sidechain: boolean
  agent?: string
  /** API message id of an assistant row. */
  key?: string
  /** Ids of the calls it makes and of those it answers. */
  calls: readonly string[]
  answers: readonly string[]
  /** Rows a boundary left where they were: what follows it hangs from the last of them. */
  preserved: readonly string[]
}

/** One for all: a file has many rows. */
const NONE: readonly string[] = []

function blockIds(row: JsonObject, type: string, key: string): readonly string[] {
  let ids = NONE
  for (const block of listOf(rowOf(row.message).content)) {
    const id = isRow(block) && block.type === type ? textOf(block[key]) : undefined
    // Pushed to, a list would hold room for sixteen more.
    if (id !== undefined) ids = ids.concat(id)
  }
  return ids
}

function kindOf(row: JsonObject): ClaudeNode['kind'] {
  switch (row.type) {
    case 'user':
      return row.isCompactSummary === true ? 'summary' : 'says'
    case 'assistant':
    case 'tool_use':
    case 'tool_result':
      return 'says'
    case 'system':
      if (row.subtype === 'compact_boundary') return 'boundary'
      return row.subtype === 'microcompact_boundary' ? 'micro' : 'links'
    case 'attachment':
      return rowOf(row.attachment).type === 'queued_command' ? 'says' : 'links'
    case 'summary':
      return textOf(row.uuid) && isRow(row.message) ? 'summary' : 'links'
    case 'custom-title':
    case 'ai-title':
      return 'title'
    default:
      return 'links'
  }
}

export function claudeNode(place: Row, row: JsonObject): ClaudeNode {
  const { index, line, nth, at, bytes, damaged, cut } = place
  return {
    cut,
    index,
    line,
    nth,
    at,
    bytes,
    damaged,
    uuid: textOf(row.uuid),
    parent: textOf(row.parentUuid) ?? textOf(row.logicalParentUuid),
    kind: kindOf(row),
    byModel: row.type === 'assistant' || row.type === 'tool_use',
    beside: row.type === 'attachment',
    sidechain: row.isSidechain === true,
    agent: textOf(row.agentId),
    key: row.type === 'assistant' ? textOf(rowOf(row.message).id) : undefined,
    calls: row.type === 'assistant' ? blockIds(row, 'tool_use', 'id') : NONE,
    preserved: row.subtype === 'compact_boundary' ? preservedOf(row) : NONE,
    answers: row.type === 'user' ? blockIds(row, 'tool_result', 'tool_use_id') : NONE,
  }
}

const both = (row: JsonObject, camel: string, snake: string) => row[camel] ?? row[snake]

/** What a boundary says of its compaction, in either spelling. */
export const metadataOf = (row: JsonObject): JsonObject =>
  rowOf(both(row, 'compactMetadata', 'compact_metadata'))

/** Ids of rows a compaction left where they were. */
function preservedOf(row: JsonObject): string[] {
  const metadata = metadataOf(row)
  const messages = rowOf(both(metadata, 'preservedMessages', 'preserved_messages'))
  const segment = rowOf(both(metadata, 'preservedSegment', 'preserved_segment'))
  return [
    ...listOf(messages.uuids),
    both(segment, 'headUuid', 'head_uuid'),
    both(segment, 'tailUuid', 'tail_uuid'),
  ].flatMap((id) => textOf(id) ?? [])
}

/** Whether a row that only links says nothing, wherever it stands. */
export const isSilent = ({ type, message, attachment }: JsonObject): boolean =>
  ((type === 'attachment' ? rowOf(attachment).prompt : message) ?? null) === null

/** Why a row becomes no event, in words for people. */
export function inertReason(row: JsonObject): string {
  const type = textOf(row.type) ?? 'no type'
  if (type === 'system') return `a system row (${textOf(row.subtype) ?? 'of no kind'})`
  if (type === 'attachment') {
    return `an attachment row (${textOf(rowOf(row.attachment).type) ?? 'of no kind'})`
  }
  return `a row that is no message (${type})`
}
