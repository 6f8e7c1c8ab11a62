/**
 * Requests and lists of messages, as the Anthropic Messages API and the OpenAI chat API have them, and logs
 * that mix both: a list, an object with `messages`, or one message a line (learn-claude-code's transcripts,
 * whose blocks may be Python reprs).
 */

import type { EventData } from '../core/event'
import type { Block, Json, JsonObject, ToolSpec } from '../core/message'
import { PRESETS } from '../core/policy'
import { BUILDER } from '../core/request'
import { anthropicPieces, type Piece, resultContent } from './blocks'
import type { Builder } from './builder'
import { compact } from './compactions'
import { placeInside, readRecordRuns } from './documents'
import type { ForeignFile, KeepBlob, Part, Place } from './foreign'
import {
  argumentsOf,
  countOf,
  isRow,
  listOf,
  numberOf,
  rowOf,
  textOf,
  withoutMinusZero,
  wordsOf,
} from './json'
import { openaiBlocks } from './openai-items'
import { parseRepr } from './python-repr'
import { createSessions } from './session'

const FORMAT = 'messages'
/** How learn-claude-code begins the list that follows a compaction. */
const COMPRESSED = /^\[Conversation compressed\. Transcript: [^\]]*\]\s*/

/** Content with what Python printed read back. */
function unprinted(content: Json | undefined): Json | undefined {
  if (typeof content === 'string') {
    const value = parseRepr(content)
    return value === null ? content : Array.isArray(value) ? value : [value]
  }
  if (!Array.isArray(content) || !content.some((part) => typeof part === 'string')) return content
  return content.map((part) => {
    const value = typeof part === 'string' ? parseRepr(part) : null
    return value ?? part
  })
}

const OPENAI_PARTS = new Set(['image_url', 'input_text', 'output_text', 'input_image', 'refusal'])
const isOpenai = (content: Json | undefined): boolean =>
  listOf(content).some((part) => OPENAI_PARTS.has(String(rowOf(part).type)))

async function piecesOf(
  keepBlob: KeepBlob,
  content: Json | undefined,
  byModel: boolean,
): Promise<Piece[]> {
  if (!isOpenai(content)) return anthropicPieces(keepBlob, content, byModel)
  const blocks = await openaiBlocks(keepBlob, content)
  return blocks.length > 0 ? [{ kind: 'said', blocks }] : []
}

/** Calls in the form of the OpenAI chat API, old and new. */
function callsOf(message: JsonObject): Block[] {
  const old = isRow(message.function_call) ? [{ function: message.function_call }] : []
  return [...listOf(message.tool_calls), ...old].filter(isRow).map((call) => {
    const { name, arguments: input } = rowOf(call.function ?? call)
    return {
      type: 'tool_use',
      id: textOf(call.id) ?? '',
      name: textOf(name) ?? 'unknown',
      input: argumentsOf(input),
    }
  })
}

type Voice = { file: ForeignFile; builder: Builder; model?: string; isFirst: boolean }

/** A block by which the provider itself compacted: it replaces everything before it. */
function takeCompaction({ builder }: Voice, at: Place, block: Block): void {
  const content = wordsOf((block as JsonObject).content)
  compact(builder, at, () => ({
    id: `compaction-${at.index}`,
    trigger: 'pressure',
    summary: content,
    opaque: content === '',
    certainty: 'exact',
  }))
}

function takeSaidByModel(voice: Voice, at: Place, blocks: Block[]): void {
  const { builder, model } = voice
  let rest: Block[] = []
  const say = () => {
    if (rest.length > 0) builder.assistant(at, { content: rest, provider: FORMAT, model })
    rest = []
  }
  for (const block of blocks) {
    if (block.type !== 'compaction') rest.push(block)
    else {
      say()
      takeCompaction(voice, at, block)
    }
  }
  say()
}

async function takeToolMessage(
  { file, builder }: Voice,
  at: Place,
  message: JsonObject,
): Promise<void> {
  builder.result(at, {
    callId: textOf(message.tool_call_id),
    name: textOf(message.name),
    content: isOpenai(message.content)
      ? await openaiBlocks(file.keepBlob, message.content)
      : await resultContent(file.keepBlob, message.content),
    isError: message.is_error === true,
  })
}

/** The first message after a compaction that another file holds. */
function takeCompressed({ builder }: Voice, at: Place, text: string): void {
  compact(builder, at, () => ({
    id: `compaction-${at.index}`,
    trigger: 'pressure',
    summary: text.replace(COMPRESSED, ''),
    certainty: 'unknown',
  }))
}

