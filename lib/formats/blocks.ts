/** Foreign content as blocks of the log: media by reference, results apart, nothing dropped unseen. */

import { type Block, isText, type Json, type JsonObject } from '../core/message'
import { decodeBase64 } from './base64'
import type { KeepBlob } from './foreign'
import { argumentsOf, isRow, rowOf, showJson, textOf, withoutMinusZero } from './json'

/** A part of a message: what a side said, or the result of a call. */
export type Said = { kind: 'said'; blocks: Block[] }
export type Answer = {
  kind: 'result'
  callId?: string
  name?: string
  content: Block[]
  isError: boolean
}
export type Piece = Said | Answer

export const textBlock = (text: string): Block => ({ type: 'text', text })

/** Nothing that a model could be sent (S9). */
export const isBlank = (blocks: readonly Block[]): boolean =>
  blocks.every((block) => isText(block) && block.text.trim() === '')

/** Text of a value of any type: strings as they are, nothing for null. */
export const textBlocks = (value: Json | undefined): Block[] => {
  const text = value === null ? '' : showJson(value)
  return text === '' ? [] : [textBlock(text)]
}

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,/

/** A picture or document from base64; text that says what was there where it cannot be decoded. */
export async function mediaBlock(
  keepBlob: KeepBlob,
  kind: 'image' | 'document',
  mediaType: string | undefined,
  base64: string,
): Promise<Block> {
  const bytes = decodeBase64(base64)
  if (!bytes || bytes.length === 0) return textBlock(`[${kind}: its data cannot be read]`)
  const fallback = kind === 'image' ? 'image/png' : 'application/pdf'
  return { type: kind, source: await keepBlob(bytes, mediaType || fallback) }
}

/** A picture by URL: the bytes of a `data:` URL, else the address as text. */
export async function imageFromUrl(keepBlob: KeepBlob, url: string | undefined): Promise<Block> {
  const match = url === undefined ? null : DATA_URL.exec(url)
  if (url === undefined) return textBlock('[image: not in the file]')
  if (!match) return textBlock(`[image: ${url}]`)
  return mediaBlock(keepBlob, 'image', match[1], url.slice(match[0].length))
}

async function anthropicMedia(
  keepBlob: KeepBlob,
  kind: 'image' | 'document',
  block: JsonObject,
): Promise<Block> {
  const source = rowOf(block.source)
  const data = textOf(source.data)
  if (source.type === 'text' && data !== undefined) return textBlock(data)
  if (data !== undefined) return mediaBlock(keepBlob, kind, textOf(source.media_type), data)
  const where = textOf(source.url) ?? textOf(source.file_id) ?? 'not in the file'
  return textBlock(`[${kind}: ${where}]`)
}

/** Members of a block that mean nothing outside the request they were sent in. */
function verbatim({ cache_control: _, ...block }: JsonObject, type: string): Block {
  return { ...withoutMinusZero(block), type }
}

function thinkingBlock(block: JsonObject): Block {
  const thinking = showJson(block.thinking)
  return { type: 'thinking', thinking, signature: textOf(block.signature) ?? '' }
}

/** Work that waits for media only: a wait for every block would cost more than the block. */
export type Waiting<T> = Generator<Promise<Block>, T, Block>

/** What is there at once in nearly all cases, and else after a while. */
export type Soon<T> = T | Promise<T>

/** What comes of it: at once, if it is there. */
export const soon = <T, R>(value: Soon<T>, work: (value: T) => R): Soon<R> =>
  value instanceof Promise ? value.then(work) : work(value)

/** Does the work: at once, where nothing of it is waited for. */
export function settle<T>(work: Waiting<T>): Soon<T> {
  const first = work.next()
  return first.done ? first.value : settleLater(work, first.value)
}

async function settleLater<T>(work: Waiting<T>, first: Promise<Block>): Promise<T> {
  let waiting = first
  for (;;) {
    const next = work.next(await waiting)
    if (next.done) return next.value
    waiting = next.value
  }
}

function* saidBlock(keepBlob: KeepBlob, block: JsonObject, byModel: boolean): Waiting<Block[]> {
  switch (block.type) {
    case 'text':
      return textBlocks(block.text)
    case 'image':
    case 'document':
      return [yield anthropicMedia(keepBlob, block.type, block)]
    case 'thinking':
      return byModel ? [thinkingBlock(block)] : textBlocks(block.thinking)
    case 'redacted_thinking':
      return byModel ? [{ type: 'redacted_thinking', data: showJson(block.data) }] : []
    case 'tool_use':
      if (!byModel) return [textBlock(showJson(block))]
      // An id that is missing is given by the builder.
      return [
        {
          type: 'tool_use',
          id: textOf(block.id) ?? '',
          name: textOf(block.name) ?? 'unknown',
          input: argumentsOf(block.input),
        },
      ]
    default: {
      const type = textOf(block.type)
      return type === undefined ? [textBlock(showJson(block))] : [verbatim(block, type)]
    }
  }
}

function* contentOf(keepBlob: KeepBlob, content: Json | undefined): Waiting<Block[]> {
  if (!Array.isArray(content)) return textBlocks(content)
  const blocks: Block[] = []
  for (const item of content) {
    if (!isRow(item)) blocks.push(...textBlocks(item))
    else if (item.type === 'tool_result') blocks.push(textBlock(showJson(item)))
    else blocks.push(...(yield* saidBlock(keepBlob, item, false)))
  }
  return blocks
}

function* piecesOf(
  keepBlob: KeepBlob,
  content: Json | undefined,
  byModel: boolean,
): Waiting<Piece[]> {
  if (!Array.isArray(content)) {
    const blocks = isRow(content)
      ? yield* saidBlock(keepBlob, content, byModel)
      : textBlocks(content)
    return blocks.length > 0 ? [{ kind: 'said', blocks }] : []
  }
  const pieces: Piece[] = []
  const say = (blocks: Block[]) => {
    const last = pieces.at(-1)
    if (last?.kind === 'said') last.blocks.push(...blocks)
    else if (blocks.length > 0) pieces.push({ kind: 'said', blocks })
  }
  for (const item of content) {
    if (!isRow(item)) say(textBlocks(item))
    else if (item.type === 'tool_result') {
      pieces.push({
        kind: 'result',
        callId: textOf(item.tool_use_id),
        name: textOf(item.name),
        content: yield* contentOf(keepBlob, item.content),
        isError: item.is_error === true,
      })
    } else say(yield* saidBlock(keepBlob, item, byModel))
  }
  return pieces
}

/** Content of a result: text, media, and unknown blocks; never a call or another result. */
export const resultContent = (keepBlob: KeepBlob, content: Json | undefined): Soon<Block[]> =>
  settle(contentOf(keepBlob, content))

/**
 * Content in the shape of the Anthropic API, or something near it, in order. `byModel`: an assistant's,
 * which may think and call tools. Results become pieces of their own.
 */
export const anthropicPieces = (
  keepBlob: KeepBlob,
  content: Json | undefined,
  byModel: boolean,
): Soon<Piece[]> => settle(piecesOf(keepBlob, content, byModel))
