/** Raw stream events of the Messages API → `ModelEvent`. */

import type Anthropic from '@anthropic-ai/sdk'
import type { Block, JsonObject, Usage } from '../core/message'
import type { BlockDelta, ModelEvent } from '../ports'

type Raw = Anthropic.RawMessageStreamEvent
type RawUsage = { [K in keyof Usage]?: number | null } | null | undefined

/** The provider's figures so far; `message_delta` repeats them cumulatively and may leave some out. */
function mergeUsage(before: Usage | undefined, raw: RawUsage): Usage | undefined {
  if (!raw) return before
  const merged: Usage = { input_tokens: 0, output_tokens: 0, ...before }
  for (const key of [
    'input_tokens',
    'output_tokens',
    'cache_creation_input_tokens',
    'cache_read_input_tokens',
  ] as const) {
    const value = raw[key]
    if (typeof value === 'number') merged[key] = value
  }
  return merged
}

/** Compatible servers that do not count send zeros; that is no measurement (M2). */
const isMeasured = (usage: Usage | undefined): usage is Usage =>
  usage !== undefined && Object.values(usage).some((tokens) => tokens > 0)

const STREAMED: ReadonlySet<string> = new Set(['text', 'thinking', 'tool_use'])

/** The block as it begins. Of blocks we know only what the API takes back; all others verbatim. */
function opening(raw: Raw & { type: 'content_block_start' }): Block {
  const block = raw.content_block
  switch (block.type) {
    case 'text':
      return { type: 'text', text: (block.text ?? '').toWellFormed() }
    case 'thinking':
      return { ...block, thinking: block.thinking ?? '', signature: block.signature ?? '' }
    case 'tool_use':
      return {
        type: 'tool_use',
        id: block.id,
        name: block.name,
        input: (block.input ?? {}) as JsonObject,
      }
    default:
      return structuredClone(block) as unknown as Block
  }
}

/** Adds a delta to a block whose deltas we have no name for: strings grow, all else is set. */
function grow(
  block: { [key: string]: unknown },
  delta: { [key: string]: unknown },
  json: string[],
) {
  for (const [key, value] of Object.entries(delta)) {
    if (key === 'type') continue
    if (key === 'partial_json') json.push(String(value))
    else if (typeof value === 'string' && typeof block[key] === 'string') block[key] += value
    else block[key] = value
  }
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The kinds of text a delta carries, each with its field. */
const TEXTS = {
  text: (text: string): BlockDelta => ({ type: 'text', text }),
  thinking: (thinking: string): BlockDelta => ({ type: 'thinking', thinking }),
  input: (json: string): BlockDelta => ({ type: 'input', json }),
}

/**
 * Joins surrogate pairs that a delta border cut in two, so that every piece is well-formed (L5): a high
 * half waits for its partner in the next piece of the same block, and is repaired where none comes.
 */
function createMender() {
  let held = ''
  let kind: keyof typeof TEXTS = 'text'
  return {
    add(next: keyof typeof TEXTS, piece: string): BlockDelta | null {
      kind = next
      const text = held + piece
      held = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
      const whole = text.slice(0, text.length - held.length).toWellFormed()
      return whole === '' ? null : TEXTS[kind](whole)
    },
    flush: (): BlockDelta | null => (held === '' ? null : TEXTS[kind](held.toWellFormed())),
  }
}

function deltaOf(
  delta: Anthropic.RawContentBlockDelta,
  mender: ReturnType<typeof createMender>,
): BlockDelta | null {
  switch (delta.type) {
    case 'text_delta':
      return mender.add('text', delta.text)
    case 'thinking_delta':
      return mender.add('thinking', delta.thinking)
    case 'input_json_delta':
      return mender.add('input', delta.partial_json)
    case 'signature_delta':
      return { type: 'signature', signature: delta.signature }
    default:
      // Citations: this app asks for none.
      return null
  }
}

/**
 * A reader for one reply: feed raw events in order, get the events to pass on. `end` comes with
 * `message_stop`; `finished` is true once the stream may close, which some servers do without it.
 * Blocks of unknown types are held back until they are complete and then passed on whole.
 */
export function createReader() {
  let usage: Usage | undefined
  let stopReason: string | null = null
  let held: { index: number; block: { [key: string]: unknown }; json: string[] } | null = null
  let mender = createMender()

  const end = (): ModelEvent => ({
    type: 'end',
    stopReason: stopReason ?? 'end_turn',
    ...(isMeasured(usage) ? { usage } : {}),
  })

  function read(raw: Raw): ModelEvent[] {
    switch (raw.type) {
      case 'message_start':
        usage = mergeUsage(usage, raw.message.usage)
        return [
          {
            type: 'start',
            model: raw.message.model,
            ...(isMeasured(usage) ? { usage: { ...usage } } : {}),
          },
        ]
      case 'content_block_start': {
        mender = createMender()
        const block = opening(raw)
        if (STREAMED.has(block.type) || block.type === 'redacted_thinking')
          return [{ type: 'block', index: raw.index, block }]
        held = { index: raw.index, block, json: [] }
        return []
      }
      case 'content_block_delta': {
        if (held) {
          grow(held.block, { ...raw.delta }, held.json)
          return []
        }
        const delta = deltaOf(raw.delta, mender)
        return delta ? [{ type: 'delta', index: raw.index, delta }] : []
      }
      case 'content_block_stop': {
        if (!held) {
          const delta = mender.flush()
          mender = createMender()
          return delta ? [{ type: 'delta', index: raw.index, delta }] : []
        }
        const { index, block, json } = held
        held = null
        const input = json.length > 0 ? parseInput(json.join('')) : undefined
        return [
          {
            type: 'block',
            index,
            block: (input === undefined ? block : { ...block, input }) as Block,
          },
        ]
      }
      case 'message_delta':
        usage = mergeUsage(usage, raw.usage)
        stopReason = raw.delta.stop_reason ?? stopReason
        return []
      case 'message_stop':
        return [end()]
      default:
        // An event type newer than this code carries nothing we could lose.
        return []
    }
  }
  return {
    read,
    end,
    get finished() {
      return stopReason !== null
    },
  }
}
