/** A span of the conversation as plain text, for a summariser that does not take part in it (C10). */

import type { Seq, SurfaceEvent } from './event'
import { messageOf } from './head'
import { type Block, isKnown, isToolUse } from './message'
import { isRecalled, pointerBack } from './recall'
import { assertNever } from './result'

const mediaText = (block: Extract<Block, { type: 'image' | 'document' }>): string => {
  const { source } = block as { source?: { media_type?: string; bytes?: number } }
  return `[${block.type}: ${source?.media_type ?? 'unknown type'}, ${source?.bytes ?? '?'} bytes]`
}

/** Thinking is not part of what was said; every other block leaves a trace (C10: nothing silently). */
function blockText(block: Block): string {
  if (!isKnown(block)) return `[${block.type}: ${JSON.stringify(block)}]`
  switch (block.type) {
    case 'text':
      return block.text
    case 'thinking':
    case 'redacted_thinking':
      return ''
    case 'tool_use':
      return `call ${block.name} ${JSON.stringify(block.input)}`
    case 'image':
    case 'document':
      return mediaText(block)
    case 'tool_result':
      return blocksText(block.content)
    default:
      return assertNever(block)
  }
}

const blocksText = (blocks: readonly Block[]): string =>
  blocks
    .map(blockText)
    .filter((text) => text.trim() !== '')
    .join('\n')

function titleOf(event: SurfaceEvent, names: ReadonlyMap<string, string>): string {
  switch (event.type) {
    case 'user/message':
      if (event.data.source.kind === 'checkpoint') return 'summary of what came before'
      return event.data.source.kind === 'notice' ? 'notice' : 'user'
    case 'assistant/message':
      return event.data.interrupted ? 'assistant (interrupted)' : 'assistant'
    case 'tool/result': {
      const name = event.data.name ?? names.get(event.data.callId) ?? 'tool'
      return event.data.isError ? `error from ${name}` : `result of ${name}`
    }
    default:
      return assertNever(event)
  }
}

/** One node's share of a transcript: a title line, and what it says below. */
export type Entry = { seq: Seq; text: string }
/** Stands between entries. */
export const ENTRY_GAP = '\n\n'

/**
 * Nodes in surface order as `#seq kind` entries with their text below; a node that derives no message has
 * none (S9). Tool names of results come from the calls among the same nodes where the result itself does
 * not say. A recalled result is named, not repeated (K3).
 */
export function renderEntries(nodes: readonly SurfaceEvent[]): Entry[] {
  const names = new Map<string, string>()
  for (const node of nodes) {
    if (node.type !== 'assistant/message') continue
    for (const call of node.data.content.filter(isToolUse)) names.set(call.id, call.name)
  }
  return nodes
    .filter((node) => messageOf(node) !== null)
    .map((node) => {
      const called = node.type === 'tool/result' ? names.get(node.data.callId) : undefined
      const said = isRecalled(node, called) ? pointerBack(node) : blocksText(node.data.content)
      const text = `#${node.seq} ${titleOf(node, names)}\n${said}`
      return { seq: node.seq, text: text.trimEnd() }
    })
}

/** Those entries as one text. */
export const renderTranscript = (nodes: readonly SurfaceEvent[]): string =>
  renderEntries(nodes)
    .map(({ text }) => text)
    .join(ENTRY_GAP)
