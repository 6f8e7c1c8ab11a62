/** A reply as it arrives → content blocks and calls. Rules R3, P2, L5; see `ModelEvent` in lib/ports.ts. */

import type { StopReason } from '../core/event'
import type { Block, JsonObject, ToolUseBlock, Usage } from '../core/message'
import { isKnown } from '../core/message'
import { repairText } from '../core/text'
import type { ModelEvent } from '../ports'
import type { CallIds } from './call-ids'
import { parseToolInput, repairJson, type ToolInput } from './tool-input'

/** A call the model made, with the id it has in this session. */
export type Call = ToolInput & { id: string; name: string }

export type Reply = {
  /** Complete blocks; a `tool_use` whose arguments were cut off is left out (R3). */
  content: Block[]
  calls: Call[]
  /** As the provider names it. */
  model?: string
  usage?: Usage
  stopReason?: StopReason
  /** Lone surrogates replaced (L5). */
  repaired: number
}

/** The call being written: its argument text so far. */
export type Typing = { callId: string; name: string; text: string }

export interface Assembler {
  add(event: ModelEvent): void
  /** True once any block has arrived: from then on the request is not repeated. */
  readonly started: boolean
  /** Everything so far for the screen; a call still being written has empty input. Cheap. */
  partial(): { content: Block[]; typing?: Typing }
  /** The reply as far as it came. */
  reply(): Reply
  /** What was reported so far; of a reply that was cut off the output is still growing. */
  told(): Usage | undefined
}

type Slot = { block: Block; json: string; parsed?: ToolInput }

export function createAssembler(ids: CallIds): Assembler {
  const slots = new Map<number, Slot>()
  let open: Slot | undefined
  let model: string | undefined
  let usage: Partial<Usage> = {}
  let stopReason: StopReason | undefined

  function start(index: number, block: Block): void {
    const slot = { block: isCall(block) ? named(block, ids) : { ...block }, json: '' }
    slots.set(index, slot)
    open = slot
  }
  /** A call is complete when another block or a regular end came after it, or its text is a whole object. */
  function inputOf(slot: Slot, block: ToolUseBlock): ToolInput | null {
    if (slot.parsed) return slot.parsed
    const given = slot.json === '' && Object.keys(block.input).length > 0
    const cut = slot === open && (stopReason === undefined || stopReason === 'max_tokens')
    if (cut && !given && !slot.json.trimEnd().endsWith('}')) return null
    const parsed = given ? fromObject(block.input) : parseToolInput(slot.json)
    if (cut && parsed.problem) return null
    slot.parsed = parsed
    return parsed
  }

  return {
    get started() {
      return slots.size > 0
    },
    add(event) {
      if (event.type === 'start') {
        model = event.model
        usage = { ...event.usage }
      } else if (event.type === 'block') start(event.index, event.block)
      else if (event.type === 'delta') {
        const slot = slots.get(event.index)
        if (!slot) throw new Error(`a delta for block ${event.index}, which never began`)
        extend(slot, event.delta)
      } else if (event.type === 'end') {
        usage = { ...usage, ...event.usage }
        stopReason = event.stopReason
      }
    },
    told: () => (isWhole(usage) ? { ...usage } : undefined),
    partial() {
      const content = [...slots.values()].map(({ block }) => block)
      const block = open?.block
      if (!open || !block || !isCall(block) || stopReason !== undefined) return { content }
      return { content, typing: { callId: block.id, name: block.name, text: open.json } }
    },
    reply() {
      const result: Reply = { content: [], calls: [], model, stopReason, repaired: 0 }
      if (stopReason !== undefined && isWhole(usage)) result.usage = usage
      const ordered = [...slots].sort(([a], [b]) => a - b)
      for (const [, slot] of ordered) {
        const { block } = slot
        if (!isCall(block)) {
          const whole = wellFormed(block)
          result.repaired += whole.repaired
          if (!isEmpty(whole.block)) result.content.push(whole.block)
          continue
        }
        const parsed = inputOf(slot, block)
        if (!parsed) continue
        result.content.push({ ...block, input: parsed.input })
        result.calls.push({ id: block.id, name: block.name, ...parsed })
      }
      return result
    },
  }
}

const isWhole = (usage: Partial<Usage>): usage is Usage =>
  usage.input_tokens !== undefined && usage.output_tokens !== undefined

const isCall = (block: Block): block is ToolUseBlock => isKnown(block) && block.type === 'tool_use'

/** Names and ids of illegal characters would make every later request invalid (Q4). */
const named = (block: ToolUseBlock, ids: CallIds): ToolUseBlock => ({
  ...block,
  id: ids.take(block.id),
  name: block.name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || 'unnamed',
})

function fromObject(input: JsonObject): ToolInput {
  const { value, repaired } = repairJson(input)
  return repaired > 0
    ? { input: value as JsonObject, raw: JSON.stringify(input) }
    : { input: value as JsonObject }
}

function extend(slot: Slot, delta: Extract<ModelEvent, { type: 'delta' }>['delta']): void {
  const { block } = slot
  if (delta.type === 'input') slot.json += delta.json
  else if (!isKnown(block)) return
  else if (delta.type === 'text' && block.type === 'text')
    slot.block = { ...block, text: block.text + delta.text }
  else if (delta.type === 'thinking' && block.type === 'thinking')
    slot.block = { ...block, thinking: block.thinking + delta.thinking }
  else if (delta.type === 'signature' && block.type === 'thinking')
    slot.block = { ...block, signature: (block.signature ?? '') + delta.signature }
}

/** A signature vouches for bytes: thinking that had to be repaired loses it, and is never sent (Q3). */
function wellFormed(block: Block): { block: Block; repaired: number } {
  if (isKnown(block) && block.type === 'text') {
    const { text, repaired } = repairText(block.text)
    return { block: repaired > 0 ? { ...block, text } : block, repaired }
  }
  if (isKnown(block) && block.type === 'thinking') {
    const { text, repaired } = repairText(block.thinking)
    const signature = repaired > 0 ? '' : (block.signature ?? '')
    return { block: { ...block, thinking: text, signature }, repaired }
  }
  const { value, repaired } = repairJson(block as JsonObject)
  return { block: value as Block, repaired }
}

const isEmpty = (block: Block): boolean =>
  isKnown(block) &&
  ((block.type === 'text' && block.text === '') ||
    (block.type === 'thinking' && block.thinking === '' && block.signature === ''))
