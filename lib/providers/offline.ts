/**
 * The offline reader: a deterministic program behind the interface of a model. It needs no network and no
 * key; what it plans follows from the request body alone, so a compaction in the middle of a task, a
 * reload or another tab changes nothing.
 */

import { isToolUse, type Message, type ToolUseBlock, type Usage } from '../core/message'
import { estimateBlocks, estimateMessage, estimateText, estimateTools } from '../core/price'
import type { RequestBody } from '../core/request'
import type { Clock, Model, ModelError, ModelEvent } from '../ports'
import { cutText } from './offline/cite'
import type { Call, Move } from './offline/move'
import { planMove } from './offline/plan'

export const OFFLINE_INFO = {
  provider: 'offline',
  model: 'offline-reader',
  /** Tokens. */
  contextWindow: 16_000,
  /** Reserved for output, of the window. */
  maxTokens: 2048,
  label: 'Offline reader',
  about:
    'A built-in program, not a language model. It searches, reads, quotes and edits the workspace with real tools, by fixed rules, and shows every kind of compaction without a key or a network.',
} as const

/** Characters a second, about as fast as a quick model writes. */
const PACE = 1600
/** Time between two deltas. */
const TICK_MS = 24

const UNITS_PER_TOKEN = 4

const inputTokens = ({ system, tools, messages }: RequestBody): number =>
  system.reduce((sum, block) => sum + estimateText(block.text), 0) +
  estimateTools(tools) +
  messages.reduce((sum, message) => sum + estimateMessage(message.content), 0)

/** Calls with ids new in this conversation; the loop makes them unique in the session (P2). */
function blocksOf(calls: readonly Call[], messages: readonly Message[]): ToolUseBlock[] {
  const used = new Set(
    messages.flatMap(({ content }) => content.filter(isToolUse).map(({ id }) => id)),
  )
  let number = used.size
  return calls.map(({ name, input }) => {
    do number++
    while (used.has(`call_${number}`))
    return { type: 'tool_use', id: `call_${number}`, name, input }
  })
}

/** Text within the output limit; calls that no longer fit are left out, as a model cut off would. */
function withinLimit({ text, calls }: Move, maxTokens: number): Move & { isCut: boolean } {
  const room = (words: string, these: readonly Call[]) =>
    maxTokens - estimateBlocks([{ type: 'text', text: words }, ...blocksOf(these, [])])
  if (room(text, calls) >= 0) return { text, calls, isCut: false }
  let words = text
  for (let over = -room(words, []); over > 0 && words !== ''; over = -room(words, []))
    words = cutText(words, Math.max(0, words.length - over * UNITS_PER_TOKEN))
  return { text: words, calls: [], isCut: true }
}

const cancelled: ModelError = { code: 'cancelled', message: 'Stopped.' }

export type OfflineOptions = {
  clock: Clock
  /** Characters a second; 0 sends everything at once. */
  pace?: number
}

/** Pieces of a text as they fall due. Late timers (a background tab) are made up for, not waited out. */
async function* paced(text: string, { clock, pace = PACE }: OfflineOptions, signal: AbortSignal) {
  const began = clock.now()
  let sent = 0
  for (let tick = 1; sent < text.length && !signal.aborted; tick++) {
    const due =
      pace === 0
        ? text.length
        : Math.floor((Math.max(tick * TICK_MS, clock.now() - began) * pace) / 1000)
    const piece = cutText(text.slice(sent), Math.max(2, due - sent))
    sent += piece.length
    yield piece
    if (sent < text.length) await clock.sleep(TICK_MS, signal)
  }
}

const PIECE_OF_INPUT = 48

function* inputPieces(json: string): Generator<string> {
  for (let rest = json; rest !== ''; ) {
    const piece = cutText(rest, PIECE_OF_INPUT)
    yield piece
    rest = rest.slice(piece.length)
  }
}

function overflowOf(body: RequestBody, input: number, maxTokens: number): ModelError | null {
  if (input + maxTokens <= OFFLINE_INFO.contextWindow) return null
  return {
    code: 'overflow',
    message: `The request holds ${input} tokens and asks for ${maxTokens} of output; the window of ${body.model} holds ${OFFLINE_INFO.contextWindow}.`,
  }
}

async function* reply(
  body: RequestBody,
  signal: AbortSignal,
  options: OfflineOptions,
): AsyncGenerator<ModelEvent> {
  if (signal.aborted) return yield { type: 'error', error: cancelled }
  const input = inputTokens(body)
  const maxTokens = Math.min(body.max_tokens, OFFLINE_INFO.maxTokens)
  const overflow = overflowOf(body, input, maxTokens)
  if (overflow) return yield { type: 'error', error: overflow }
  yield {
    type: 'start',
    model: OFFLINE_INFO.model,
    usage: { input_tokens: input, output_tokens: 0 },
  }
  const { text, calls, isCut } = withinLimit(planMove(body), maxTokens)
  const blocks = blocksOf(calls, body.messages)
  if (text !== '') {
    yield { type: 'block', index: 0, block: { type: 'text', text: '' } }
    for await (const piece of paced(text, options, signal)) {
      yield { type: 'delta', index: 0, delta: { type: 'text', text: piece } }
    }
  }
  let index = text === '' ? 0 : 1
  for (const block of blocks) {
    if (signal.aborted) break
    yield { type: 'block', index, block: { ...block, input: {} } }
    for (const json of inputPieces(JSON.stringify(block.input)))
      yield { type: 'delta', index, delta: { type: 'input', json } }
    index++
  }
  if (signal.aborted) return yield { type: 'error', error: cancelled }
  const usage: Usage = {
    input_tokens: input,
    output_tokens: estimateBlocks([
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...blocks,
    ]),
  }
  const stopReason = isCut ? 'max_tokens' : blocks.length > 0 ? 'tool_use' : 'end_turn'
  yield { type: 'end', stopReason, usage }
}

/** The offline reader as a model. Usage is the estimate of M1, since nothing else counts its tokens. */
export const offlineModel = (options: OfflineOptions): Model => ({
  provider: OFFLINE_INFO.provider,
  stream: (body, signal) => reply(body, signal, options),
})
