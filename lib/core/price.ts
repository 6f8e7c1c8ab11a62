/** What content weighs before a provider has said so: tokens (M1), bytes and media (M4). */

import { type BlobRef, type Block, isKnown, isMedia, type Message, type ToolSpec } from './message'
import { assertNever } from './result'
import { isPairAt, utf8Length } from './text'

/** UTF-16 units of Latin text to a token (M1). */
const UNITS_PER_TOKEN = 4
/** What a block and a message cost beyond their fields (M1). */
const OVERHEAD = 4
/** Pixels to a token, as Anthropic's vision guide gives it (M1). */
const PIXELS_PER_TOKEN = 750
/** An image of unknown size counts as the largest the API does not shrink, about 1.2 megapixels. */
const UNKNOWN_IMAGE = 1600
/** Middle of the 1,500 to 3,000 tokens a page that Anthropic's PDF guide states. */
const TOKENS_PER_PAGE = 2250

/**
 * Latin letters with their marks, punctuation, superscripts and currency signs. All else (CJK, emoji,
 * Cyrillic, Greek, …) has about one token a code point in the vocabularies in use.
 */
const isLatin = (unit: number): boolean =>
  unit < 0x370 || (unit >= 0x1e00 && unit <= 0x1eff) || (unit >= 0x2000 && unit <= 0x20cf)

/** A unit that `isLatin` may not call Latin: below it all are. */
const BEYOND_LATIN = /[\u0370-\uffff]/

/** Tokens of one field (M1): Latin units by four, rounded up, and one for every other code point. */
export function estimateText(text: string): number {
  if (!BEYOND_LATIN.test(text)) return Math.ceil(text.length / UNITS_PER_TOKEN)
  let latin = 0
  let others = 0
  for (let i = 0; i < text.length; i++) {
    if (isLatin(text.charCodeAt(i))) latin++
    else {
      others++
      if (isPairAt(text, i)) i++
    }
  }
  return Math.ceil(latin / UNITS_PER_TOKEN) + others
}

/** What `weighText` finds: tokens as `estimateText` has them, and bytes as JSON in UTF-8 with its quotes. */
type TextWeight = { tokens: number; bytes: number }

/** What a unit below 0x80 takes in JSON: `\n` and its like two bytes, other controls six. */
const JSON_BYTES = Uint8Array.from(
  { length: 0x80 },
  (_, unit) => JSON.stringify(String.fromCharCode(unit)).length - 2,
)

/** Tokens and bytes of a text in one pass: the two loops apart cost most of an import. */
function weighText(text: string): TextWeight {
  if (!BEYOND_LATIN.test(text)) {
    const tokens = Math.ceil(text.length / UNITS_PER_TOKEN)
    return { tokens, bytes: utf8Length(JSON.stringify(text)) }
  }
  let latin = 0
  let others = 0
  let bytes = 2
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      latin++
      bytes += JSON_BYTES[unit]!
    } else if (unit < 0xd800 || unit > 0xdfff) {
      bytes += unit < 0x800 ? 2 : 3
      if (isLatin(unit)) latin++
      else others++
    } else {
      // A lone surrogate is written as an escape of six characters.
      const isPair = isPairAt(text, i)
      bytes += isPair ? 4 : 6
      others++
      if (isPair) i++
    }
  }
  return { tokens: Math.ceil(latin / UNITS_PER_TOKEN) + others, bytes }
}

/**
 * The end of the longest stretch of `text` from `from` on that `estimateText` prices at no more than
 * `tokens`; never inside a surrogate pair.
 */
export function fitText(text: string, from: number, tokens: number): number {
  let latin = 0
  let others = 0
  let at = from
  while (at < text.length) {
    const isPair = isPairAt(text, at)
    if (isLatin(text.charCodeAt(at))) latin++
    else others++
    if (Math.ceil(latin / UNITS_PER_TOKEN) + others > tokens) return at
    at += isPair ? 2 : 1
  }
  return at
}

const estimateImage = ({ width, height }: BlobRef): number =>
  width === undefined || height === undefined
    ? UNKNOWN_IMAGE
    : Math.ceil((width * height) / PIXELS_PER_TOKEN)

function estimateDocument({ pages, media_type, bytes }: BlobRef): number {
  if (media_type.startsWith('text/')) return Math.ceil(bytes / UNITS_PER_TOKEN)
  return (pages ?? 1) * TOKENS_PER_PAGE
}

/** Tokens of a block's fields, without its overhead. Ids are not counted: the model reads none. */
export function estimateBlock(block: Block): number {
  if (!isKnown(block)) return estimateText(JSON.stringify(block))
  switch (block.type) {
    case 'text':
      return estimateText(block.text)
    case 'thinking':
      return estimateText(block.thinking)
    case 'redacted_thinking':
      return estimateText(block.data)
    case 'tool_use':
      return estimateText(block.name) + estimateText(JSON.stringify(block.input))
    case 'image':
      return estimateImage(block.source)
    case 'document':
      return estimateDocument(block.source) + estimateText(block.title ?? '')
    case 'tool_result':
      return estimateBlocks(block.content)
    default:
      return assertNever(block)
  }
}

