/**
 * A session as Markdown for people: the whole conversation in log order, with every compaction marked
 * where it happened, or the surface as the model saw it at one moment.
 */

import type {
  CompactTrigger,
  EventHead,
  EventOf,
  Seq,
  SessionEvent,
  SessionHeader,
  SurfaceEvent,
} from '../core/event'
import { headOf } from '../core/head'
import { type BlobRef, type Block, isKnown } from '../core/message'
import { assertNever } from '../core/result'
import { isEventType } from '../core/shape'
import { foldSurface } from '../core/surface'
import { closeFences, code, fence, plain, quote } from './markdown-text'
import { streamText } from './stream'

type Many<T> = Iterable<T> | AsyncIterable<T>

export type MarkdownOptions = {
  /** Heading of the document; the session's id where it has none. */
  title?: string
  /** Only what was on the surface after this event, in surface order, and the system prompt. */
  at?: Seq
}

/** Days and times as UTC; a time no calendar holds is shown as the number it is. */
const timeOf = (time: number): string => {
  const date = new Date(time)
  return Number.isNaN(date.getTime())
    ? String(time)
    : date
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, 'Z')
}

const countOf = (value: number, word: string): string =>
  `${value.toLocaleString('en-US')} ${word}${value === 1 ? '' : 's'}`

const heading = (level: number, event: SessionEvent, ...parts: (string | undefined)[]): string =>
  `${'#'.repeat(level)} ${[...parts, `#${event.seq}`, timeOf(event.time)].filter(Boolean).join(' · ')}\n\n`

const note = (event: SessionEvent, text: string): string => `*${plain(text)}* · #${event.seq}\n\n`

const mediaLine = (kind: string, source: BlobRef): string => {
  const size = source.width && source.height ? `, ${source.width} × ${source.height}` : ''
  const about = `${source.media_type}${size}, ${countOf(source.bytes, 'byte')}`
  return `*${kind}: ${plain(about)}* ${code(source.hash)}\n\n`
}

const jsonOf = (value: unknown): string => fence(JSON.stringify(value, null, 2), 'json')

/** `inFence`: a tool's output, whose text is data and not Markdown. */
function renderBlock(block: Block, inFence: boolean): string {
  if (!isKnown(block)) return `*${plain(block.type)}*\n\n${jsonOf(block)}\n`
  switch (block.type) {
    case 'text':
      return inFence ? `${fence(block.text, 'text')}\n` : `${closeFences(block.text)}\n\n`
    case 'thinking':
      return `${quote(`**Thinking**\n\n${closeFences(block.thinking)}`)}\n`
    case 'redacted_thinking':
      return `${quote('**Thinking** (redacted by the provider)')}\n`
    case 'tool_use':
      return `**Tool call** ${code(block.name)} ${code(block.id)}\n\n${jsonOf(block.input)}\n`
    case 'image':
      return mediaLine('Image', block.source)
    case 'document':
      return mediaLine(block.title ? `Document ${block.title}` : 'Document', block.source)
    case 'tool_result':
      return block.content.map((inner) => renderBlock(inner, true)).join('')
    default:
      return assertNever(block)
  }
}

const renderBlocks = (blocks: readonly Block[], inFence = false): string =>
  blocks.map((block) => renderBlock(block, inFence)).join('')

/** How a node came in another's place, for its heading. */
function placeOf({ surfaceOp: op }: SurfaceEvent): string | undefined {
  if (op === 'append') return undefined
  return op.start === op.end ? `in place of #${op.start}` : `in place of #${op.start} to #${op.end}`
}

function renderUser(event: EventOf<'user/message'>): string {
  const { source, content } = event.data
  switch (source.kind) {
    case 'human':
      return heading(2, event, 'User', placeOf(event)) + renderBlocks(content)
    case 'notice':
      return heading(2, event, 'Notice', placeOf(event)) + renderBlocks(content)
    case 'checkpoint':
      return `${heading(2, event, 'Checkpoint', placeOf(event))}${quote(renderBlocks(content))}\n`
    default:
      return assertNever(source)
  }
}

function renderResult(event: EventOf<'tool/result'>): string {
  const { name, callId, isError, durationMs, content } = event.data
  const what = `Tool result ${code(name ?? 'unknown tool')} ${code(callId)}`
  const took = durationMs === undefined ? undefined : `${durationMs.toLocaleString('en-US')} ms`
  const head = heading(3, event, what, isError ? 'error' : undefined, took, placeOf(event))
  return head + (content.length === 0 ? '*empty*\n\n' : renderBlocks(content, true))
}

function renderAssistant(event: EventOf<'assistant/message'>): string {
  const { model, interrupted, stopReason, content } = event.data
  const cut = interrupted ? 'interrupted' : stopReason === 'max_tokens' ? 'cut off' : undefined
  const head = heading(2, event, 'Assistant', model && plain(model), cut, placeOf(event))
  return head + renderBlocks(content)
}

