/** What a row of a Claude Code file says, taken into a log. */

import type { JsonObject } from '../core/message'
import { anthropicPieces, type Piece, resultContent, type Soon, soon } from './blocks'
import type { Builder } from './builder'
import { type ClaudeNode, inertReason, metadataOf } from './claude-rows'
import { compact, pruneResults } from './compactions'
import type { KeepBlob } from './foreign'
import {
  ANTHROPIC_USAGE,
  isRow,
  listOf,
  numberOf,
  rowOf,
  textOf,
  timeOf,
  usageOf,
  wordsOf,
} from './json'

/** Of the format; the provider of what it says too. */
export const FORMAT = 'claude-code'

const both = (row: JsonObject, camel: string, snake: string) => row[camel] ?? row[snake]

const triggerOf = (metadata: JsonObject) => (metadata.trigger === 'manual' ? 'manual' : 'pressure')

/** The first node on the surface that a preserved row became. */
function firstPreserved(builder: Builder, rows: ReadonlySet<number>): number | undefined {
  if (rows.size === 0) return undefined
  const seq = builder.rows.findIndex(
    ({ first, last }, at) =>
      (rows.has(first) || rows.has(last)) && builder.log.heads[at]?.op === 'append',
  )
  return seq < 0 ? undefined : seq
}

export function takeBoundary(
  builder: Builder,
  node: ClaudeNode,
  row: JsonObject,
  summary: { node: ClaudeNode; row: JsonObject } | null,
  uuids: ReadonlyMap<string, number>,
): void {
  builder.setTime(timeOf(row.timestamp))
  const metadata = metadataOf(row)
  const preserved = new Set(node.preserved.flatMap((id) => uuids.get(id) ?? []))
  const said = summary ? wordsOf(rowOf(summary.row.message).content) : ''
  const trigger = triggerOf(metadata)
  compact(builder, node, () => ({
    id: node.uuid ?? `compaction-${node.index}`,
    trigger,
    summary: said,
    ...(said === '' ? { opaque: true } : {}),
    certainty: 'derived',
    measured: numberOf(both(metadata, 'preTokens', 'pre_tokens')),
    instructions: textOf(both(metadata, 'userContext', 'user_context')),
    until: summary?.node,
    keepFrom: firstPreserved(builder, preserved),
  }))
  if (summary) builder.took(summary.node)
}

export type Voice = { keepBlob: KeepBlob; builder: Builder }

function takePieces(
  builder: Builder,
  node: ClaudeNode,
  row: JsonObject,
  message: JsonObject,
  pieces: readonly Piece[],
): void {
  if (pieces.length === 0) builder.keep(node, 'its message holds nothing')
  for (const piece of pieces) {
    if (piece.kind === 'result') builder.result(node, piece)
    else if (!node.byModel || message.model === '<synthetic>') {
      const isNotice = row.isMeta === true || node.byModel || row.isCompactSummary === true
      builder.user(node, piece.blocks, { kind: isNotice ? 'notice' : 'human' })
    } else {
      builder.assistant(node, {
        content: piece.blocks.filter(({ type }) => type !== 'fallback'),
        key: node.key,
        isId: true,
        id: node.key ?? node.uuid,
        provider: FORMAT,
        model: textOf(message.model),
        stopReason: textOf(message.stop_reason),
        usage: usageOf(message.usage, ANTHROPIC_USAGE),
        interrupted: row.isAbortedMidStream === true,
      })
    }
  }
}

function takeMessage({ keepBlob, builder }: Voice, node: ClaudeNode, row: JsonObject): Soon<void> {
  const message: JsonObject = isRow(row.message) ? row.message : { content: row.message ?? null }
  return soon(anthropicPieces(keepBlob, message.content, node.byModel), (pieces) =>
    takePieces(builder, node, row, message, pieces),
  )
}

/** Calls and results as rows of their own, which the first versions wrote. */
function takeOldRow({ keepBlob, builder }: Voice, node: ClaudeNode, row: JsonObject): Soon<void> {
  if (row.type === 'tool_use') {
    return soon(anthropicPieces(keepBlob, [row], true), ([piece]) => {
      if (piece?.kind !== 'said') return
      builder.assistant(node, { content: piece.blocks, provider: FORMAT, id: node.uuid })
    })
  }
  const name = textOf(row.name) ?? 'unknown'
  const callId = textOf(row.tool_use_id)
  return soon(resultContent(keepBlob, row.output ?? row.content), (content) =>
    builder.result(node, { callId, name, content, isError: row.is_error === true }),
  )
}

export function takeRow(voice: Voice, node: ClaudeNode, row: JsonObject): Soon<void> {
  const { builder, keepBlob } = voice
  builder.setTime(timeOf(row.timestamp))
  if (node.kind === 'title') {
    const title = textOf(row.customTitle) ?? textOf(row.aiTitle)
    if (title) builder.title(node, title, row.type === 'custom-title' ? 'human' : 'automatic')
    else builder.keep(node, inertReason(row))
  } else if (node.kind === 'micro') {
    const metadata = rowOf(row.microcompactMetadata ?? row.microcompact_metadata)
    const ids = listOf(both(metadata, 'compactedToolIds', 'compacted_tool_ids'))
    const cause = metadata.trigger === 'manual' ? 'manual' : 'micro'
    pruneResults(
      builder,
      node,
      ids.flatMap((id) => textOf(id) ?? []),
      cause,
    )
  } else if (row.type === 'tool_use' || row.type === 'tool_result') {
    return takeOldRow(voice, node, row)
  } else if (row.type === 'attachment') {
    const { prompt } = rowOf(row.attachment)
    return soon(anthropicPieces(keepBlob, prompt, false), (pieces) =>
      builder.user(
        node,
        pieces.flatMap((piece) => (piece.kind === 'said' ? piece.blocks : [])),
      ),
    )
  } else return takeMessage(voice, node, row)
}
