/** A model that follows a script, and the words scripts are written in. */

import type { StopReason } from '../../core/event'
import type { JsonObject, Usage } from '../../core/message'
import type { RequestBody } from '../../core/request'
import type { Model, ModelError, ModelErrorCode, ModelEvent } from '../../ports'

/** `hang` waits until the request is aborted; a promise, given or made when its time comes, is waited for. */
export type Beat = ModelEvent | 'hang' | Promise<unknown> | (() => Promise<unknown>)
export type Line = Beat[] | ((body: RequestBody) => Beat[])

const start: ModelEvent = { type: 'start', model: 'fake-1' }

/** A reply of one text, in two pieces. */
export const says = (text: string, stopReason: StopReason = 'end_turn'): Beat[] => {
  const half = Math.floor(text.length / 2)
  return [
    start,
    { type: 'block', index: 0, block: { type: 'text', text: '' } },
    { type: 'delta', index: 0, delta: { type: 'text', text: text.slice(0, half) } },
    { type: 'delta', index: 0, delta: { type: 'text', text: text.slice(half) } },
    { type: 'end', stopReason },
  ]
}

const callBeats = (index: number, id: string, name: string, json: string): Beat[] => [
  { type: 'block', index, block: { type: 'tool_use', id, name, input: {} } },
  { type: 'delta', index, delta: { type: 'input', json: json.slice(0, 3) } },
  { type: 'delta', index, delta: { type: 'input', json: json.slice(3) } },
]

/** A reply that calls tools: `[id, tool name, input or its text]` each. */
export const uses = (...calls: [string, string, (JsonObject | string)?][]): Beat[] => [
  start,
  ...calls.flatMap(([id, name, input = {}], index) =>
    callBeats(index, id, name, typeof input === 'string' ? input : JSON.stringify(input)),
  ),
  { type: 'end', stopReason: 'tool_use' },
]

export const fails = (code: ModelErrorCode, more: Partial<ModelError> = {}): Beat[] => [
  { type: 'error', error: { code, message: `scripted ${code}`, ...more } },
]

/** Some text, then silence until the request is aborted. */
export const stalls = (text = ''): Beat[] =>
  text === ''
    ? ['hang']
    : [
        start,
        { type: 'block', index: 0, block: { type: 'text', text: '' } },
        { type: 'delta', index: 0, delta: { type: 'text', text } },
        'hang',
      ]

export interface ScriptedModel extends Model {
  /** Bodies as they came in. */
  readonly asked: RequestBody[]
  /** Adds lines. */
  add(...lines: Line[]): void
  /** Lines not yet spoken. */
  left(): number
}

/** Four characters a token, like a provider whose count agrees with M1 but for the framing. */
const usageOf = (body: RequestBody, spoken: number): Usage => ({
  input_tokens: Math.ceil(JSON.stringify([body.system, body.tools, body.messages]).length / 4),
  output_tokens: Math.ceil(spoken / 4) + 1,
})

const lengthOf = (event: ModelEvent): number =>
  event.type === 'delta' ? JSON.stringify(event.delta).length - 20 : 0

/** `deaf`: hangs on even when aborted, as a wire that ignores its signal would. */
export function scriptedModel(lines: Line[], options: { deaf?: true } = {}): ScriptedModel {
  const asked: RequestBody[] = []
  const script = [...lines]
  return {
    provider: 'fake',
    asked,
    add(...more) {
      script.push(...more)
    },
    left: () => script.length,
    async *stream(body, signal) {
      asked.push(structuredClone(body))
      const line = script.shift()
      if (!line) {
        yield { type: 'error', error: { code: 'invalid-request', message: 'the script has ended' } }
        return
      }
      let spoken = 0
      for (const beat of typeof line === 'function' ? line(body) : line) {
        if (beat === 'hang') await (options.deaf ? new Promise(() => {}) : aborted(signal))
        else if (typeof beat === 'function') await Promise.race([beat(), aborted(signal)])
        else if (beat instanceof Promise) await Promise.race([beat, aborted(signal)])
        else {
          spoken += lengthOf(beat)
          yield beat.type === 'end' && !beat.usage
            ? { ...beat, usage: usageOf(body, spoken) }
            : beat
        }
        if (signal.aborted) {
          yield { type: 'error', error: { code: 'cancelled', message: 'aborted' } }
          return
        }
      }
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
