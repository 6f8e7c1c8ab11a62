/** The surface at one moment as OpenAI chat messages: `{model, messages, tools}`. */

import { deriveMessages } from '../core/derive'
import type { Seq, SessionEvent } from '../core/event'
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
import { type Layer, momentAt } from './entries'
import type { BlobOf, Many } from './native'
import { streamText } from './stream'

type Row = { [key: string]: Json }

export type OpenaiOptions = {
  /** The last event that counts; the newest where absent. */
  at?: Seq
  /** `originals`: the whole conversation as it was said, no compaction made of it. */
  layer?: Layer
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
export async function* openaiRows(
  messages: readonly Message[],
  blobOf?: BlobOf,
): AsyncGenerator<Row> {
  let calls: string[] = []
  for (const message of messages) {
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

async function* document(
  read: () => Many<SessionEvent>,
  { at = Number.POSITIVE_INFINITY, layer, blobOf }: OpenaiOptions,
): AsyncGenerator<string> {
  const { header, nodes } = await momentAt(read, at, layer)
  const voice = { provider: header?.provider ?? '', model: header?.model ?? '' }
  yield `{\n"model":${JSON.stringify(voice.model)},\n"messages":[`
  const system: Row[] = header?.system ? [{ role: 'system', content: header.system }] : []
  let comma = ''
  for (const row of system) {
    yield `\n${JSON.stringify(row)}`
    comma = ','
  }
  for await (const row of openaiRows(deriveMessages(nodes, voice), blobOf)) {
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
