/** The surface at one moment as OpenAI chat messages: `{model, messages, tools}`. */

import { deriveMessages } from '../core/derive'
import {
  isSurfaceType,
  type RequestHeader,
  type Seq,
  type SessionEvent,
  type SurfaceEvent,
} from '../core/event'
import {
  type BlobRef,
  type Block,
  isKnown,
  isMedia,
  isText,
  isToolUse,
  type Json,
  type Message,
  type ToolResultBlock,
  textOf,
} from '../core/message'
import { encodeBase64 } from './base64'
import { momentAt } from './entries'
import type { BlobOf, Many } from './native'
import { streamText } from './stream'

type Row = { [key: string]: Json }

export type OpenaiOptions = {
  /** The last event that counts; the newest where absent. */
  at?: Seq
  /** `originals`: everything said by then as it was first said, whatever was put in its place later. */
  layer?: 'surface' | 'originals'
  /** Where bytes of images come from; what it answers null for is named in words. */
  blobOf?: BlobOf
}

const NO_RESULT = '(no result)'

async function mediaPart(kind: string, source: BlobRef, blobOf?: BlobOf): Promise<Row> {
  const blob = source.media_type.startsWith('image/') ? await blobOf?.(source.hash) : null
  if (!blob) return { type: 'text', text: `[${kind}: ${source.media_type}, ${source.bytes} bytes]` }
  const url = `data:${source.media_type};base64,${encodeBase64(blob.bytes)}`
  return { type: 'image_url', image_url: { url } }
}

/** Text and media as parts; blocks only their own provider reads are left out. */
async function partsOf(blocks: readonly Block[], blobOf?: BlobOf): Promise<Row[]> {
  const parts: Row[] = []
  for (const block of blocks) {
    if (!isKnown(block)) continue
    if (isText(block)) parts.push({ type: 'text', text: block.text })
    else if (isMedia(block)) parts.push(await mediaPart(block.type, block.source, blobOf))
  }
  return parts
}

const contentOf = (parts: readonly Row[]): Json =>
  parts.every(({ type }) => type === 'text')
    ? parts.map(({ text }) => text as string).join('\n')
    : [...parts]

function assistantRow({ content }: Message): Row {
  const calls = content.filter(isToolUse).map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const text = textOf(content)
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** Results become messages of their own, in the order of the calls; their media follow as the user's. */
async function userRows(
  { content }: Message,
  calls: readonly string[],
  blobOf?: BlobOf,
): Promise<Row[]> {
  const results = content.filter((block) => block.type === 'tool_result') as ToolResultBlock[]
  const rest = content.filter((block) => block.type !== 'tool_result')
  const rows: Row[] = results.map((result) => ({
    role: 'tool',
    tool_call_id: result.tool_use_id,
    content: textOf(result.content),
  }))
  rows.push(...unanswered(calls, results))
  const media = results.flatMap((result) => result.content.filter(isMedia))
  const parts = await partsOf([...media, ...rest], blobOf)
  return parts.length === 0 ? rows : [...rows, { role: 'user', content: contentOf(parts) }]
}

const unanswered = (calls: readonly string[], results: readonly ToolResultBlock[]): Row[] =>
  calls
    .filter((id) => !results.some((result) => result.tool_use_id === id))
    .map((id) => ({ role: 'tool', tool_call_id: id, content: NO_RESULT }))

/** Chat messages of ours; every call is followed by its result, as that API demands. */
export async function* openaiRows(messages: Many<Message>, blobOf?: BlobOf): AsyncGenerator<Row> {
  let calls: string[] = []
  for await (const message of messages) {
    if (message.role === 'user') {
      yield* await userRows(message, calls, blobOf)
      calls = []
    } else {
      yield assistantRow(message)
      calls = message.content.filter(isToolUse).map(({ id }) => id)
    }
  }
  yield* unanswered(calls, [])
}

type Voice = Pick<RequestHeader, 'provider' | 'model'>
const voiceOf = (header: RequestHeader | null): Voice => ({
  provider: header?.provider ?? '',
  model: header?.model ?? '',
})

/** Events up to `at`, and to the first gap. */
async function* upTo(events: Many<SessionEvent>, at: Seq): AsyncGenerator<SessionEvent> {
  let next = 0
  for await (const event of events) {
    if (event.seq > at || event.seq !== next) return
    next += 1
    yield event
  }
}

/** Originals as messages, an assistant's turn with its answers at a time: no conversation is held whole. */
async function* originals(
  events: AsyncGenerator<SessionEvent>,
  voice: Voice,
): AsyncGenerator<Message> {
  let held: SurfaceEvent[] = []
  for await (const event of events) {
    if (!isSurfaceType(event.type) || event.surfaceOp !== 'append') continue
    const node = event as SurfaceEvent
    const before = held.at(-1)
    if (node.type === 'assistant/message' && before && before.type !== 'assistant/message') {
      yield* deriveMessages(held, voice)
      held = []
    }
    held.push(node)
  }
  yield* deriveMessages(held, voice)
}

type Said = { header: RequestHeader | null; messages: Many<Message> }

async function saidBy(
  read: () => Many<SessionEvent>,
  at: Seq,
  layer: OpenaiOptions['layer'],
): Promise<Said> {
  if (layer !== 'originals') {
    const { header, nodes } = await momentAt(read, at)
    return { header, messages: deriveMessages(nodes, voiceOf(header)) }
  }
  let header: RequestHeader | null = null
  for await (const event of upTo(read(), at))
    if (event.type === 'request/header') header = event.data
  return { header, messages: originals(upTo(read(), at), voiceOf(header)) }
}

async function* document(
  read: () => Many<SessionEvent>,
  { at = Number.POSITIVE_INFINITY, layer, blobOf }: OpenaiOptions,
): AsyncGenerator<string> {
  const { header, messages } = await saidBy(read, at, layer)
  yield `{\n"model":${JSON.stringify(voiceOf(header).model)},\n"messages":[`
  const system: Row[] = header?.system ? [{ role: 'system', content: header.system }] : []
  let comma = ''
  for (const row of system) {
    yield `\n${JSON.stringify(row)}`
    comma = ','
  }
  for await (const row of openaiRows(messages, blobOf)) {
    yield `${comma}\n${JSON.stringify(row)}`
    comma = ','
  }
  const tools = (header?.tools ?? []).map(({ name, description, input_schema: parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  yield `\n]${tools.length > 0 ? `,"tools":${JSON.stringify(tools)}` : ''}}\n`
}

/**
 * What the model saw after event `at`, or all that was said by then, as OpenAI chat messages, UTF-8,
 * streamed. `read` is asked twice.
 * The format has no place for thinking, compactions, failed results' marks, times, or documents.
 */
export const writeOpenai = (
  read: () => Many<SessionEvent>,
  options: OpenaiOptions = {},
): ReadableStream<Uint8Array> => streamText(document(read, options))
