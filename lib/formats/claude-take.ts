/** What a row of a Claude Code file says, taken into a log. */

import type { JsonObject } from '../core/message'
import { anthropicPieces, resultContent } from './blocks'
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

async function takeMessage({ keepBlob, builder }: Voice, node: ClaudeNode, row: JsonObject) {
  const message: JsonObject = isRow(row.message) ? row.message : { content: row.message ?? null }
  const pieces = await anthropicPieces(keepBlob, message.content, node.byModel)
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

/** Calls and results as rows of their own, which the first versions wrote. */
async function takeOldRow({ keepBlob, builder }: Voice, node: ClaudeNode, row: JsonObject) {
  const name = textOf(row.name) ?? 'unknown'
  if (row.type === 'tool_use') {
    const [piece] = await anthropicPieces(keepBlob, [row], true)
    if (piece?.kind === 'said') {
      const content = piece.blocks
      builder.assistant(node, { content, provider: FORMAT, id: node.uuid })
    }
    return
  }
  const callId = textOf(row.tool_use_id)
  const content = await resultContent(keepBlob, row.output ?? row.content)
  builder.result(node, { callId, name, content, isError: row.is_error === true })
}

export async function takeRow(voice: Voice, node: ClaudeNode, row: JsonObject): Promise<void> {
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
    await takeOldRow(voice, node, row)
  } else if (row.type === 'attachment') {
    const { prompt } = rowOf(row.attachment)
    const pieces = await anthropicPieces(keepBlob, prompt, false)
    const blocks = pieces.flatMap((piece) => (piece.kind === 'said' ? piece.blocks : []))
    builder.user(node, blocks)
  } else await takeMessage(voice, node, row)
}
