/** What a colour means. The same word, colour and shape for a kind wherever it appears. */

import type { EventHead } from '@/lib/core/event'

export type Kind =
  | 'user'
  | 'assistant'
  | 'call'
  | 'result'
  | 'summary'
  | 'pruned'
  | 'error'
  | 'system'

type Look = {
  label: string
  /** CSS custom property of the fill, for canvas and SVG. */
  fill: string
  /** CSS custom property of text on that fill. */
  on: string
  /** Tailwind classes: text colour, background of the fill, soft background, border. */
  text: string
  bg: string
  soft: string
  border: string
}

const look = (
  label: string,
  name: string,
  text: string,
  bg: string,
  soft: string,
  border: string,
): Look => ({
  label,
  fill: `--${name}`,
  on: `--on-${name}`,
  text,
  bg,
  soft,
  border,
})

export const KINDS: Record<Kind, Look> = {
  user: look('user', 'user', 'text-user-ink', 'bg-user', 'bg-user-soft', 'border-user'),
  assistant: look(
    'assistant',
    'assistant',
    'text-assistant-ink',
    'bg-assistant',
    'bg-assistant-soft',
    'border-assistant',
  ),
  call: look('tool call', 'call', 'text-call-ink', 'bg-call', 'bg-call-soft', 'border-call'),
  result: look(
    'tool result',
    'result',
    'text-result-ink',
    'bg-result',
    'bg-result-soft',
    'border-result',
  ),
  summary: look(
    'summary',
    'summary',
    'text-summary-ink',
    'bg-summary',
    'bg-summary-soft',
    'border-summary',
  ),
  pruned: look(
    'pruned result',
    'pruned',
    'text-pruned-ink',
    'bg-pruned',
    'bg-pruned-soft',
    'border-pruned',
  ),
  error: look('error', 'err', 'text-err-ink', 'bg-err', 'bg-err-soft', 'border-err'),
  system: look(
    'system',
    'system',
    'text-system-ink',
    'bg-system',
    'bg-system-soft',
    'border-system',
  ),
}

/** The kind an event is drawn as. A result that replaced another is a pruned one; a failed one stays a result here and carries an error mark. */
export function kindOf(head: EventHead): Kind {
  switch (head.type) {
    case 'user/message':
      return head.kind === 'checkpoint' ? 'summary' : head.kind === 'notice' ? 'system' : 'user'
    case 'assistant/message':
      return 'assistant'
    case 'tool/call':
      return 'call'
    case 'tool/result':
      return typeof head.op === 'object' && head.op.op === 'replace' ? 'pruned' : 'result'
    case 'compact/start':
    case 'compact/window':
    case 'compact/draft':
    case 'compact/summary':
      return 'summary'
    case 'compact/end':
      return head.kind ? 'error' : 'summary'
    case 'compact/prune':
      return 'pruned'
    case 'request/failed':
      return 'error'
    default:
      return 'system'
  }
}
