/**
 * Gemini CLI recordings: one document with `messages`, or since 0.40 JSONL of messages with `$set` and
 * `$rewindTo` records, where a message that comes again replaces its first form. Also its saved checkpoints,
 * a list of `{role, parts}`. Chat compressions leave no mark in any of them.
 */

import type { Block, Json, JsonObject, Usage } from '../core/message'
import { mediaBlock, textBlock, textBlocks } from './blocks'
import type { Builder } from './builder'
import { placeInside, readRecords } from './documents'
import type { ForeignFile, KeepBlob, Part, Place } from './foreign'
import {
  argumentsOf,
  isRow,
  listOf,
  rowOf,
  showJson,
  textOf,
  timeOf,
  usageOf,
  wordsOf,
} from './json'
import { createSessions, type Sessions } from './session'

const FORMAT = 'gemini'

type Message = { at: Place; value: JsonObject }

/** The messages that stand at the end of a recording, and its facts. */
async function readMessages(file: ForeignFile, sessions: Sessions) {
  const facts: JsonObject = {}
  const messages: Message[] = []
  /** Where each id stands. */
  let places = new Map<Json, number>()
  const put = (at: Place, value: JsonObject) => {
    const { id } = value
    const before = id === undefined ? undefined : places.get(id)
    if (before === undefined) {
      if (id !== undefined) places.set(id, messages.length)
      messages.push({ at, value })
      return
    }
    sessions.keep((messages[before] as Message).at, 'a later record says this message again')
    messages[before] = { at, value }
  }
  const rewind = (to: Json, row: Place) => {
    const at = places.get(to)
    sessions.keep(row, 'a rewind')
    if (at === undefined) return
    const gone = messages.splice(at + 1)
    for (const one of gone) sessions.keep(one.at, 'it was taken back by a rewind')
    places = new Map([...places].filter(([, place]) => place <= at))
  }
  for await (const row of readRecords(file)) {
    const { value } = row
    if (!isRow(value)) sessions.keep(row, 'it is no record of this format')
    else if (value.$rewindTo !== undefined) rewind(value.$rewindTo, row)
    else if (Array.isArray(value.messages) || 'projectHash' in value) {
      Object.assign(facts, { ...value, messages: undefined })
      for (const [n, message] of listOf(value.messages).entries()) {
        put(placeInside(row, n), rowOf(message))
      }
      sessions.keep(row, 'facts about the session')
    } else if (isRow(value.$set)) {
      Object.assign(facts, value.$set)
      sessions.keep(row, 'facts about the session')
    } else put(row, value)
  }
  return { facts, messages }
}

async function partBlocks(keepBlob: KeepBlob, content: Json | undefined): Promise<Block[]> {
  if (!Array.isArray(content)) return textBlocks(isRow(content) ? wordsOf(content) : content)
  const blocks: Block[] = []
  for (const part of content) {
    const row = rowOf(part)
    const media = rowOf(row.inlineData)
    const data = textOf(media.data)
    const mediaType = textOf(media.mimeType)
    if (!isRow(part)) blocks.push(...textBlocks(part))
    else if (data !== undefined) {
      const kind = mediaType?.startsWith('image/') ? 'image' : 'document'
      blocks.push(await mediaBlock(keepBlob, kind, mediaType, data))
    } else if (typeof row.text === 'string') blocks.push(...textBlocks(row.text))
    else blocks.push(textBlock(showJson(part)))
  }
  return blocks
}

const thoughtsOf = (value: JsonObject): Block[] =>
  listOf(value.thoughts).flatMap((thought) => {
    const { subject, description } = rowOf(thought)
    const thinking = [textOf(subject), textOf(description)].filter(Boolean).join('\n')
    return thinking === '' ? [] : [{ type: 'thinking', thinking, signature: '' }]
  })

