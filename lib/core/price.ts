/** What content weighs before a provider has said so: tokens (M1), bytes and media (M4). */

import {
  type BlobRef,
  type Block,
  isKnown,
  isMedia,
  isText,
  type Message,
  type ToolSpec,
} from './message'
import { assertNever } from './result'
import { codePoints, isPairAt, isWellFormed, utf8Length } from './text'

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

/** What `weighText` finds: tokens as `estimateText` has them, bytes as JSON in UTF-8 with its quotes, code points. */
type TextWeight = { tokens: number; bytes: number; points: number }

/** Units summed at once: no count of so many outgrows its bits below. */
const RUN = 256
const [BEYOND_SHIFT, SURROGATE_SHIFT, COUNT] = [11, 20, 0x1ff]

/**
 * What each UTF-16 unit adds, so that one sum over a text counts everything: bytes in JSON in the lowest bits
 * (`\n` and its like two, other controls six), then units beyond Latin, then surrogates, two bytes each.
 */
function weighUnits(): Int32Array {
  const weights = new Int32Array(0x10000)
  for (let unit = 0; unit < 0x10000; unit++) {
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff
    const bytes = unit < 0x800 || isSurrogate ? 2 : 3
    const kind = isSurrogate ? 1 << SURROGATE_SHIFT : isLatin(unit) ? 0 : 1 << BEYOND_SHIFT
    weights[unit] = bytes | kind
  }
  for (let unit = 0; unit < 0x80; unit++) {
    weights[unit] = JSON.stringify(String.fromCharCode(unit)).length - 2
  }
  return weights
}
/** Made when a text first needs it: a page that opens has better to do. */
let unitWeights: Int32Array | null = null

/** All of it in one pass: loops apart cost most of an import. */
function weighText(text: string): TextWeight {
  const { length } = text
  if (!BEYOND_LATIN.test(text)) {
    const json = JSON.stringify(text)
    return {
      tokens: Math.ceil(length / UNITS_PER_TOKEN),
      bytes: utf8Length(json),
      points: length,
    }
  }
  unitWeights ??= weighUnits()
  const weights = unitWeights
  let bytes = 2
  let beyond = 0
  let surrogates = 0
  for (let from = 0; from < length; from += RUN) {
    const to = Math.min(length, from + RUN)
    let sum = 0
    for (let at = from; at < to; at++) sum = (sum + weights[text.charCodeAt(at)]!) | 0
    bytes += sum & ((1 << BEYOND_SHIFT) - 1)
    beyond += (sum >> BEYOND_SHIFT) & COUNT
    surrogates += sum >> SURROGATE_SHIFT
  }
  // A lone surrogate is a code point of its own, and an escape of six bytes.
  if (surrogates > 0 && !isWellFormed(text)) {
    const json = JSON.stringify(text)
    return { tokens: estimateText(text), bytes: utf8Length(json), points: codePoints(text) }
  }
  const pairs = surrogates / 2
  const latin = length - beyond - surrogates
  const tokens = Math.ceil(latin / UNITS_PER_TOKEN) + beyond + pairs
  return { tokens, bytes, points: length - pairs }
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

const bytesOfJson = (value: unknown): number => utf8Length(JSON.stringify(value))

/** Bytes of these as JSON without what their members say, whose quotes count with them. */
const TEXT_BLOCK = bytesOfJson({ type: 'text', text: '' }) - 2
const THINKING_BLOCK = bytesOfJson({ type: 'thinking', thinking: '', signature: '' }) - 4
const TOOL_USE = bytesOfJson({ type: 'tool_use', id: '', name: '', input: 0 }) - 5
const RESULT = bytesOfJson({ type: 'tool_result', tool_use_id: '', content: [] }) - 2
const IS_ERROR = ',"is_error":true'.length
const MESSAGE = bytesOfJson({ role: '', content: [] }) - 2

function hasMembers(block: Block, count: number): boolean {
  let members = 0
  for (const _ in block) members++
  return members === count
}

/** Tokens and bytes of a message, and the code points of its texts, those of results among them. */
export type MessageWeight = { tokens: number; bytes: number; chars: number }

function addText(weight: MessageWeight, text: string): TextWeight {
  const found = weighText(text)
  weight.tokens += found.tokens
  weight.bytes += found.bytes
  return found
}

/** Adds a block without the overhead. Those with more or fewer members than usual are weighed as their JSON. */
function addBlock(weight: MessageWeight, block: Block): void {
  if (isKnown(block)) {
    switch (block.type) {
      case 'text':
        if (!hasMembers(block, 2)) break
        weight.chars += addText(weight, block.text).points
        weight.bytes += TEXT_BLOCK
        return
      case 'thinking':
        if (!hasMembers(block, 3)) break
        addText(weight, block.thinking)
        weight.bytes += THINKING_BLOCK + bytesOfJson(block.signature)
        return
      case 'tool_use': {
        if (!hasMembers(block, 4)) break
        const input = JSON.stringify(block.input)
        weight.tokens += estimateText(block.name) + estimateText(input)
        weight.bytes +=
          TOOL_USE + bytesOfJson(block.id) + bytesOfJson(block.name) + utf8Length(input)
        return
      }
      case 'tool_result': {
        const isPlain = hasMembers(block, block.is_error === true ? 4 : 3)
        weight.bytes += isPlain
          ? RESULT + bytesOfJson(block.tool_use_id) + (block.is_error === true ? IS_ERROR : 0)
          : bytesOfJson({ ...block, content: [] })
        addBlocks(weight, block.content)
        return
      }
    }
    if (isText(block)) weight.chars += codePoints(block.text)
  }
  weight.tokens += estimateBlock(block)
  weight.bytes += bytesOfBlock(block)
}

function addBlocks(weight: MessageWeight, blocks: readonly Block[]): void {
  weight.bytes += Math.max(0, blocks.length - 1)
  weight.tokens += OVERHEAD * blocks.length
  for (const block of blocks) addBlock(weight, block)
}

/** What `estimateMessage` and `bytesOfMessage` say of a message, in one pass over its texts. */
export function weighMessage({ role, content }: Message): MessageWeight {
  const weight = { tokens: OVERHEAD, bytes: MESSAGE + role.length + 2, chars: 0 }
  addBlocks(weight, content)
  return weight
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
