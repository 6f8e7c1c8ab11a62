/** What the Messages API refuses of one block, and the same block as it would be taken (Q4). */

import {
  type BlobRef,
  type Block,
  isKnown,
  isMedia,
  isToolUse,
  type Message,
  type Role,
} from './message'

/**
 * Images as Anthropic's vision guide states them: four types, 5 MB, 8,000 pixels a side, and 2,000 where a
 * request holds more than 20. The 5 MB are asked of the base64 text, not of the file: that is what its error
 * counts ("image exceeds 5 MB maximum: 6405384 bytes", of a file of 4,804,036). Newer deployments allow more.
 */
export const IMAGE_LIMITS = {
  types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  base64: 5 * 1024 * 1024,
  side: 8000,
  many: 20,
  sideOfMany: 2000,
} as const

/** What it takes in names of tools, in their definitions and in calls. */
export const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,128}$/

/** Why an image cannot be sent, as words that go on from its name; null where it can, as far as is known. */
export function imageFlaw(source: BlobRef, side: number = IMAGE_LIMITS.side): string | null {
  const { media_type, bytes, width = 0, height = 0 } = source
  if (!IMAGE_LIMITS.types.some((type) => type === media_type))
    return `is ${media_type}; only PNG, JPEG, GIF and WebP can be sent`
  if (4 * Math.ceil(bytes / 3) > IMAGE_LIMITS.base64)
    return `is ${bytes} bytes long; at most ${(IMAGE_LIMITS.base64 / 4) * 3} can be sent`
  return Math.max(width, height) > side
    ? `is ${width} × ${height} pixels; at most ${side} a side can be sent`
    : null
}

/** PDF and plain text are all the API reads; the wire sends every kind of text as plain. */
const isReadable = ({ media_type }: BlobRef): boolean =>
  media_type === 'application/pdf' || media_type.startsWith('text/')

/** Why a block cannot be sent in a message of that role; null where it can. */
export function blockFlaw(block: Block, role: Role, side?: number): string | null {
  if (!isKnown(block)) return null
  if (isToolUse(block))
    return LEGAL_NAME.test(block.name)
      ? null
      : `The call of ${JSON.stringify(block.name)} has no legal name.`
  if (!isMedia(block)) return null
  if (role === 'assistant')
    return `The assistant’s own ${block.type}: only what the user shows can be sent.`
  if (block.type === 'document')
    return isReadable(block.source)
      ? null
      : `A document is ${block.source.media_type}; only PDF and text can be sent.`
  const flaw = imageFlaw(block.source, side)
  return flaw && `An image ${flaw}.`
}

/** Every block, those inside results too. */
export function* deepBlocks(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block
    if (isKnown(block) && block.type === 'tool_result') yield* deepBlocks(block.content)
  }
}

/** Pixels a side that images of these messages may have: fewer where there are many. */
export function sideOf(messages: readonly Message[]): number {
  let images = 0
  for (const { content } of messages)
    for (const { type } of deepBlocks(content)) if (type === 'image') images++
  return images > IMAGE_LIMITS.many ? IMAGE_LIMITS.sideOfMany : IMAGE_LIMITS.side
}

function fitted(block: Block, role: Role, side: number): Block {
  if (isKnown(block) && block.type === 'tool_result') {
    const content = fitBlocks(block.content, role, side)
    return content === block.content ? block : { ...block, content }
  }
  const flaw = blockFlaw(block, role, side)
  if (flaw === null) return block
  return isKnown(block) && isToolUse(block)
    ? { ...block, name: block.name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || 'unnamed' }
    : { type: 'text', text: `[Left out. ${flaw}]` }
}

function fitBlocks(blocks: Block[], role: Role, side: number): Block[] {
  const all = blocks.map((block) => fitted(block, role, side))
  return all.every((block, index) => block === blocks[index]) ? blocks : all
}

/**
 * The messages with nothing in them that would be refused again with every later request: media that do not
 * fit are named in words instead, names of called tools become legal. The same reference where all fits.
 */
export function fitMessages(messages: Message[]): Message[] {
  const side = sideOf(messages)
  const all = messages.map((message) => {
    const content = fitBlocks(message.content, message.role, side)
    return content === message.content ? message : { ...message, content }
  })
  return all.every((message, index) => message === messages[index]) ? messages : all
}
