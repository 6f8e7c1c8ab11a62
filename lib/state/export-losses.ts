/** What an export cannot hold, said before it is made. Counted from heads; only what is there is named. */

import type { EventHead, Seq } from '../core/event'
import type { ExportFormat, ExportRange } from './export-model'

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

/** Messages alone, of one moment or of everything said. */
function asMessages({ compactions, thinking }: Counts, range: ExportRange): string[] {
  const gone = compactions > 0 ? ['that compactions happened'] : []
  const unseen = range === 'window' ? ['all that was not in the window then'] : []
  return [...unseen, ...gone, ...(thinking ? ['thinking'] : [])]
}

const forHarness = (counts: Counts): string[] => [
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

/** What of the session as it was imported stands in no event. */
const UNREAD = 'rows of the imported file that became no event (its original has them)'

function ofKind(format: ExportFormat, range: ExportRange, counts: Counts, imported: boolean) {
  switch (format) {
    case 'native':
    case 'html':
      return imported ? [UNREAD] : []
    case 'original':
      return ['what happened here since it was imported']
    case 'workspace':
      return ['the conversation']
    case 'markdown':
    case 'text':
      return range === 'window'
        ? ['all that was not in the window then', ...forPeople(counts).slice(1)]
        : forPeople(counts)
    case 'request':
      return ['all that this request did not send']
    case 'openai':
      return [...asMessages(counts, range), 'times', 'which results were errors']
    case 'dsh':
      return forHarness(counts)
  }
}

/**
 * What `format` leaves out of a log with these heads, in words for a list; empty where it holds all.
 * `at` is the playhead, for ranges that end there.
 */
export function lossesOf(
  format: ExportFormat,
  range: ExportRange,
  heads: readonly EventHead[],
  { at, imported }: { at: Seq; imported: boolean },
): string[] {
  const counts = countsOf(range === 'whole' ? heads : heads.slice(0, at + 1))
  const after = range === 'prefix' && at < heads.length - 1 ? [`everything after #${at}`] : []
  return [...after, ...ofKind(format, range, counts, imported)]
}
