/** What a model reads and writes. The blocks are those of the Anthropic Messages API. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Media live in the blob table; a block only names them. `hash` is SHA-256 in hex, `bytes` the decoded size. */
export type BlobRef = {
  type: 'blob'
  hash: string
  media_type: string
  bytes: number
  /** Pixels, where known (M1). */
  width?: number
  height?: number
  /** Pages of a document, where known (M1). */
  pages?: number
}

export type TextBlock = { type: 'text'; text: string }
export type ThinkingBlock = { type: 'thinking'; thinking: string; signature: string }
export type RedactedThinkingBlock = { type: 'redacted_thinking'; data: string }
export type ToolUseBlock = { type: 'tool_use'; id: string; name: string; input: JsonObject }
export type ImageBlock = { type: 'image'; source: BlobRef }
export type DocumentBlock = { type: 'document'; source: BlobRef; title?: string }
/** Exists only in derived requests: one `tool/result` event derives one of these (Q2). */
export type ToolResultBlock = {
  type: 'tool_result'
  tool_use_id: string
  content: Block[]
  is_error?: boolean
}

export type KnownBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ImageBlock
  | DocumentBlock
  | ToolResultBlock

/** A block of a type we do not know, kept verbatim. Narrow with `isKnown` before a `switch`. */
export type OtherBlock = { type: string; [key: string]: Json }

export type Block = KnownBlock | OtherBlock

const KNOWN: ReadonlySet<string> = new Set<KnownBlock['type']>([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'image',
  'document',
  'tool_result',
])

export const isKnown = (block: Block): block is KnownBlock => KNOWN.has(block.type)
export const isText = (block: Block): block is TextBlock => block.type === 'text'
export const isToolUse = (block: Block): block is ToolUseBlock => block.type === 'tool_use'
export const isMedia = (block: Block): block is ImageBlock | DocumentBlock =>
  block.type === 'image' || block.type === 'document'

/** All text of some blocks, joined by line ends. */
export const textOf = (blocks: readonly Block[]): string =>
  blocks
    .filter(isText)
    .map((block) => block.text)
    .join('\n')

export type Role = 'user' | 'assistant'

export type Message = { role: Role; content: Block[] }

/** Tokens as the provider reports them; `input_tokens` excludes both cache figures. */
export type Usage = {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens?: number
  cache_read_input_tokens?: number
}

/** Everything the window held after a reply: input, both cache figures and the output (M2). */
export const usageTotal = (usage: Usage): number =>
  usage.input_tokens +
  usage.output_tokens +
  (usage.cache_creation_input_tokens ?? 0) +
  (usage.cache_read_input_tokens ?? 0)

export type ToolSpec = { name: string; description: string; input_schema: JsonObject }