function renderSummary(event: EventOf<'compact/summary'>, trigger: string | undefined): string {
  const { summary, shadowedSeqs, shadowedRange, shadowedTokenCount, certainty } = event.data
  const { start, end } = shadowedRange
  const span = `${countOf(shadowedSeqs.length, 'message')}, #${start} to #${end}`
  const range = certainty === 'exact' ? '' : ` The range is ${certainty}.`
  const text =
    `${span} (${countOf(shadowedTokenCount, 'token')}), gave place to the checkpoint below ` +
    `in what the model sees. They stay above in this transcript.${range}`
  return `---\n\n${heading(2, event, 'Compaction', trigger)}${text}\n\n${quote(closeFences(summary))}\n`
}

/** Triggers of the compactions begun so far, by id: a summary tells why it was made. */
type Triggers = Map<string, CompactTrigger>

/** What one event shows in log order; empty for what people do not read. */
function renderEvent(event: SessionEvent, triggers: Triggers): string {
  switch (event.type) {
    case 'user/message':
      return renderUser(event)
    case 'assistant/message':
      return renderAssistant(event)
    case 'tool/result':
      return renderResult(event)
    case 'compact/summary':
      return renderSummary(event, triggers.get(event.data.compactionId))
    case 'compact/end':
      return event.data.error
        ? note(event, `Compaction ended (${event.data.error.code}): ${event.data.error.message}`)
        : `---\n\n`
    case 'compact/prune': {
      const { shadowedSeqs, cause } = event.data
      const results = shadowedSeqs.map((seq) => `#${seq}`).join(', ')
      return note(event, `Result ${results} shortened in what the model sees (${cause}).`)
    }
    case 'surface/restore':
      return note(event, `Restored what #${event.data.replacementSeq} had replaced.`)
    case 'session/title':
      return note(event, `Title: ${event.data.title}`)
    case 'request/failed':
      return note(event, `Request failed (${event.data.error.code}): ${event.data.error.message}`)
    case 'turn/end':
      return event.data.reason === 'completed' ? '' : note(event, `Turn: ${event.data.reason}.`)
    case 'pin/set': {
      const seqs = event.data.seqs.map((seq) => `#${seq}`).join(', ')
      return note(event, `${event.data.pinned ? 'Pinned' : 'Unpinned'} ${seqs}.`)
    }
    case 'compact/start':
      triggers.set(event.data.compactionId, event.data.trigger)
      return ''
    case 'session/open':
    case 'request/header':
    case 'turn/start':
    case 'step/start':
    case 'step/end':
    // Shown where the assistant asked for it.
    case 'tool/call':
    case 'compact/window':
    case 'compact/draft':
      return ''
    default:
      return assertNever(event)
  }
}

function titlePage(header: SessionHeader, title: string | undefined, about: string): string {
  const lines = [`# ${plain(title || header.id)}\n`, `Session ${code(header.id)}, ${about}.\n`]
  const { parent, origin } = header
  if (parent) lines.push(`Forked from ${code(parent.id)} after #${parent.seq}.\n`)
  if (origin) lines.push(`Imported from ${code(origin.name)} (${plain(origin.format)}).\n`)
  return `${lines.join('\n')}\n`
}

async function* conversation(
  header: SessionHeader,
  events: Many<SessionEvent>,
  { title }: MarkdownOptions,
): AsyncGenerator<string> {
  yield titlePage(header, title, `begun ${timeOf(header.createdAt)}`)
  const triggers: Triggers = new Map()
  for await (const event of events) {
    const text = isEventType(event.type) ? renderEvent(event, triggers) : ''
    if (text) yield text
  }
}

/** The surface after `at`. Keeps the surface events up to there in memory: order is known at the end. */
async function* surfaceOf(
  header: SessionHeader,
  events: Many<SessionEvent>,
  at: Seq,
  { title }: MarkdownOptions,
): AsyncGenerator<string> {
  const heads: EventHead[] = []
  const bodies = new Map<Seq, SessionEvent>()
  let system = ''
  for await (const event of events) {
    if (event.seq > at) break
    heads.push(headOf(event))
    if (event.type === 'request/header') system = event.data.system
    else if (event.type !== 'tool/call') bodies.set(event.seq, event)
  }
  yield titlePage(header, title, `as the model saw it after #${heads.at(-1)?.seq ?? at}`)
  const folded = foldSurface(heads)
  if (!folded.ok) {
    yield `*${plain(`The log does not fold: ${folded.error.message} (${folded.error.rule})`)}*\n`
    return
  }
  if (system) yield `## System\n\n${fence(system, 'text')}\n`
  for (const seq of folded.value.nodes) {
    const event = bodies.get(seq)
    if (event) yield renderEvent(event, new Map())
  }
}

/**
 * A conversation as Markdown, UTF-8, streamed. In log order everything a person saw is there, whatever
 * compaction took from the model; `at` gives the model's view instead.
 */
export const writeMarkdown = (
  header: SessionHeader,
  events: Many<SessionEvent>,
  options: MarkdownOptions = {},
): ReadableStream<Uint8Array> =>
  streamText(
    options.at === undefined
      ? conversation(header, events, options)
      : surfaceOf(header, events, options.at, options),
  )
