/** What an export cannot hold, said before it is made. Counted from heads; only what is there is named. */

import type { EventHead, Seq } from '../core/event'
import type { ExportFormat } from './model'

type Counts = {
  media: number
  restores: number
  pins: number
  drafts: number
  failures: number
  compactions: number
  thinking: boolean
}

function countsOf(heads: readonly EventHead[]): Counts {
  const counts = { media: 0, restores: 0, pins: 0, drafts: 0, failures: 0, compactions: 0 }
  let replies = 0
  for (const { type, media, op } of heads) {
    if (op === 'append') counts.media += media
    if (type === 'surface/restore') counts.restores += 1
    else if (type === 'pin/set') counts.pins += 1
    else if (type === 'compact/draft') counts.drafts += 1
    else if (type === 'request/failed') counts.failures += 1
    else if (type === 'compact/summary') counts.compactions += 1
    else if (type === 'assistant/message') replies += 1
  }
  return { ...counts, thinking: replies > 0 }
}

const named = (count: number, one: string, many = `${one}s`): string[] =>
  count === 0 ? [] : [`${count.toLocaleString('en-US')} ${count === 1 ? one : many}`]

const forPeople = ({ media }: Counts): string[] => [
  'system prompt',
  'tool definitions',
  'token counts',
  ...named(media, 'attachment as a name only', 'attachments as names only'),
]

const atMoment = ({ compactions, thinking }: Counts): string[] => [
  'all that was not in the window then',
  ...(compactions > 0 ? ['that compactions happened'] : []),
  ...(thinking ? ['thinking'] : []),
]

/**
 * What `format` leaves out of a log with these heads, in words for a list; empty where it holds all.
 * `at` is the playhead, for formats that show one moment.
 */
export function lossesOf(format: ExportFormat, heads: readonly EventHead[], at: Seq): string[] {
  const counts = countsOf(heads)
  switch (format) {
    case 'native':
    case 'html':
    case 'original':
      return []
    case 'markdown':
    case 'text':
      return forPeople(counts)
    case 'view':
      return ['all that was not in the window then', ...forPeople(counts).slice(1)]
    case 'request':
      return ['all that this request did not send']
    case 'openai': {
      const seen = countsOf(heads.slice(0, at + 1))
      return [...atMoment(seen), 'times', 'which results were errors']
    }
    case 'dsh':
      return [
        'thinking signatures',
        ...named(counts.media, 'attachment as a name only', 'attachments as names only'),
        ...named(
          counts.restores,
          'restore, with the compaction it undid',
          'restores, with what they undid',
        ),
        ...named(counts.pins, 'change of pins', 'changes of pins'),
        ...named(counts.drafts, 'draft'),
        ...named(counts.failures, 'failed request'),
      ]
  }
}
