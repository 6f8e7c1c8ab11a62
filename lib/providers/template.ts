/**
 * The template summariser: an extractive summary without a model, behind the interface of one (C15). Equal
 * requests give equal summaries. It names itself in its first line.
 */

import { isText, type Message } from '../core/message'
import { estimateMessage, estimateText } from '../core/price'
import { SECTIONS } from '../core/prompt'
import type { RequestBody } from '../core/request'
import type { Model, ModelEvent } from '../ports'
import { extract } from './offline/extract'
import { fitWithin } from './offline/fit'
import { recordsIn, transcriptIn, turnsOfRecords, turnsOfTranscript } from './offline/transcript'
import { type Turn, turnsOf } from './offline/turns'

export const TEMPLATE_INFO = {
  provider: 'template',
  model: 'template-extractive',
  label: 'Template summariser',
  about:
    'A built-in program, not a language model. It copies requests, rules, paths, quotes and progress out of the conversation into the fixed sections of a summary.',
} as const

/** Tokens a summary takes at most, however often it is merged. */
const MAX_TOKENS = 1150
/** Share of what it stands for: a summary of a short stretch stays short. */
const SHARE = 0.5
const LEAST = 220

/** The conversation of a prefix-form request: its last text is the instruction, not part of it. */
function withoutInstruction(messages: readonly Message[]): Message[] {
  const last = messages.at(-1)
  if (last?.role !== 'user') return [...messages]
  const at = last.content.findLastIndex(isText)
  const content = last.content.filter((_, index) => index !== at)
  return content.length === 0
    ? messages.slice(0, -1)
    : [...messages.slice(0, -1), { ...last, content }]
}

function instructionOf(messages: readonly Message[]): string {
  const last = messages.at(-1)?.content.findLast(isText)
  return last?.text ?? ''
}

const focusIn = (instruction: string): string | null =>
  /<focus>\n([\s\S]*?)\n<\/focus>\s*$/.exec(instruction)?.[1] ?? null

/** What a request gives to summarise, in whichever form, and its estimated tokens. */
function givenBy(body: RequestBody, instruction: string): { turns: Turn[]; tokens: number } {
  const transcript = transcriptIn(instruction)
  if (transcript !== null)
    return { turns: turnsOfTranscript(transcript), tokens: estimateText(transcript) }
  const records = recordsIn(instruction)
  // Records are short already: their merge may be as long as they are together.
  if (records !== null)
    return { turns: turnsOfRecords(records), tokens: estimateText(instruction) / SHARE }
  const conversation = withoutInstruction(body.messages)
  const tokens = conversation.reduce((sum, { content }) => sum + estimateMessage(content), 0)
  return { turns: turnsOf(conversation), tokens }
}

/** The summary a request asks for. Pure. */
export function summarise(body: RequestBody): string {
  const instruction = instructionOf(body.messages)
  const { turns, tokens } = givenBy(body, instruction)
  const budget = Math.min(MAX_TOKENS, body.max_tokens, Math.max(LEAST, Math.floor(tokens * SHARE)))
  const titles = SECTIONS.map(({ title }) => title)
  return fitWithin(extract(turns, focusIn(instruction)), titles, budget)
}

const DELTA = 400

async function* reply(body: RequestBody, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const input = body.messages.reduce((sum, { content }) => sum + estimateMessage(content), 0)
  yield {
    type: 'start',
    model: TEMPLATE_INFO.model,
    usage: { input_tokens: input, output_tokens: 0 },
  }
  yield { type: 'block', index: 0, block: { type: 'text', text: '' } }
  const text = summarise(body)
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${DELTA}}`, 'gu')) ?? []
  for (const piece of pieces) {
    if (signal.aborted) break
    yield { type: 'delta', index: 0, delta: { type: 'text', text: piece } }
    // A turn of the event loop, so that a cancel is heard between two pieces (C5).
    await Promise.resolve()
  }
  if (signal.aborted) yield { type: 'error', error: { code: 'cancelled', message: 'Stopped.' } }
  else
    yield {
      type: 'end',
      stopReason: 'end_turn',
      usage: { input_tokens: input, output_tokens: estimateText(text) },
    }
}

/** The template summariser as a model. Usage is the estimate of M1 and costs nothing. */
export const templateModel = (): Model => ({
  provider: TEMPLATE_INFO.provider,
  stream: reply,
})
