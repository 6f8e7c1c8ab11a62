/** Servers that speak the Messages API with an accent. The shapes are of our own making, after what such servers are known to send. */

import { describe, expect, it } from 'vitest'
import { tool } from '../../agent/testing/rig'
import { anthropicModel, cleanBaseURL } from '../../providers/anthropic'
import { countAnthropicTokens } from '../../providers/anthropic-count'
import { listAnthropicModels } from '../../providers/anthropic-models'
import { countTokens, listModels } from '../../providers/remote'
import { bodyOf, collect, contentOf, errorOf } from '../../providers/testing/fake'
import { endOf, lastReply, raw, reply, say, script, sse, startBench } from '../testing/conformance'

const bench = startBench()
const echo = tool('echo')
const door = () => ({ resolveBlob: async () => null, fetch: bench.fetch })

describe('a reply', () => {
  it('without cache fields, ids, pings and stop_sequence is a reply', async () => {
    const run = bench.agent({ tools: [echo] })
    script(
      bench,
      raw([
        {
          type: 'message_start',
          message: {
            role: 'assistant',
            model: 'qwen3:8b',
            content: [],
            usage: { input_tokens: 9, output_tokens: 0 },
          },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
        sse.delta(0, { type: 'text_delta', text: 'hello' }),
        sse.close(0),
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ]),
    )
    await say(run, 'hi')
    expect(lastReply(run)).toMatchObject({
      content: [{ type: 'text', text: 'hello' }],
      usage: { input_tokens: 9, output_tokens: 2 },
    })
    await run.verify()
  })

  it('without any usage is a reply whose cost is estimated', async () => {
    const run = bench.agent()
    script(
      bench,
      raw([
        { type: 'message_start', message: { role: 'assistant', model: 'm', content: [] } },
        ...sse.text(0, 'ok'),
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        { type: 'message_stop' },
      ]),
    )
    await say(run, 'hi')
    expect(lastReply(run).content).toEqual([{ type: 'text', text: 'ok' }])
    expect(lastReply(run)).not.toHaveProperty('usage')
    expect(endOf(run)).toBe('completed')
  })

  it('whose call comes whole in the start of its block is a call', async () => {
    const run = bench.agent({ tools: [echo] })
    script(
      bench,
      raw(
        reply(
          [
            sse.open(0, { type: 'tool_use', id: 'call_1', name: 'echo', input: { a: 1 } }),
            sse.close(0),
          ],
          'tool_use',
        ),
      ),
    )
    await say(run, 'hi')
    const call = run.events().find((event) => event.type === 'tool/result')
    expect(JSON.stringify(call)).toContain('\\"a\\":1')
    await run.verify()
  })

  it('whose thinking has no signature is shown, and never sent back', async () => {
    const run = bench.agent()
    script(
      bench,
      raw(
        reply([
          sse.open(0, { type: 'thinking', thinking: '' }),
          sse.delta(0, { type: 'thinking_delta', thinking: 'local thoughts' }),
          sse.close(0),
          ...sse.text(1, 'so'),
        ]),
      ),
    )
    await say(run, 'one')
    expect(JSON.stringify(lastReply(run).content)).toContain('local thoughts')
    await say(run, 'two')
    expect(bench.calls().at(-1)?.status).toBe(200)
    expect(JSON.stringify(bench.calls().at(-1)?.body)).not.toContain('local thoughts')
  })

  it('whose blocks are never closed is a reply', async () => {
    script(
      bench,
      raw([
        sse.start(),
        sse.open(0, { type: 'text', text: '' }),
        sse.delta(0, { type: 'text_delta', text: 'ok' }),
        ...sse.end(),
      ]),
    )
    expect(contentOf(await collect(bench.model(), bodyOf('hi')))).toEqual([
      { type: 'text', text: 'ok' },
    ])
  })
})

describe('an error', () => {
  it.each<[string, number, string, string, string]>([
    [
      'of OpenAI’s shape',
      400,
      '{"error":{"message":"This model\'s maximum context length is 8192 tokens","type":"invalid_request_error","code":"context_length_exceeded"}}',
      'overflow',
      'maximum context length',
    ],
    [
      'that is a bare string',
      404,
      '{"error":"model \\"qwen\\" not found, try pulling it first"}',
      'not-found',
      'try pulling it first',
    ],
    [
      'with a message beside it',
      500,
      '{"message":"CUDA out of memory"}',
      'server',
      'CUDA out of memory',
    ],
    [
      'of FastAPI’s shape',
      422,
      '{"detail":[{"loc":["body"],"msg":"field required"}]}',
      'invalid-request',
      'field required',
    ],
    [
      'a gateway wrapped into text',
      400,
      '{"detail":"{\\"error\\":{\\"type\\":\\"exceed_context_size_error\\"}}"}',
      'overflow',
      'exceed_context_size_error',
    ],
    [
      'of vLLM’s shape, about a model',
      404,
      '{"type":"error","error":{"type":"NotFoundError","message":"The model `qwen` does not exist."}}',
      'not-found',
      'does not exist',
    ],
    [
      'of vLLM’s shape, about the window',
      400,
      '{"type":"error","error":{"type":"BadRequestError","message":"You passed 9000 input tokens and requested 4000 output tokens. However, the model\'s context length is only 8192 tokens. Please reduce the length of the input prompt."}}',
      'overflow',
      '8192',
    ],
    [
      'of vLLM’s shape, about tools',
      400,
      '{"type":"error","error":{"type":"BadRequestError","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}}',
      'invalid-request',
      '--enable-auto-tool-choice',
    ],
    [
      'of llama.cpp while it loads',
      503,
      '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
      'server',
      'Loading model',
    ],
    [
      'of llama.cpp about a key',
      401,
      '{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}',
      'authentication',
      'Invalid API Key',
    ],
    [
      'of llama.cpp about images',
      500,
      '{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}',
      'server',
      'mmproj',
    ],
    [
      'of llama.cpp’s shape',
      400,
      '{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}',
      'overflow',
      'available context size',
    ],
    [
      'about no memory for the context',
      500,
      '{"error":"the input length exceeds the context length"}',
      'overflow',
      'exceeds',
    ],
    [
      'about the window of LM Studio',
      400,
      '{"error":"Trying to keep the first 9000 tokens when context the overflows. greater than the context length"}',
      'overflow',
      'context',
    ],
    ['of a login wall', 401, 'Unauthorized', 'authentication', '401'],
  ])('%s has its code and its words', async (_, status, body, code, words) => {
    script(bench, raw([body], { status, headers: { 'content-type': 'application/json' } }))
    const error = errorOf(await collect(bench.model(), bodyOf('hi')))
    expect(error).toMatchObject({ code, status })
    expect(error.message).toContain(words)
  })

  it('in a stream that began with 200 and holds plain JSON is an error', async () => {
    script(
      bench,
      raw(['{"error":{"message":"model is loading"}}'], {
        headers: { 'content-type': 'application/json' },
      }),
    )
    expect((await collect(bench.model(), bodyOf('hi'))).at(-1)).toMatchObject({ type: 'error' })
  })
})

describe('the list of models', () => {
  it('of the provider has windows, outputs, images and thinking', async () => {
    const list = await listModels(door())
    expect(list.ok && list.value.models[0]).toEqual({
      id: 'claude-opus-5-5',
      name: 'Claude Opus 5.5',
      contextWindow: 1_000_000,
      maxOutput: 128_000,
      images: true,
      thinking: ['adaptive', 'enabled'],
    })
  })

  it.each<[string, object, object]>([
    [
      'Ollama',
      { id: 'qwen3:8b', object: 'model', created: 1, owned_by: 'library' },
      { id: 'qwen3:8b' },
    ],
    ['vLLM', { id: 'm', object: 'model', max_model_len: 32768 }, { id: 'm', contextWindow: 32768 }],
    ['LM Studio', { id: 'm', max_context_length: 131072 }, { id: 'm', contextWindow: 131072 }],
    [
      'llama.cpp',
      { id: 'm.gguf', meta: { n_ctx: 4096, n_ctx_train: 131072 } },
      { id: 'm.gguf', contextWindow: 4096 },
    ],
    [
      'a router',
      { id: 'a/b', name: 'B', context_length: 200000 },
      { id: 'a/b', contextWindow: 200000 },
    ],
    [
      'one with odd fields',
      { id: 'm', max_tokens: 'many', max_input_tokens: -1, capabilities: 7 },
      { id: 'm' },
    ],
  ])('as %s gives it is understood as far as it goes', async (_, model, expected) => {
    bench.fake.state.config.modelList = { object: 'list', data: [model, { nonsense: true }] }
    expect(await listModels(door())).toEqual({ ok: true, value: { models: [expected] } })
  })

  it.each<[string, string, string]>([
    ['plain text', 'text/plain', 'Not Found'],
    ['a page', 'text/html', '<html><body>It works!</body></html>'],
    ['a list of another kind', 'application/json', '["a","b"]'],
  ])('that is %s instead is an empty list with its reason', async (_, type, body) => {
    const answer = async () => new Response(body, { headers: { 'content-type': type } })
    const options = { apiKey: 'none', baseURL: 'http://local.test', fetch: answer }
    const list = await listAnthropicModels(options, AbortSignal.timeout(5000))
    expect(list.models).toEqual([])
    expect(list.problem?.message).toMatch(/no list of models|not JSON/)
  })

  it('that is not there is an empty list with its reason', async () => {
    bench.fake.state.config.missing = ['/v1/models']
    const list = await listModels(door())
    expect(list).toMatchObject({ ok: true, value: { models: [], problem: { code: 'not-found' } } })
  })
})

describe('counting tokens', () => {
  it('gives the provider’s own number', async () => {
    const counted = await countTokens(
      door(),
      bodyOf('some words to count'),
      AbortSignal.timeout(5000),
    )
    const events = await collect(bench.model(), bodyOf('some words to count'))
    const end = events.at(-1)
    expect(counted).toEqual({
      ok: true,
      value: end?.type === 'end' ? end.usage?.input_tokens : null,
    })
  })

  it.each<[string, Response]>([
    ['answers with a page', new Response('<html></html>')],
    ['answers with something else', Response.json({ tokens: 3 })],
    ['refuses', Response.json({ message: 'The provided model does not count.' }, { status: 400 })],
  ])('that %s is a reason and no number', async (_, answer) => {
    const options = { apiKey: 'none', baseURL: 'http://local.test', fetch: async () => answer }
    const counted = await countAnthropicTokens(options, bodyOf('hi'), AbortSignal.timeout(5000))
    expect(counted.ok).toBe(false)
  })

  it('says why where the server cannot', async () => {
    bench.fake.state.config.missing = ['/v1/messages/count_tokens']
    const counted = await countTokens(door(), bodyOf('hi'), AbortSignal.timeout(5000))
    expect(counted).toMatchObject({ ok: false, error: { code: 'not-found' } })
  })
})

describe('an address', () => {
  it.each([
    'http://127.0.0.1:11434',
    'http://127.0.0.1:11434/',
    'http://127.0.0.1:11434/v1',
    'http://127.0.0.1:11434/v1/',
  ])('%s is the same server', (url) => {
    expect(cleanBaseURL(url)).toBe('http://127.0.0.1:11434')
  })

  it('with a path before /v1 keeps it, and no key is needed by a server that wants none', async () => {
    bench.fake.state.config.keyless = true
    const paths: string[] = []
    const spy: typeof fetch = (input, init) => {
      paths.push(String(input))
      return fetch(String(input).replace('/anthropic/v1', '/v1'), init)
    }
    const model = anthropicModel({
      apiKey: 'none',
      baseURL: `${bench.fake.url}/anthropic`,
      fetch: spy,
    })
    expect((await collect(model, bodyOf('hi'))).at(-1)).toMatchObject({ type: 'end' })
    expect(paths).toEqual([`${bench.fake.url}/anthropic/v1/messages`])
  })

  it('that a page names is not asked: the request has no place for one', async () => {
    const foreign = { ...bodyOf('hi'), base_url: 'http://169.254.169.254/', model: '../../../etc' }
    const answer = await bench.fetch('/api/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(foreign),
    })
    expect(answer.status).toBe(400)
    expect(bench.calls()).toHaveLength(0)
  })
})

it('a server that redirects elsewhere is not followed with the key', async () => {
  const elsewhere = 'http://127.0.0.1:9/steal'
  script(bench, raw([], { status: 307, headers: { location: elsewhere } }))
  const error = errorOf(await collect(bench.model(), bodyOf('hi')))
  expect(error).toMatchObject({ code: 'not-found', status: 307 })
  expect(error.message).toMatch(/another address.*ANTHROPIC_BASE_URL/)
  expect(error.message).not.toContain(elsewhere)
})

it('[C15] a policy may name another model for its summaries', async () => {
  const run = bench.agent({ policy: { summaryModel: 'claude-haiku-5-5' }, tools: [echo] })
  await say(run, `[[reply: ${'many words '.repeat(2000)}]]`)
  await say(run, '[[reply: and some more]]')
  await run.agent.compactNow(new AbortController().signal)
  await run.agent.idle()
  const summaries = bench.calls().filter((call) => call.kind === 'summary')
  expect(summaries.map((call) => [call.model, call.status])).toEqual([['claude-haiku-5-5', 200]])
  await run.verify()
})
