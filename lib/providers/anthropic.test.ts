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
  eventually,
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

describe('a failure', () => {
  it.each([
    ['[[error: 400]]', 'invalid-request', 400],
    ['[[error: 401]]', 'authentication', 401],
    ['[[error: 402]]', 'billing', 402],
    ['[[error: 403]]', 'permission', 403],
    ['[[error: 404]]', 'not-found', 404],
    ['[[error: 413]]', 'overflow', 413],
    ['[[error: 429]]', 'rate-limit', 429],
    ['[[error: 500]]', 'server', 500],
    ['[[error: 529]]', 'overloaded', 529],
  ])('[C9] maps %s to %s and is not retried here', async (said, code, status) => {
    const events = await ask(said)
    expect(events).toHaveLength(1)
    expect(errorOf(events)).toMatchObject({ code, status })
    expect(fake.state.log).toHaveLength(1)
  })

  it('[C9] carries the provider’s own words and its retry-after in milliseconds', async () => {
    const error = errorOf(await ask('[[error: 429 retry-after=2 slow down please]]'))
    expect(error).toEqual({
      code: 'rate-limit',
      status: 429,
      message: 'slow down please',
      retryAfterMs: 2000,
    })
  })

  it('[C9] recognises a prompt larger than the window', async () => {
    const error = errorOf(await ask('word '.repeat(4000), { model: 'fake-tiny-4k' }))
    expect(error).toMatchObject({ code: 'overflow', status: 400 })
    expect(error.message).toMatch(/^prompt is too long: \d+ tokens > 4000 maximum$/)
  })

  it('maps an unknown model, a wrong key and an empty purse', async () => {
    expect(errorOf(await ask('hi', { model: 'nope' })).code).toBe('not-found')
    const withKey = (apiKey: string) => collect(model({ apiKey }), bodyOf('hi'))
    expect(errorOf(await withKey('bad-key')).code).toBe('authentication')
    expect(errorOf(await withKey('poor-key')).code).toBe('billing')
  })

  it('reads an error in the middle of a stream by its type', async () => {
    const events = await ask('[[mid-error: overloaded_error]] [[long: 50]]')
    expect(events.some((event) => event.type === 'delta')).toBe(true)
    expect(errorOf(events)).toEqual({ code: 'overloaded', message: 'Overloaded' })
  })

  it('calls a cut socket a network error and keeps what came before', async () => {
    const events = await ask('[[cut]] [[long: 50]]')
    expect(events.some((event) => event.type === 'delta')).toBe(true)
    expect(errorOf(events).code).toBe('network')
  })

  it('calls a refused connection a network error and names the host', async () => {
    const gone = await startQuickFake()
    await gone.close()
    const error = errorOf(await collect(model({ baseURL: gone.url }), bodyOf('hi')))
    expect(error.code).toBe('network')
    expect(error.message).toContain(`127.0.0.1:${gone.port}`)
    expect(error.message).toContain('ECONNREFUSED')
  })
})

describe('the watchdog', () => {
  it('ends a stalled stream, frees the socket and says so', async () => {
    const limits = { first: 5000, idle: 80 }
    const events = await collect(model({ limits }), bodyOf('[[stall]] [[long: 50]]'))
    expect(errorOf(events).code).toBe('stalled')
    await eventually(() => fake.state.log[0]?.closedAt)
  })

  it('waits longer for the first event than between later ones', async () => {
    const limits = { first: 120, idle: 20 }
    const begun = Date.now()
    const events = await collect(model({ limits }), bodyOf('[[hang]]'))
    expect(errorOf(events).code).toBe('stalled')
    expect(Date.now() - begun).toBeGreaterThanOrEqual(115)
  })

  it('takes pings for a sign of life', async () => {
    fake.state.config.pingMs = 20
    const limits = { first: 5000, idle: 150 }
    const events = await collect(model({ limits }), bodyOf('[[delay: 400]] [[reply: short]]'))
    expect(contentOf(events)).toEqual([text('short')])
  })
})

describe('an abort', () => {
  it('[C5] reaches the provider within a second and ends the reply as cancelled', async () => {
    const abort = new AbortController()
    const seen: string[] = []
    let cancelledAt = 0
    for await (const event of model().stream(bodyOf('[[delay: 20]] [[long: 500]]'), abort.signal)) {
      seen.push(event.type === 'error' ? event.error.code : event.type)
      if (event.type === 'delta' && !abort.signal.aborted) {
        cancelledAt = Date.now()
        abort.abort()
      }
    }
    expect(seen.at(-1)).toBe('cancelled')
    const closedAt = await eventually(() => fake.state.log[0]?.closedAt)
    expect(closedAt - cancelledAt).toBeLessThan(1000)
    expect(fake.state.log[0]?.finished).toBe(false)
  })

  it('[C5] works before the headers, and before the call', async () => {
    const abort = new AbortController()
    const waiting = collect(model(), bodyOf('[[hang]]'), abort.signal)
    await eventually(() => fake.state.log[0]?.bytes)
    abort.abort()
    expect(errorOf(await waiting).code).toBe('cancelled')
    await eventually(() => fake.state.log[0]?.closedAt)
    expect(errorOf(await collect(model(), bodyOf('hi'), abort.signal)).code).toBe('cancelled')
    expect(fake.state.log).toHaveLength(1)
  })

  it('[C5] is what happens when the reader stops reading', async () => {
    const endless = bodyOf('[[delay: 20]] [[long: 500]]')
    for await (const event of model().stream(endless, new AbortController().signal))
      if (event.type === 'delta') break
    await eventually(() => fake.state.log[0]?.closedAt)
    expect(fake.state.log[0]?.finished).toBe(false)
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