/** What a call answered, in the several forms there are. */
function outputOf(call: JsonObject): string {
  const outputs = listOf(call.result).map((part) => {
    const response = rowOf(rowOf(part).functionResponse).response
    const { output, error } = rowOf(response)
    return (
      textOf(output) ??
      textOf(error) ??
      (response === undefined ? wordsOf(part) : showJson(response))
    )
  })
  const said = outputs.filter((output) => output !== '').join('\n')
  return said || textOf(call.error) || textOf(call.resultDisplay) || ''
}

/** Input counts what the cache held. */
function usageIn(value: JsonObject): Usage | undefined {
  const usage = usageOf(value.tokens, { input: 'input', output: 'output', read: 'cached' })
  const cached = usage?.cache_read_input_tokens ?? 0
  if (!usage || cached > usage.input_tokens) return usage
  return { ...usage, input_tokens: usage.input_tokens - cached }
}

async function takeModel(
  builder: Builder,
  keepBlob: KeepBlob,
  { at, value }: Message,
): Promise<void> {
  const calls = listOf(value.toolCalls).filter(isRow)
  const content = [
    ...thoughtsOf(value),
    ...(await partBlocks(keepBlob, value.content)),
    ...calls.map((call) => ({
      type: 'tool_use',
      id: textOf(call.id) ?? '',
      name: textOf(call.name) ?? 'unknown',
      input: argumentsOf(call.args),
    })),
  ]
  builder.assistant(at, {
    content,
    id: textOf(value.id),
    provider: FORMAT,
    model: textOf(value.model),
    usage: usageIn(value),
  })
  for (const call of calls) {
    if (call.result === undefined && call.status === undefined) continue
    const isError = call.status === 'error' || call.status === 'cancelled'
    const text = outputOf(call)
    builder.result(at, { callId: textOf(call.id), content: textBlocks(text), isError })
  }
}

/** Messages of saved checkpoints: calls and responses are parts. */
async function takeParts(
  builder: Builder,
  keepBlob: KeepBlob,
  { at, value }: Message,
): Promise<void> {
  const said: Block[] = []
  const byModel = value.role === 'model'
  const answers: { name?: string; id?: string; text: string }[] = []
  for (const part of listOf(value.parts)) {
    const { functionCall, functionResponse } = rowOf(part)
    if (isRow(functionCall)) {
      const { id, name, args } = functionCall
      said.push({
        type: 'tool_use',
        id: textOf(id) ?? '',
        name: textOf(name) ?? 'unknown',
        input: argumentsOf(args),
      })
    } else if (isRow(functionResponse)) {
      const { id, name } = functionResponse
      answers.push({
        id: textOf(id),
        name: textOf(name),
        text: outputOf({ result: [rowOf(part)] }),
      })
    } else said.push(...(await partBlocks(keepBlob, [part])))
  }
  for (const { id, name, text } of answers) {
    builder.result(at, { callId: id, name, content: textBlocks(text), isError: false })
  }
  if (byModel) builder.assistant(at, { content: said, provider: FORMAT })
  else if (said.length > 0 || answers.length === 0) builder.user(at, said)
}

async function takeMessage(builder: Builder, keepBlob: KeepBlob, message: Message): Promise<void> {
  const { at, value } = message
  builder.setTime(timeOf(value.timestamp))
  if (Array.isArray(value.parts)) return takeParts(builder, keepBlob, message)
  if (value.type === 'gemini') return takeModel(builder, keepBlob, message)
  const content = await partBlocks(keepBlob, value.content)
  builder.user(at, content, { kind: value.type === 'user' ? 'human' : 'notice' }, textOf(value.id))
}

export async function* readGemini(file: ForeignFile): AsyncGenerator<Part> {
  const sessions = createSessions(file)
  const { facts, messages } = await readMessages(file, sessions)
  const createdAt = timeOf(facts.startTime) ?? timeOf(messages[0]?.value.timestamp)
  const { builder, opened } = sessions.begin({
    format: FORMAT,
    id: textOf(facts.sessionId),
    createdAt,
  })
  yield opened
  for (const message of messages) {
    await takeMessage(builder, file.keepBlob, message)
    yield* builder.drain()
  }
  yield* builder.finish()
}
