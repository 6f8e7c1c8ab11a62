import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ToolUseBlock } from '../core/message'
import { isToolUse } from '../core/message'
import { type AnthropicOptions, anthropicModel, cleanBaseURL } from './anthropic'
import { listAnthropicModels } from './anthropic-models'
import {
  assistant,
  bodyOf,
  collect,
  contentOf,
  errorOf,
  type Fake,
  startQuickFake,
  text,
  user,
} from './testing/fake'

let fake: Fake
beforeAll(async () => {
  fake = await startQuickFake()
})
afterAll(() => fake.close())
beforeEach(() => fake.state.reset())

const model = (more: Partial<AnthropicOptions> = {}) =>
  anthropicModel({ apiKey: 'test-key', baseURL: fake.url, ...more })
const ask = (said: string, more = {}) => collect(model(), bodyOf(said, more))

describe('a reply', () => {
  it('[M2] streams text between one start and one end, with usage', async () => {
    const events = await ask('[[reply: The quick brown fox — 狐 🦊 — jumps.]]')
    expect(contentOf(events)).toEqual([text('The quick brown fox — 狐 🦊 — jumps.')])
    expect(events.filter((event) => event.type === 'delta').length).toBeGreaterThan(2)
    expect(events[0]).toMatchObject({ type: 'start', model: 'claude-sonnet-5-5' })
    const entry = fake.state.log[0]!
    expect(events.at(-1)).toEqual({
      type: 'end',
      stopReason: 'end_turn',
      usage: {
        input_tokens: entry.usage?.input_tokens,
        output_tokens: entry.usage?.output_tokens,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    })
    expect(entry.usage?.output_tokens).toBeGreaterThan(5)
  })

  it('[Q3] brings thinking and redacted thinking back byte-identical, so that the next request is taken', async () => {
    const events = await ask(
      '[[thinking: First, “whitespace”  matters.\n]] [[redacted]] [[call: read_file {"path":"a.md"}]]',
    )
    const content = contentOf(events)
    expect(content.map((block) => block.type)).toEqual([
      'thinking',
      'redacted_thinking',
      'tool_use',
    ])
    const call = content.find(isToolUse) as ToolUseBlock
    const result = { type: 'tool_result' as const, tool_use_id: call.id, content: [text('# A')] }
    const first = user('[[thinking]] go')
    const next = await collect(
      model(),
      bodyOf([first, { role: 'assistant', content }, user(result)]),
    )
    expect(next.at(-1)).toMatchObject({ type: 'end', stopReason: 'end_turn' })

    const altered = content.map((block) =>
      block.type === 'thinking' ? { ...block, thinking: `${block.thinking} ` } : block,
    )
    const refused = await collect(
      model(),
      bodyOf([first, { role: 'assistant', content: altered }, user(result)]),
    )
    expect(errorOf(refused)).toMatchObject({ code: 'invalid-request', status: 400 })
    expect(errorOf(refused).message).toMatch(/Invalid `signature`/)
  })

  it('[P1] assembles parallel calls from pieces of JSON', async () => {
    const events = await ask(
      '[[reply: Both.]] [[call: read_file {"path":"a [[x]].md","deep":{"n":[[1]]}}]] [[call: read_file {"path":"ü.md"}]]',
    )
    const calls = contentOf(events).filter(isToolUse)
    expect(calls.map((call) => call.input)).toEqual([
      { path: 'a [[x]].md', deep: { n: [[1]] } },
      { path: 'ü.md' },
    ])
    expect(new Set(calls.map((call) => call.id)).size).toBe(2)
    expect(events.at(-1)).toMatchObject({ stopReason: 'tool_use' })
  })

  it('[L3] hands on blocks of unknown types whole and verbatim', async () => {
    const block = { type: 'novel_block', b: 1, a: { z: [null, 'ä'] } }
    const events = await ask(`[[block: ${JSON.stringify(block)}]] [[pause]]`)
    const content = events.flatMap((event) => (event.type === 'block' ? [event.block] : []))
    expect(JSON.stringify(content[0])).toBe(JSON.stringify(block))
    expect(content[1]).toMatchObject({ type: 'server_tool_use', input: { query: 'palimpsest' } })
    expect(events.some((event) => event.type === 'delta')).toBe(false)
    expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'pause_turn' })
  })

  it.each([
    'end_turn',
    'stop_sequence',
    'refusal',
    'pause_turn',
    'tool_use',
    'compaction',
    'something_new',
  ])('[C9] passes the stop reason %s through', async (reason) => {
    const events = await ask(`[[reply: so]] [[stop: ${reason}]]`)
    expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: reason })
  })

  it('[R3] ends with max_tokens in the middle of a call when the output is used up', async () => {
    const events = await ask(
      `[[call: read_file ${JSON.stringify({ path: 'long/'.repeat(40) })}]]`,
      { max_tokens: 20 },
    )
    expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'max_tokens' })
    const json = events.flatMap((event) =>
      event.type === 'delta' && event.delta.type === 'input' ? [event.delta.json] : [],
    )
    expect(() => JSON.parse(json.join(''))).toThrow()
  })

  it('[C9] ends with model_context_window_exceeded when the window is full before the output is', async () => {
    const filler = 'word '.repeat(2700)
    const events = await ask(`${filler}[[long: 600]]`, { model: 'fake-tiny-4k' })
    expect(events.at(-1)).toMatchObject({
      type: 'end',
      stopReason: 'model_context_window_exceeded',
    })
  })

  it('[Q6] reports what was written to the prompt cache and what was read from it', async () => {
    const system = [
      {
        type: 'text' as const,
        text: 'rule '.repeat(2000),
        cache_control: { type: 'ephemeral' as const },
      },
    ]
    const first = (await ask('hello', { system })).at(-1)
    const second = (await ask('hello again', { system })).at(-1)
    if (first?.type !== 'end' || second?.type !== 'end') throw new Error('no end')
    const written = first.usage?.cache_creation_input_tokens ?? 0
    expect(written).toBeGreaterThan(1024)
    expect(first.usage?.cache_read_input_tokens).toBe(0)
    expect(second.usage?.cache_read_input_tokens).toBe(written)
    expect(second.usage?.cache_creation_input_tokens).toBe(0)
  })
})