async function takeMessage(voice: Voice, at: Place, message: JsonObject): Promise<void> {
  const { file, builder } = voice
  const role = textOf(message.role)
  if (role === 'tool' || role === 'function') return takeToolMessage(voice, at, message)
  const byModel = role === 'assistant' || role === 'model'
  const content = unprinted(message.content)
  if (typeof content === 'string' && COMPRESSED.test(content) && !byModel && voice.isFirst) {
    return takeCompressed(voice, at, content)
  }
  const calls = byModel ? callsOf(message) : []
  const pieces = await piecesOf(file.keepBlob, content, byModel)
  const reasoning = byModel ? textOf(message.reasoning_content) : undefined
  if (reasoning) {
    const thinking = { type: 'thinking', thinking: reasoning, signature: '' }
    pieces.unshift({ kind: 'said', blocks: [thinking] })
  }
  if (calls.length > 0) pieces.push({ kind: 'said', blocks: calls })
  if (pieces.length === 0) return builder.keep(at, 'its message holds nothing')
  const merged = mergeSaid(pieces)
  for (const piece of merged) {
    if (piece.kind === 'result') builder.result(at, piece)
    else if (byModel) takeSaidByModel(voice, at, piece.blocks)
    else builder.user(at, piece.blocks, { kind: role === 'user' ? 'human' : 'notice' })
  }
}

const mergeSaid = (pieces: Piece[]): Piece[] =>
  pieces.reduce<Piece[]>((merged, piece) => {
    const last = merged.at(-1)
    if (last?.kind === 'said' && piece.kind === 'said') last.blocks.push(...piece.blocks)
    else merged.push(piece)
    return merged
  }, [])

function toolsOf(request: JsonObject): ToolSpec[] {
  return listOf(request.tools).flatMap((tool) => {
    const { name, description, input_schema } = rowOf(tool)
    if (typeof name !== 'string' || !isRow(input_schema)) return []
    return [
      {
        name,
        description: textOf(description) ?? '',
        input_schema: withoutMinusZero(input_schema),
      },
    ]
  })
}

/** What a request says of how it was sent; nothing where it does not say all of it. */
function headerOf(request: JsonObject): EventData['request/header'] | null {
  const model = textOf(request.model)
  const max_tokens = countOf(request.max_tokens)
  const isAnthropic = request.system !== undefined || /claude/i.test(model ?? '')
  if (model === undefined || max_tokens === undefined || !isAnthropic) return null
  const temperature = numberOf(request.temperature)
  return {
    provider: 'anthropic',
    model,
    system: wordsOf(request.system ?? null),
    tools: toolsOf(request),
    params: { max_tokens, ...(temperature === undefined ? {} : { temperature }) },
    policy: PRESETS.standard,
    builder: BUILDER,
  }
}

/** Writes what stands before the messages of a request. */
async function takeRequest(voice: Voice, row: Place, request: JsonObject): Promise<void> {
  const { builder } = voice
  const header = headerOf(request)
  if (header) builder.write(row, [{ type: 'request/header', data: header }])
  else if (request.system !== undefined) {
    await takeMessage(voice, row, { role: 'system', content: request.system })
  }
}

const idAt = (fallback: string, n: number): string => (n === 0 ? fallback : `${fallback}-${n + 1}`)

export async function* readMessages(file: ForeignFile): AsyncGenerator<Part> {
  const sessions = createSessions(file)
  const fallback = sessions.fallbackId(FORMAT)
  let count = 0
  /** The session that bare messages belong to. */
  let list: Voice | null = null
  for await (const run of readRecordRuns(file)) {
    for (const row of run) {
      if (!isRow(row.value)) {
        sessions.keep(row, 'it is no message')
        continue
      }
      const request = row.value
      const isRequest = Array.isArray(request.messages)
      if (isRequest && list) {
        yield* list.builder.finish()
        list = null
      }
      let voice: Voice | null = list
      if (!voice) {
        const made = sessions.begin({ format: FORMAT, id: idAt(fallback, count) })
        count += 1
        yield made.opened
        voice = { file, builder: made.builder, model: textOf(request.model), isFirst: true }
        // The model of a request wrote none of the messages in it.
        if (isRequest) voice.model = undefined
      }
      if (isRequest) {
        await takeRequest(voice, row, request)
        for (const [n, message] of listOf(request.messages).entries()) {
          await takeMessage(
            voice,
            placeInside(row, n),
            isRow(message) ? message : { role: 'user', content: message },
          )
          voice.isFirst = false
          if (voice.builder.isFull()) yield* voice.builder.drain()
        }
        voice.builder.took(row)
        yield* voice.builder.finish()
      } else {
        list = voice
        if (typeof request.role === 'string') await takeMessage(voice, row, request)
        else voice.builder.keep(row, 'it is no message')
        voice.isFirst = false
        if (voice.builder.isFull()) yield* voice.builder.drain()
      }
    }
  }
  if (list) yield* list.builder.finish()
}
