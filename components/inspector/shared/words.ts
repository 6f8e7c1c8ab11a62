/** Events and nodes in words: from the head at once, from the body when it is here. */

import { exact, firstLine } from '@/components/ui/format'
import { readableRecord } from '@/lib/core/checkpoint'
import type { EventHead, SessionEvent } from '@/lib/core/event'
import { type Block, isText, isToolUse, textOf } from '@/lib/core/message'

/** How a trigger or cause is called on screen. */
export const TRIGGERS: Record<string, string> = {
  pressure: 'auto (pressure)',
  'context-overflow': 'auto (overflow)',
  manual: 'manual',
  model: 'asked for by the model',
  region: 'region',
  micro: 'micro',
  overflow: 'overflow',
}

const mediaWord = (block: Block): string => {
  if (block.type === 'image') return '[image]'
  if (block.type === 'document') return '[document]'
  if (block.type === 'thinking') return '[thinking]'
  return isToolUse(block) ? `${block.name} ${JSON.stringify(block.input)}` : `[${block.type}]`
}

/** Blocks as plain text, calls as name and JSON. */
export const plainBlocks = (blocks: readonly Block[]): string =>
  blocks.map((block) => (isText(block) ? block.text : mediaWord(block))).join('\n')

/** The text of an event worth copying; JSON where it has no text of its own. */
export function plainText(event: SessionEvent): string {
  switch (event.type) {
    case 'user/message':
    case 'assistant/message':
    case 'tool/result': {
      const text = plainBlocks(event.data.content)
      return isCheckpoint(event) ? readableRecord(text) : text
    }
    case 'compact/summary':
    case 'compact/draft':
    case 'compact/window':
      return event.data.summary
    default:
      return JSON.stringify(event.data, null, 2)
  }
}

/** One line of an event's body. */
export function previewOf(event: SessionEvent): string {
  switch (event.type) {
    case 'user/message':
    case 'assistant/message': {
      const whole = textOf(event.data.content)
      const text = firstLine(isCheckpoint(event) ? afterHeading(readableRecord(whole)) : whole)
      const rest = event.data.content.filter((block) => !isText(block) && block.type !== 'thinking')
      return [text, ...rest.map((block) => firstLine(mediaWord(block), 80))]
        .filter(Boolean)
        .join('  ')
    }
    case 'tool/call':
      return firstLine(JSON.stringify(event.data.input))
    case 'tool/result':
      return firstLine(plainBlocks(event.data.content))
    case 'session/title':
      return event.data.title
    case 'request/header':
      return `${event.data.provider} · ${event.data.model} · ${event.data.tools.length} tools · ${event.data.policy.preset}`
    case 'request/failed':
      return event.data.error.message
    case 'compact/summary':
    case 'compact/draft':
    case 'compact/window':
      return firstLine(afterHeading(event.data.summary))
    case 'compact/start':
      return event.data.instructions ? `focus: ${event.data.instructions}` : headWords(event)
    case 'compact/end':
      return event.data.error?.message ?? ''
    default:
      return ''
  }
}

export const isCheckpoint = (event: SessionEvent): boolean =>
  event.type === 'user/message' && event.data.source.kind === 'checkpoint'

/** A summary is framed and cut into sections; its first sentence is under the first heading. */
const afterHeading = (text: string): string => {
  const heading = /^#+ .*$/m.exec(text)
  const rest = heading ? text.slice(heading.index + heading[0].length) : text
  return rest.replace(/^\s*[-*] /, '')
}

const headWords = (event: SessionEvent): string =>
  event.type === 'compact/start' ? `#${event.data.range.start} to #${event.data.range.end}` : ''

const inTurn = (head: EventHead): string =>
  head.turn === undefined
    ? ''
    : head.step === undefined
      ? `turn ${head.turn}`
      : `turn ${head.turn} · step ${head.step}`

const list = (seqs: readonly number[] = []): string =>
  seqs.length <= 3
    ? seqs.map((seq) => `#${seq}`).join(', ')
    : `#${seqs[0]} … #${seqs.at(-1)} (${exact(seqs.length)})`

/** What the head alone says; empty where only the body can. */
export function headline(head: EventHead): string {
  switch (head.type) {
    case 'session/open':
      return head.kind ?? ''
    case 'turn/start':
    case 'step/start':
    case 'step/end':
      return inTurn(head)
    case 'turn/end':
      return `${inTurn(head)} · ${head.kind}`
    case 'request/header':
      return head.name ?? ''
    case 'request/failed':
      return head.kind ?? ''
    case 'tool/call':
    case 'tool/result':
      return head.name ?? ''
    case 'compact/start':
      return `${TRIGGERS[head.kind ?? ''] ?? ''} · #${head.range?.start}–#${head.range?.end}`
    case 'compact/summary':
      return `shadows ${list(head.seqs)}`
    case 'compact/prune':
      return `${head.kind} · ${list(head.seqs)}`
    case 'compact/end':
      return head.kind ?? 'done'
    case 'pin/set':
      return `${head.kind} · ${list(head.seqs)}`
    case 'surface/restore':
      return typeof head.op === 'object' && head.op.op === 'restore'
        ? `lifts off #${head.op.seq}`
        : ''
    default:
      return ''
  }
}