describe('the call', () => {
  it('sends the body as it is, plus stream, and the key in both headers a compatible server may read', async () => {
    const seen: { headers: Headers; body: unknown }[] = []
    const spy: typeof fetch = async (input, init) => {
      seen.push({ headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) })
      return fetch(input, init)
    }
    const body = bodyOf([user('hi'), assistant('yes?'), user('go')], {
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      thinking: { type: 'enabled', budget_tokens: 1024 },
      max_tokens: 3000,
      output_config: { effort: 'low' },
    })
    const events = await collect(model({ fetch: spy }), body)
    expect(events.at(-1)?.type).toBe('end')
    expect(seen[0]?.body).toEqual({ ...body, stream: true })
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer test-key')
    expect(seen[0]?.headers.get('x-api-key')).toBe('test-key')
    await collect(model({ fetch: spy }), bodyOf('hi', { tools: [] }))
    expect(Object.keys(seen[1]?.body as object)).not.toContain('tools')
  })

  it('accepts a base URL with a slash or with /v1', () => {
    expect(cleanBaseURL('http://localhost:1234/v1/')).toBe('http://localhost:1234')
    expect(cleanBaseURL('https://x.example/anthropic')).toBe('https://x.example/anthropic')
  })
})

describe('the list of models', () => {
  const signal = new AbortController().signal
  const list = (fetch?: typeof globalThis.fetch) =>
    listAnthropicModels({ apiKey: 'test-key', baseURL: fake.url, fetch }, signal)
  const canned =
    (value: unknown, status = 200): typeof fetch =>
    async () =>
      Response.json(value, { status })

  it('[C7] brings context windows', async () => {
    const { models, problem } = await list()
    expect(problem).toBeUndefined()
    expect(models.find((one) => one.id === 'fake-small-16k')).toEqual({
      id: 'fake-small-16k',
      name: 'Small window',
      contextWindow: 16_000,
      maxOutput: 4_000,
      images: true,
      thinking: ['adaptive', 'enabled'],
    })
  })

  it('reads the window under the names compatible servers use', async () => {
    const data = [
      { id: 'a', max_model_len: 4096 },
      { id: 'b', max_context_length: 8192 },
      { id: 'c', meta: { n_ctx_train: 32768 } },
      { id: 'd', max_input_tokens: 'many' },
      { object: 'model' },
    ]
    const { models } = await list(canned({ object: 'list', data }))
    expect(models).toEqual([
      { id: 'a', contextWindow: 4096 },
      { id: 'b', contextWindow: 8192 },
      { id: 'c', contextWindow: 32768 },
      { id: 'd' },
    ])
  })

  it('is empty, with a reason, where the server has none', async () => {
    expect(await list(canned({ error: 'no such route' }, 404))).toMatchObject({
      models: [],
      problem: { code: 'not-found', message: 'no such route' },
    })
    expect((await list(canned('hello'))).problem?.code).toBe('not-found')
  })
})
