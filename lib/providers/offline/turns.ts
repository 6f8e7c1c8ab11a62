/** A request's messages as turns: what a person asked, and what was done about it since. */

import {
  type Block,
  isMedia,
  isText,
  isToolUse,
  type JsonObject,
  type Message,
  textOf,
} from '../../core/message'
import { headingsIn } from './heading'
import { type Memory, readMemory } from './memory'
import { joinMemories } from './memory-join'
import { isPlaceholder } from './results'

export type StepResult = {
  text: string
  isError: boolean
  /** Replaced by a placeholder: the call happened, its words are gone from view. */
  isGone: boolean
}

/** One tool call and its result. Calls of one assistant message share their `group`. */
export type Step = {
  name: string
  input: JsonObject
  group: number
  /** The part of the request it was made for, as far as words in view say so. */
  part: number | null
  result: StepResult | null
}

export type Attachment = { name: string; text: string }

export type Turn = {
  /** The words of the newest human message; null where only work without its request is in view. */
  request: string | null
  attached: Attachment[]
  /** Images and documents that came with the request. */
  media: number
  steps: Step[]
  /** What the assistant wrote, in order. */
  said: string[]
  /** What a checkpoint tells of this turn's earlier part. */
  memory: Memory | null
  /** The part of the request in hand, counted from 1; null where it has one part, or none is named in view. */
  part: number | null
  /** Words of the program itself since the request. */
  notices: string[]
  /** The assistant has answered: its last message made no call. */
  isAnswered: boolean
}

export const newTurn = (request: string | null): Turn => ({
  request,
  attached: [],
  media: 0,
  steps: [],
  said: [],
  memory: null,
  part: null,
  notices: [],
  isAnswered: false,
})

const ATTACHED = /^<file name=("(?:[^"\\]|\\.)*")>\n([\s\S]*)\n<\/file>$/

/** Texts the program itself puts on the user's side; they ask for nothing new. */
const NOTICE = /^(?:Your (?:last )?reply was (?:cut off|interrupted)|The compaction you scheduled )/

/** A checkpoint's record, or null for other text (C13). */
export function recordIn(text: string): string | null {
  const match = /^<record>\n[^\n]*\n\n([\s\S]*)\n<\/record>(?:\n|$)/.exec(text)
  return match ? match[1]! : null
}

function attachmentOf(text: string): Attachment | null {
  const match = ATTACHED.exec(text)
  if (!match) return null
  try {
    return { name: String(JSON.parse(match[1]!)), text: match[2]! }
  } catch {
    return null
  }
}

/** Collects turns from pieces in the order of the conversation; both request forms feed it. */
export function turnCollector() {
  const turns: Turn[] = []
  let group = 0
  let pending: Turn | null = null

  /** The turn a person is writing: attachments come before the words they belong to. */
  const draft = () => (pending ??= newTurn(null))
  const settle = () => {
    if (pending) turns.push(pending)
    pending = null
  }
  const current = (): Turn => {
    settle()
    if (turns.length === 0) turns.push(newTurn(null))
    return turns.at(-1)!
  }
  return {
    checkpoint(record: string) {
      settle()
      const memory = readMemory(record)
      const last = turns.at(-1)
      if (last && memory.request === null) {
        last.memory = last.memory ? joinMemories(last.memory, memory) : memory
        last.isAnswered = memory.isAnswered
        last.part = memory.part ?? last.part
      } else {
        const { request, isAnswered, part } = memory
        turns.push({ ...newTurn(request), memory, isAnswered, part })
      }
    },
    userText(text: string) {
      const attachment = attachmentOf(text)
      if (attachment) draft().attached.push(attachment)
      else if (NOTICE.test(text)) current().notices.push(text)
      else {
        // Two human texts in a row are two messages: only attachments and media share a message with words.
        if (pending !== null && pending.request !== null) settle()
        draft().request = text
      }
    },
    media() {
      draft().media++
    },
    said(text: string) {
      const turn = current()
      turn.said.push(text)
      turn.part = headingsIn(text).at(-1)?.part ?? turn.part
      turn.isAnswered = true
    },
    nextGroup() {
      group++
    },
    call(name: string, input: JsonObject): Step {
      const turn = current()
      const step: Step = { name, input, group, part: turn.part, result: null }
      turn.steps.push(step)
      turn.isAnswered = false
      return step
    },
    end(): Turn[] {
      settle()
      return turns
    },
  }
}

const resultOf = (content: readonly Block[], isError: boolean): StepResult => {
  const text = textOf(content)
  return { text, isError, isGone: isPlaceholder(text) }
}

/** The turns of a conversation, oldest first. */
export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns = turnCollector()
  const open = new Map<string, Step>()
  for (const { role, content } of messages) {
    if (role === 'assistant') turns.nextGroup()
    for (const block of content) {
      if (role === 'assistant') {
        if (isToolUse(block)) open.set(block.id, turns.call(block.name, block.input))
        else if (isText(block) && block.text.trim() !== '') turns.said(block.text)
      } else if (block.type === 'tool_result') {
        const {
          tool_use_id,
          content: inner,
          is_error,
        } = block as {
          tool_use_id: string
          content: Block[]
          is_error?: boolean
        }
        const step = open.get(tool_use_id)
        if (step) step.result = resultOf(inner, is_error === true)
      } else if (isText(block)) {
        const record = recordIn(block.text)
        if (record === null) turns.userText(block.text)
        else turns.checkpoint(record)
      } else if (isMedia(block)) turns.media()
    }
  }
  return turns.end()
}
