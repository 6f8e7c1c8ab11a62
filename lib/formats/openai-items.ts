/** Items of the OpenAI Responses API, as requests and Codex files hold them. */

import { type Block, type Json, type JsonObject, textOf as textOfBlocks } from '../core/message'
import {
  imageFromUrl,
  type Soon,
  settle,
  soon,
  textBlock,
  textBlocks,
  type Waiting,
} from './blocks'
import type { Builder, SaidByModel } from './builder'
import type { KeepBlob, Place } from './foreign'
import { argumentsOf, isRow, listOf, rowOf, showJson, textOf, wordsOf } from './json'

export type ItemVoice = {
  builder: Builder
  keepBlob: KeepBlob
  /** What is known of the model that speaks now. */
  said: Pick<SaidByModel, 'provider' | 'model'>
  /** Items of one reply have one key; `endReply` begins another. */
  key(): string
  endReply(): void
}

const IMAGE_TYPES = new Set(['input_image', 'image_url', 'output_image'])

function* partsOf(keepBlob: KeepBlob, content: Json | undefined): Waiting<Block[]> {
  if (!Array.isArray(content)) return textBlocks(isRow(content) ? wordsOf(content) : content)
  const blocks: Block[] = []
  for (const part of content) {
    if (!isRow(part)) blocks.push(...textBlocks(part))
    else if (IMAGE_TYPES.has(String(part.type))) {
      const nested = rowOf(part.image_url)
      const url = textOf(part.image_url) ?? textOf(nested.url)
      if (url !== undefined || part.file_id) blocks.push(yield imageFromUrl(keepBlob, url))
    } else if (typeof part.text === 'string') blocks.push(...textBlocks(part.text))
    else if (typeof part.refusal === 'string') blocks.push(...textBlocks(part.refusal))
    else if (typeof part.type === 'string' && part.type.includes('encrypted')) {
      blocks.push(textBlock('[a part that only its provider can read]'))
    } else blocks.push(textBlock(showJson(part)))
  }
  return blocks
}

/** Content parts of either OpenAI interface. Parts that hold nothing become nothing. */
export const openaiBlocks = (keepBlob: KeepBlob, content: Json | undefined): Soon<Block[]> =>
  settle(partsOf(keepBlob, content))

/** A reasoning item as thinking that no other model is ever sent (Q3). */
function thinkingOf(item: JsonObject): Block[] {
  const parts = [...listOf(item.summary), ...listOf(item.content)]
  const thinking = wordsOf(parts)
  return thinking === '' ? [] : [{ type: 'thinking', thinking, signature: '' }]
}

/** Calls whose work was done by the provider: they have no item with a result. */
const DONE_BY_PROVIDER = new Set(['web_search_call', 'image_generation_call', 'file_search_call'])
const NOT_KEPT = 'The provider ran this; its result is not in the file.'

function callBlock(item: JsonObject): Block {
  const type = textOf(item.type) ?? ''
  const name = textOf(item.name) ?? type.replace(/_call$/, '')
  const input = argumentsOf(item.arguments ?? item.input ?? item.action)
  return { type: 'tool_use', id: textOf(item.call_id) ?? textOf(item.id) ?? '', name, input }
}

function outputBlocks(keepBlob: KeepBlob, output: Json | undefined): Soon<Block[]> {
  if (isRow(output) && output.content !== undefined) return openaiBlocks(keepBlob, output.content)
  return openaiBlocks(keepBlob, isRow(output) ? [output] : output)
}

const isFailure = (output: Json | undefined): boolean => rowOf(output).success === false

function takeMessage(voice: ItemVoice, at: Place, item: JsonObject, content: Block[]): true {
  const { builder, said } = voice
  if (item.role === 'assistant') builder.assistant(at, { ...said, key: voice.key(), content })
  else {
    voice.endReply()
    const isHuman = item.role === 'user' && !isContext(content)
    builder.user(at, content, { kind: isHuman ? 'human' : 'notice' })
  }
  return true
}

/** Takes one item; answers false where it is none of the kinds that mean something in a conversation. */
export function takeItem(voice: ItemVoice, at: Place, item: JsonObject): Soon<boolean> {
  const { builder, keepBlob, said } = voice
  const type = textOf(item.type) ?? (typeof item.role === 'string' ? 'message' : '')
  if (type === 'message') {
    return soon(openaiBlocks(keepBlob, item.content), (content) =>
      takeMessage(voice, at, item, content),
    )
  }
  if (type === 'reasoning') {
    const content = thinkingOf(item)
    if (content.length === 0) builder.keep(at, 'reasoning that only its provider can read')
    else builder.assistant(at, { ...said, key: voice.key(), content })
    return true
  }
  if (type.endsWith('_call_output') || type === 'tool_search_output') {
    const output = item.output ?? item.tools
    return soon(outputBlocks(keepBlob, output), (content) => {
      builder.result(at, { callId: textOf(item.call_id), content, isError: isFailure(output) })
      voice.endReply()
      return true
    })
  }
  if (!type.endsWith('_call')) return false
  const call = callBlock(item)
  builder.assistant(at, { ...said, key: voice.key(), content: [call] })
  if (DONE_BY_PROVIDER.has(type)) {
    const callId = textOf(item.call_id) ?? textOf(item.id)
    builder.result(at, { callId, content: [textBlock(NOT_KEPT)], isError: false })
    voice.endReply()
  }
  return true
}

/** What the program told the model about its surroundings, in the user's name. */
const isContext = ([first]: readonly Block[]): boolean =>
  first !== undefined &&
  /^<(environment_context|user_instructions|permissions|turn_aborted)/.test(textOfBlocks([first]))

export function createVoice(
  builder: Builder,
  keepBlob: KeepBlob,
  said: ItemVoice['said'] = {},
): ItemVoice {
  let reply = 0
  return { builder, keepBlob, said, key: () => `reply-${reply}`, endReply: () => void reply++ }
}