/** Tokens of some blocks, each with its overhead (M1). */
export const estimateBlocks = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + estimateBlock(block) + OVERHEAD, 0)

/** Tokens of a message with this content (M1). */
export const estimateMessage = (content: readonly Block[]): number =>
  estimateBlocks(content) + OVERHEAD

/** Tokens of tool definitions: three fields and one block's overhead for each. */
export const estimateTools = (tools: readonly ToolSpec[]): number =>
  tools.reduce(
    (sum, tool) =>
      sum +
      estimateText(tool.name) +
      estimateText(tool.description) +
      estimateText(JSON.stringify(tool.input_schema)) +
      OVERHEAD,
    0,
  )

const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3)
const BASE64_SOURCE = utf8Length(JSON.stringify({ type: 'base64', media_type: '', data: '' }))

/** Bytes the wire sends for a source, which names a blob here and is inlined there. */
const bytesOfSource = (source: BlobRef): number =>
  BASE64_SOURCE + utf8Length(source.media_type) + base64Length(source.bytes)

function bytesOfBlock(block: Block): number {
  if (isKnown(block) && isMedia(block)) {
    const { source, ...rest } = block
    return utf8Length(JSON.stringify({ ...rest, source: 0 })) - 1 + bytesOfSource(source)
  }
  if (isKnown(block) && block.type === 'tool_result') {
    return utf8Length(JSON.stringify({ ...block, content: [] })) + bytesOfBlocks(block.content)
  }
  return utf8Length(JSON.stringify(block))
}

const bytesOfBlocks = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + bytesOfBlock(block), Math.max(0, blocks.length - 1))

/** Bytes of these blocks without their texts, whose quotes count with the texts. */
const TEXT_BLOCK = utf8Length(JSON.stringify({ type: 'text', text: '' })) - 2
const THINKING_BLOCK =
  utf8Length(JSON.stringify({ type: 'thinking', thinking: '', signature: '' })) - 4

function hasMembers(block: Block, count: number): boolean {
  let members = 0
  for (const _ in block) members++
  return members === count
}

/** A text block and nothing more than that. */
const isPlainText = (block: Block): block is Block & { text: string } =>
  block.type === 'text' && hasMembers(block, 2)
const isPlainThinking = (block: Block): block is Block & { thinking: string; signature: string } =>
  block.type === 'thinking' && hasMembers(block, 3)

/** What `estimateMessage` and `bytesOfMessage` say of a message, in one pass over its texts. */
export function weighMessage(message: Message): { tokens: number; bytes: number } {
  const { role, content } = message
  let tokens = OVERHEAD
  let bytes = utf8Length(JSON.stringify({ role, content: [] })) + Math.max(0, content.length - 1)
  const add = (blocks: readonly Block[]) => {
    for (const block of blocks) {
      tokens += OVERHEAD
      if (isPlainText(block)) {
        const weight = weighText(block.text)
        tokens += weight.tokens
        bytes += TEXT_BLOCK + weight.bytes
      } else if (isPlainThinking(block)) {
        const weight = weighText(block.thinking)
        tokens += weight.tokens
        bytes += THINKING_BLOCK + weight.bytes + utf8Length(JSON.stringify(block.signature))
      } else if (isKnown(block) && block.type === 'tool_result') {
        bytes += utf8Length(JSON.stringify({ ...block, content: [] }))
        bytes += Math.max(0, block.content.length - 1)
        add(block.content)
      } else {
        tokens += estimateBlock(block)
        bytes += bytesOfBlock(block)
      }
    }
  }
  add(content)
  return { tokens, bytes }
}

/** Bytes of a message's JSON in UTF-8, its media inlined as base64 (M4). */
export const bytesOfMessage = ({ role, content }: Message): number =>
  utf8Length(JSON.stringify({ role, content: [] })) + bytesOfBlocks(content)

/** Bytes of what every request of a header repeats: system prompt and tools (M4). */
export const bytesOfPreamble = (system: string, tools: readonly ToolSpec[]): number =>
  utf8Length(JSON.stringify(system)) + utf8Length(JSON.stringify(tools))

/** Image and document blocks, those inside tool results included (M4). */
export const countMedia = (blocks: readonly Block[]): number =>
  blocks.reduce((count, block) => {
    if (!isKnown(block)) return count
    if (isMedia(block)) return count + 1
    return block.type === 'tool_result' ? count + countMedia(block.content) : count
  }, 0)
