/** A session as plain text for people: the whole conversation in log order, compactions marked. */

import type { SessionEvent, SessionHeader } from '../core/event'
import { cleanText } from './html/text'
import type { Many } from './native'
import { streamText } from './stream'
import {
  countText,
  type Entry,
  type EntryPart,
  entryOf,
  type Triggers,
  timeText,
} from './write-entry'

const RULE = '-'.repeat(72)

const line = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim()
const block = (text: string, margin = ''): string =>
  `${cleanText(text)
    .replace(/\n+$/, '')
    .split('\n')
    .map((one) => (one === '' ? margin.trimEnd() : margin + one))
    .join('\n')}\n`

function partText(part: EntryPart): string {
  switch (part.kind) {
    case 'media': {
      const { media_type: type, bytes, hash } = part.source
      return `[${line(part.label)}: ${line(type)}, ${countText(bytes, 'byte')}, sha256 ${line(hash)}]\n`
    }
    case 'data':
      return `${line(part.label)}\n${block(part.text, '    ')}`
    case 'thinking':
      return `Thinking:\n${block(part.text, '  | ')}`
    case 'quote':
      return block(part.text, '  > ')
    case 'output':
      return block(part.text, '    ')
    case 'text':
      return block(part.text)
  }
}

function entryText({ kind, seq, time, title, facts, parts }: Entry): string {
  const head = [title, ...facts].map(line).join(', ')
  if (kind === 'note') return `* ${head} (#${seq})\n\n`
  const rule = kind === 'compaction' ? `${RULE}\n` : ''
  return `${rule}[#${seq} ${timeText(time)}] ${head}\n\n${parts.map(partText).join('\n')}\n`
}

async function* conversation(
  header: SessionHeader,
  events: Many<SessionEvent>,
  title: string | undefined,
): AsyncGenerator<string> {
  yield `${line(title || header.id)}\nSession ${line(header.id)}, begun ${timeText(header.createdAt)}\n\n`
  const triggers: Triggers = new Map()
  for await (const event of events) {
    const entry = entryOf(event, triggers)
    if (entry) yield entryText(entry)
  }
}

/** A conversation as text, UTF-8, streamed; what a terminal would act upon is left out. */
export const writeText = (
  header: SessionHeader,
  events: Many<SessionEvent>,
  { title }: { title?: string } = {},
): ReadableStream<Uint8Array> => streamText(conversation(header, events, title))
