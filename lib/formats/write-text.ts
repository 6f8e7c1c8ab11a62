/** A session as plain text for people: the whole conversation in log order, compactions marked. */

import type { Seq, SessionEvent, SessionHeader } from '../core/event'
import { conversationEntries, entriesOf, momentAt } from './entries'
import type { PeopleOptions } from './markdown'
import type { Many } from './native'
import { streamText } from './stream'
import { cleanText } from './terminal'
import { type Entry, type EntryPart, mediaText, timeText } from './write-entry'

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
    case 'media':
      return `[${line(`${part.label}: ${mediaText(part.source)}, sha256 ${part.source.hash}`)}]\n`
    case 'data':
      return `${line([part.label, ...part.names].join(' '))}\n${block(part.text, '    ')}`
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

function entryText({ kind, seq, time, title, names, facts, parts }: Entry): string {
  const head = [[title, ...names].join(' '), ...facts].map(line).join(', ')
  if (kind === 'note') return `* ${head} (#${seq})\n\n`
  const rule = kind === 'compaction' ? `${RULE}\n` : ''
  return `${rule}[#${seq} ${timeText(time)}] ${head}\n\n${parts.map(partText).join('\n')}\n`
}

const titlePage = (header: SessionHeader, title: string | undefined, about: string): string =>
  `${line(title || header.id)}\nSession ${line(header.id)}, ${about}\n\n`

async function* conversation(
  header: SessionHeader,
  events: Many<SessionEvent>,
  title: string | undefined,
): AsyncGenerator<string> {
  yield titlePage(header, title, `begun ${timeText(header.createdAt)}`)
  for await (const entry of conversationEntries(events)) yield entryText(entry)
}

async function* surfaceOf(
  header: SessionHeader,
  read: () => Many<SessionEvent>,
  at: Seq,
  title: string | undefined,
): AsyncGenerator<string> {
  const moment = await momentAt(read, at)
  yield titlePage(header, title, `as the model saw it after #${Math.max(0, moment.at)}`)
  if (moment.problem) yield `${line(moment.problem)}\n`
  if (moment.header?.system) yield `System\n\n${block(moment.header.system, '    ')}\n`
  for (const entry of entriesOf(moment)) yield entryText(entry)
}

/**
 * A conversation as text, UTF-8, streamed; what a terminal would act upon is left out. `at` gives the
 * surface at that moment instead, and asks `read` twice.
 */
export const writeText = (
  header: SessionHeader,
  read: () => Many<SessionEvent>,
  { title, at }: PeopleOptions = {},
): ReadableStream<Uint8Array> =>
  streamText(
    at === undefined ? conversation(header, read(), title) : surfaceOf(header, read, at, title),
  )
