/** The stand-in for the Messages API, started for a test file, and short ways to make bodies and read replies. */

import { startFake } from '../../../e2e/support/fake-anthropic/server.mjs'
import type { Block, Message } from '../../core/message'
import type { RequestBody } from '../../core/request'
import type { Model, ModelError, ModelEvent } from '../../ports'

export type Fake = Awaited<ReturnType<typeof startFake>>

export const startQuickFake = (): Promise<Fake> => startFake({ port: 0, delay: 0 })

export const text = (value: string): Block => ({ type: 'text', text: value })
export const user = (...content: (string | Block)[]): Message => ({
  role: 'user',
  content: content.map((one) => (typeof one === 'string' ? text(one) : one)),
})
export const assistant = (...content: (string | Block)[]): Message => ({
  ...user(...content),
  role: 'assistant',
})

export const readFile = {
  name: 'read_file',
  description: 'Reads a file.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

export const bodyOf = (
  messages: Message[] | string,
  more: Partial<RequestBody> = {},
): RequestBody => ({
  model: 'claude-sonnet-5-5',
  max_tokens: 1000,
  system: [],
  tools: [readFile],
  messages: typeof messages === 'string' ? [user(messages)] : messages,
  ...more,
})

export async function collect(
  model: Model,
  body: RequestBody,
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream(body, signal)) events.push(event)
  return events
}

/** The content blocks a reply amounts to, put together from its events without any outside help. */
export function contentOf(events: readonly ModelEvent[]): Block[] {
  const blocks: { [key: string]: unknown }[] = []
  const json: string[] = []
  for (const event of events) {
    if (event.type === 'block') blocks[event.index] = { ...event.block }
    if (event.type !== 'delta') continue
    const block = blocks[event.index]!
    if (event.delta.type === 'text') block.text = `${block.text}${event.delta.text}`
    if (event.delta.type === 'thinking') block.thinking = `${block.thinking}${event.delta.thinking}`
    if (event.delta.type === 'signature')
      block.signature = `${block.signature}${event.delta.signature}`
    if (event.delta.type === 'input')
      json[event.index] = `${json[event.index] ?? ''}${event.delta.json}`
  }
  json.forEach((pieces, index) => {
    blocks[index]!.input = JSON.parse(pieces)
  })
  return blocks as Block[]
}

export function errorOf(events: readonly ModelEvent[]): ModelError {
  const last = events.at(-1)
  if (last?.type !== 'error') throw new Error(`ended with ${last?.type}, not with an error`)
  return last.error
}

/** Polls until `read` gives something; real sockets have no event we could wait for instead. */
export async function eventually<T>(
  read: () => T | null | undefined | false,
  ms = 1000,
): Promise<T> {
  const until = Date.now() + ms
  for (;;) {
    const value = read()
    if (value) return value
    if (Date.now() > until) throw new Error(`nothing within ${ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export const call = (id = 'toolu_1', more = {}): Block => ({
  type: 'tool_use',
  id,
  name: 'read_file',
  input: {},
  ...more,
})
export const result = (id = 'toolu_1', content: Block[] = [text('ok')], more = {}): Block => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
})

type Answer = {
  status: number
  error?: { type: string; message: string }
  content: Block[]
  stop_reason: string
  usage: { [key: string]: number }
}

/** Posts to the stand-in itself, past our own wire. */
export const postTo =
  (fake: () => Fake) =>
  async (body: unknown, path = '/v1/messages', headers = {}): Promise<Answer> => {
    const response = await fetch(`${fake().url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { ...((await response.json()) as Answer), status: response.status }
  }

export const controlOf = (fake: () => Fake) => (path: string, body: unknown) =>
  fetch(`${fake().url}/__control/${path}`, { method: 'POST', body: JSON.stringify(body) })
