/** What of an event can be searched, and of which kind it is. Pure. */

import { readableRecord } from '../core/checkpoint'
import type { SessionEvent } from '../core/event'
import { isText, isToolUse, textOf } from '../core/message'
import type { SearchKind } from './search-query'

export type Readable = { kind: SearchKind; tool?: string; text: string }

/** Nothing for events that say nothing. */
export function readableOf(event: SessionEvent): Readable | null {
  switch (event.type) {
    case 'user/message': {
      const text = textOf(event.data.content)
      return event.data.source.kind === 'checkpoint'
        ? { kind: 'summary', text: readableRecord(text) }
        : { kind: 'user', text }
    }
    case 'assistant/message': {
      const lines = event.data.content.map((block) => {
        if (isText(block)) return block.text
        return isToolUse(block) ? `${block.name} ${JSON.stringify(block.input)}` : ''
      })
      return { kind: 'assistant', text: lines.filter((line) => line !== '').join('\n') }
    }
    case 'tool/call':
      return { kind: 'call', tool: event.data.name, text: JSON.stringify(event.data.input) }
    case 'tool/result':
      return { kind: 'result', tool: event.data.name, text: textOf(event.data.content) }
    default:
      return null
  }
}
