/**
 * A session as Markdown for people: the whole conversation in log order, with every compaction marked
 * where it happened, or the surface as the model saw it at one moment.
 */

import type { Seq, SessionEvent, SessionHeader } from '../core/event'
import { conversationEntries, entriesOf, momentAt } from './entries'
import { closeBlocks, code, fence, plain, quote } from './markdown-text'
import type { Many } from './native'
import { streamText } from './stream'
import { cleanText } from './terminal'
import { type Entry, type EntryPart, mediaText, timeText } from './write-entry'

export type PeopleOptions = {
  /** Heading of the document; the session's id where it has none. */
  title?: string
  /** Only what was on the surface after this event, in surface order, and the system prompt. */
  at?: Seq
}

const words = (text: string): string => plain(cleanText(text))
const name = (text: string): string => code(cleanText(text))

function partText(part: EntryPart): string {
  switch (part.kind) {
    case 'text':
      return `${closeBlocks(cleanText(part.text))}\n\n`
    case 'output':
      return `${fence(cleanText(part.text), 'text')}\n`
    case 'thinking':
      return `${quote(`**Thinking**\n\n${closeBlocks(cleanText(part.text))}`)}\n`
    case 'quote':
      return `${quote(closeBlocks(cleanText(part.text)))}\n`
    case 'media':
      return `*${words(`${part.label}: ${mediaText(part.source)}`)}* ${name(part.source.hash)}\n\n`
    case 'data': {
      const label = [`**${words(part.label)}**`, ...part.names.map(name)].join(' ')
      return `${label}\n\n${fence(cleanText(part.text), 'json')}\n`
    }
  }
}

function headingOf({ kind, seq, time, title, names, facts }: Entry): string {
  const level = kind === 'result' ? '###' : '##'
  const what = [title, ...names.map(name)].join(' ')
  const parts = [what, ...facts.map(words), `#${seq}`, timeText(time)]
  return `${level} ${parts.join(' · ')}\n\n`
}

function entryText(entry: Entry): string {
  const { kind, seq, title, parts } = entry
  if (kind === 'note') return `*${words(title)}* · #${seq}\n\n`
  const body = parts.map(partText).join('') || '*empty*\n\n'
  const text = headingOf(entry) + (kind === 'checkpoint' ? `${quote(body)}\n` : body)
  return kind === 'compaction' ? `---\n\n${text}` : text
}

function titlePage(header: SessionHeader, title: string | undefined, about: string): string {
  const lines = [`# ${words(title || header.id)}\n`, `Session ${name(header.id)}, ${about}.\n`]
  const { parent, origin } = header
  if (parent) lines.push(`Forked from ${name(parent.id)} after #${parent.seq}.\n`)
  if (origin) lines.push(`Imported from ${name(origin.name)} (${words(origin.format)}).\n`)
  return `${lines.join('\n')}\n`
}

async function* conversation(
  header: SessionHeader,
  events: Many<SessionEvent>,
  { title }: PeopleOptions,
): AsyncGenerator<string> {
  yield titlePage(header, title, `begun ${timeText(header.createdAt)}`)
  for await (const entry of conversationEntries(events)) {
    yield entryText(entry)
    if (entry.kind === 'checkpoint') yield '---\n\n'
  }
}

async function* surfaceOf(
  header: SessionHeader,
  read: () => Many<SessionEvent>,
  at: Seq,
  { title }: PeopleOptions,
): AsyncGenerator<string> {
  const moment = await momentAt(read, at)
  yield titlePage(header, title, `as the model saw it after #${Math.max(0, moment.at)}`)
  if (moment.problem) yield `*${words(moment.problem)}*\n`
  else if (moment.header?.system)
    yield `## System\n\n${fence(cleanText(moment.header.system), 'text')}\n`
  for (const entry of entriesOf(moment)) yield entryText(entry)
}

/**
 * A conversation as Markdown, UTF-8, streamed. In log order everything a person saw is there, whatever
 * compaction took from the model; `at` gives the model's view instead, and asks `read` twice.
 */
export const writeMarkdown = (
  header: SessionHeader,
  read: () => Many<SessionEvent>,
  options: PeopleOptions = {},
): ReadableStream<Uint8Array> =>
  streamText(
    options.at === undefined
      ? conversation(header, read(), options)
      : surfaceOf(header, read, options.at, options),
  )
