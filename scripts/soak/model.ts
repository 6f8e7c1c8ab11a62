/** A model that answers by chance, behind the validation of the strict stand-in of the provider. */

import { MODELS } from '../../e2e/support/fake-anthropic/models.mjs'
import { signThinking } from '../../e2e/support/fake-anthropic/sign.mjs'
import { segmentsOf, totalOf } from '../../e2e/support/fake-anthropic/tokens.mjs'
import { validate } from '../../e2e/support/fake-anthropic/validate.mjs'
import type { StopReason } from '../../lib/core/event'
import type { Block, JsonObject } from '../../lib/core/message'
import { SECTIONS } from '../../lib/core/prompt'
import type { RequestBody } from '../../lib/core/request'
import { estimateRequest } from '../../lib/core/valid'
import type { Model, ModelErrorCode, ModelEvent } from '../../lib/ports'
import type { Chance } from './random'

/** Models whose windows differ by more than ten times. */
export const WINDOWS: Record<string, number> = {
  'claude-haiku-5-5': 200_000,
  'fake-small-16k': 16_000,
}
const TOOLS_ASKED_IN_A_TURN = 7

export type Wire = Model & {
  /** Requests that came, and what the provider would have refused of them. */
  readonly asked: { chat: number; summaries: number; overflows: number }
  readonly refused: string[]
  /** Called at every event that streams. */
  onBeat: () => void
  /** Whether the window of whatever writes summaries is known: then none is asked that is too large (C10). */
  knowsWindow: () => boolean
}

const isSummary = (body: RequestBody): boolean =>
  JSON.stringify(body.messages.at(-1)).includes('Use exactly these headings')

/** Why the provider refuses it, if it does. */
function refusalOf(body: RequestBody): string | null {
  try {
    validate(structuredClone({ ...body, stream: true }), { models: MODELS, isPaused: () => false })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : JSON.stringify(error)
  }
}

const textEvents = (index: number, text: string): ModelEvent[] => [
  { type: 'block', index, block: { type: 'text', text: '' } },
  { type: 'delta', index, delta: { type: 'text', text: text.slice(0, text.length >> 1) } },
  { type: 'delta', index, delta: { type: 'text', text: text.slice(text.length >> 1) } },
]

function callEvents(index: number, id: string, name: string, input: JsonObject): ModelEvent[] {
  const json = JSON.stringify(input)
  const block: Block = { type: 'tool_use', id, name, input: {} }
  return [
    { type: 'block', index, block },
    { type: 'delta', index, delta: { type: 'input', json: json.slice(0, 4) } },
    { type: 'delta', index, delta: { type: 'input', json: json.slice(4) } },
  ]
}

function thinkingEvents(index: number, model: string, thinking: string): ModelEvent[] {
  const signature: string = signThinking(model, thinking)
  return [
    { type: 'block', index, block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'delta', index, delta: { type: 'thinking', thinking } },
    { type: 'delta', index, delta: { type: 'signature', signature } },
  ]
}

type Answer = { events: ModelEvent[]; stopReason: StopReason } | { error: ModelErrorCode }

/** Nine summaries in ten are of use; the others fail in one of the ways summaries fail. */
function summarise(chance: Chance): Answer {
  const good = SECTIONS.map(({ title }) => `## ${title}\n${chance.words(chance.whole(10, 160))}`)
  const said = (text: string, stopReason: StopReason = 'end_turn'): Answer => ({
    events: textEvents(0, text),
    stopReason,
  })
  if (chance.odds(0.88)) return said(good.join('\n\n'))
  return chance.one<() => Answer>([
    () => ({ events: [], stopReason: 'end_turn' }),
    () => said(chance.words(80_000)),
    () => said('So far', 'max_tokens'),
    () => said('No.', 'refusal'),
    () => said('No headings at all.'),
    () => ({ events: callEvents(0, 'no', 'read', {}), stopReason: 'tool_use' }),
    () => ({ error: 'overloaded' }),
    () => ({ error: 'overflow' }),
  ])()
}

/** Tool calls since the last words of the user, so that turns end. */
const callsSince = ({ messages }: RequestBody): number => {
  const from = messages.findLastIndex(
    ({ role, content }) => role === 'user' && content.some(({ type }) => type === 'text'),
  )
  return messages.length - from
}

export function createWire(chance: Chance, nextId: () => string): Wire {
  const asked = { chat: 0, summaries: 0, overflows: 0 }
  const refused: string[] = []

  function chat(body: RequestBody): Answer {
    if (chance.odds(0.02)) return { error: chance.one<ModelErrorCode>(['server', 'rate-limit']) }
    if (chance.odds(0.01)) return { error: 'invalid-request' }
    const events: ModelEvent[] = []
    let index = 0
    const add = (more: ModelEvent[]) => {
      events.push(...more)
      index++
    }
    if (chance.odds(0.3)) add(thinkingEvents(index, body.model, chance.words(60)))
    if (chance.odds(0.5)) add(textEvents(index, chance.words(chance.whole(5, 600))))
    const mayCall = callsSince(body) < TOOLS_ASKED_IN_A_TURN && chance.odds(0.65)
    if (!mayCall) add(textEvents(index, chance.words(chance.whole(5, 900))))
    else
      for (let count = chance.whole(1, 3); count > 0; count--) {
        const name = chance.odds(0.05) ? 'compact' : 'read'
        add(callEvents(index, nextId(), name, { size: chance.whole(1, 14_000) }))
      }
    const odd = chance.odds(0.03)
      ? chance.one<StopReason>(['max_tokens', 'model_context_window_exceeded', 'refusal'])
      : null
    return { events, stopReason: odd ?? (mayCall ? 'tool_use' : 'end_turn') }
  }

  function answer(body: RequestBody): Answer {
    const summary = isSummary(body)
    asked[summary ? 'summaries' : 'chat']++
    const refusal = refusalOf(body)
    if (refusal) {
      refused.push(refusal)
      return { error: 'invalid-request' }
    }
    const window = WINDOWS[body.model] ?? 0
    if (summary && wire.knowsWindow() && estimateRequest(body) + body.max_tokens > window)
      refused.push(`[C10] a summary request known to be too large for ${body.model}`)
    const total: number = totalOf(segmentsOf(body))
    if (total + body.max_tokens > window) {
      asked.overflows++
      return { error: 'overflow' }
    }
    return summary ? summarise(chance) : chat(body)
  }

  const wire: Wire = {
    provider: 'anthropic',
    asked,
    refused,
    onBeat: () => {},
    knowsWindow: () => true,
    async *stream(body, signal) {
      const said = answer(body)
      if ('error' in said) {
        yield { type: 'error', error: { code: said.error, message: `by chance: ${said.error}` } }
        return
      }
      const input_tokens: number = totalOf(segmentsOf(body))
      const output_tokens = Math.ceil(JSON.stringify(said.events).length / 6)
      const end: ModelEvent = {
        type: 'end',
        stopReason: said.stopReason,
        usage: { input_tokens, output_tokens },
      }
      for (const event of [
        { type: 'start', model: body.model } as ModelEvent,
        ...said.events,
        end,
      ]) {
        await Promise.resolve()
        wire.onBeat()
        if (signal.aborted) {
          yield { type: 'error', error: { code: 'cancelled', message: 'Stopped.' } }
          return
        }
        yield event
      }
    },
  }
  return wire
}
