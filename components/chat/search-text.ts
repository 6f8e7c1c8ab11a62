/** What of an event can be found by its words. Pure. */

import type { SessionEvent } from '@/lib/core/event'
import { type Block, isKnown } from '@/lib/core/message'

const textsOf = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => {
    if (!isKnown(block)) return [JSON.stringify(block)]
    switch (block.type) {
      case 'text':
        return [block.text]
      case 'thinking':
        return [block.thinking]
      case 'tool_use':
        return [block.name, JSON.stringify(block.input)]
      case 'document':
        return block.title ? [block.title] : []
      default:
        return []
    }
  })

export function searchText(event: SessionEvent): string {
  switch (event.type) {
    case 'user/message':
    case 'assistant/message':
    case 'tool/result':
      return textsOf(event.data.content).join('\n')
    case 'compact/summary':
      return event.data.summary
    case 'compact/start':
      return event.data.instructions ?? ''
    case 'request/failed':
      return event.data.error.message
    default:
      return ''
  }
}

/** Whether the event's words contain `query`, whatever the case. */
export const matches = (event: SessionEvent, query: string): boolean =>
  searchText(event).toLowerCase().includes(query)
