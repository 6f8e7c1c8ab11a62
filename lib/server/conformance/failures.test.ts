/** What goes wrong on the way: each failure is data with its own code, nothing that came is lost, nothing is paid twice unseen (R3, C9). */

import { describe, expect, it } from 'vitest'
import { tool } from '../../agent/testing/rig'
import { PRESETS } from '../../core/policy'
import type { ModelErrorCode } from '../../ports'
import { bodyOf, collect, errorOf, eventually, startQuickFake } from '../../providers/testing/fake'
import { endOf, lastReply, raw, reply, say, script, sse, startBench } from '../testing/conformance'

const bench = startBench()
const echo = tool('echo')
const failure = async (said = 'hi') => errorOf(await collect(bench.model(), bodyOf(said)))
const attempts = (run: { events(): { type: string }[] }) =>
  run.events().filter((event) => event.type === 'request/failed').length

describe('an HTTP error', () => {
  it.each<[number, string, ModelErrorCode]>([
    [400, 'max_tokens: must be smaller', 'invalid-request'],
    [400, 'prompt is too long: 250000 tokens > 200000 maximum', 'overflow'],
    [400, 'Your credit balance is too low to access the Anthropic API.', 'billing'],
    [401, 'invalid x-api-key', 'authentication'],
    [402, 'payment required', 'billing'],
    [403, 'not for you', 'permission'],
    [404, 'model: nope', 'not-found'],
    [408, 'timed out', 'server'],
    [413, 'Request exceeds the maximum size', 'overflow'],
    [429, 'slow down', 'rate-limit'],
    [500, 'Internal server error', 'server'],
    [502, 'Bad gateway', 'server'],
    [503, 'Overloaded', 'overloaded'],
    [504, 'Gateway timeout', 'server'],
    [529, 'Overloaded', 'overloaded'],
  ])('%i “%s” is %s', async (status, message, code) => {
    script(bench, { error: { status, message } })
    expect(await failure()).toMatchObject({ code, status, message })
    expect(bench.calls()).toHaveLength(1)
  })

  it.each<[string, Partial<Record<'status' | 'retryAfter', number | string>>, number]>([
    ['seconds', { status: 429, retryAfter: 7 }, 7000],
    ['a fraction', { status: 529, retryAfter: '0.5' }, 500],
  ])('brings its retry-after in %s', async (_, error, ms) => {
    script(bench, { error })
    expect((await failure()).retryAfterMs).toBe(ms)
  })

  it('brings its retry-after as a date', async () => {
    script(bench, {
      error: { status: 429, retryAfter: new Date(Date.now() + 20_000).toUTCString() },
    })
    const { retryAfterMs = 0 } = await failure()
    expect(retryAfterMs).toBeGreaterThan(15_000)
    expect(retryAfterMs).toBeLessThanOrEqual(20_000)
  })

  it.each([
    ['HTML of a proxy in between', 502, '<html><h1>502 Bad Gateway</h1></html>'],
    ['nothing', 500, ''],
    ['plain text', 503, 'try later'],
  ])('with %s as its body has words all the same', async (_, status, body) => {
    script(bench, raw([body], { status, headers: { 'content-type': 'text/html' } }))
    const error = await failure()
    expect(error.status).toBe(status)
    expect(error.message).not.toBe('')
  })

  it('that quotes the key does not carry it on', async () => {
    script(bench, { error: { status: 401, message: 'invalid x-api-key: sk-canary-4711-typed' } })
    const events = await collect(bench.model({ key: () => 'sk-canary-4711-typed' }), bodyOf('hi'))
    expect(errorOf(events).message).toBe('invalid x-api-key: [key]')
  })
})

describe('a retry', () => {
  it.each<[ModelErrorCode, object]>([
    ['rate-limit', { error: { status: 429 } }],
    ['overloaded', { error: { status: 529 } }],
    ['server', { error: { status: 500 } }],
    ['network', { cut: true, words: 0, text: 'x' }],
  ])('after %s is made, is in the log, and pays once', async (_, step) => {
    const run = bench.agent()
    script(
      bench,
      Object.hasOwn(step, 'cut') ? raw([], { after: 'cut' }) : (step as Record<string, unknown>),
    )
    await say(run, 'hi')
    expect([endOf(run), attempts(run), bench.calls().length]).toEqual(['completed', 1, 2])
    await run.verify()
  })

  it('waits as long as the server wishes, and longer each time, with jitter', async () => {
    const run = bench.agent()
    script(bench, { error: { status: 429, retryAfter: 9 } }, { error: { status: 500 } })
    await say(run, 'hi')
    const waits = run.slept.filter((ms) => ms >= 1000)
    expect(waits).toEqual([9000, 2000])
    const shown = run.lives.find((live) => live.phase === 'retrying')
    expect(shown?.retry).toMatchObject({
      attempt: 2,
      error: { code: 'rate-limit', retryAfterMs: 9000 },
    })
  })

  it('is given up after three attempts', async () => {
    const run = bench.agent()
    script(bench, ...Array.from({ length: 5 }, () => ({ error: { status: 529 } })))
    await say(run, 'hi')
    expect([endOf(run), bench.calls().length]).toEqual(['error', 3])
    expect(run.agent.live.problem?.code).toBe('overloaded')
    await run.verify()
  })

  it.each([400, 401, 402, 403, 404])(
    'is not made after %i: it would fail the same way',
    async (status) => {
      const run = bench.agent()
      script(bench, { error: { status } })
      await say(run, 'hi')
      expect([endOf(run), bench.calls().length]).toEqual(['error', 1])
      await run.verify()
    },
  )

  it('is not made once something has arrived: it would be paid twice', async () => {
    const run = bench.agent()
    script(
      bench,
      raw(
        [
          sse.start(),
          sse.open(0, { type: 'text', text: '' }),
          sse.delta(0, { type: 'text_delta', text: 'Half' }),
        ],
        { after: 'cut' },
      ),
    )
    await say(run, 'hi')
    expect([endOf(run), bench.calls().length]).toEqual(['error', 1])
    expect(lastReply(run)).toMatchObject({ interrupted: true, content: [{ text: 'Half' }] })
    await run.verify()
  })

  it('can be cancelled while it waits', async () => {
    const run = bench.agent()
    script(bench, { error: { status: 529, retryAfter: 60 } })
    const never = new Promise<void>(() => {})
    run.deps.clock.sleep = (_, signal) =>
      Promise.race([
        never,
        new Promise<void>((go) => signal?.addEventListener('abort', () => go())),
      ])
    const sent = run.agent.send([{ type: 'text', text: 'hi' }])
    await run.until((live) => live.phase === 'retrying')
    run.agent.stop()
    await sent
    await run.agent.idle()
    expect([endOf(run), bench.calls().length]).toEqual(['cancelled', 1])
    await run.verify()
  })
})

describe('a reply that breaks off', () => {
  const half = [
    sse.start(),
    ...sse.text(0, 'One.'),
    sse.open(1, { type: 'text', text: '' }),
    sse.delta(1, { type: 'text_delta', text: 'Tw' }),
  ]

  it.each<[string, unknown[], object, ModelErrorCode]>([
    [
      'by an error event: overloaded',
      [...half, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
      {},
      'overloaded',
    ],
    [
      'by an error event: internal',
      [...half, { type: 'error', error: { type: 'api_error', message: 'Oops' } }],
      {},
      'server',
    ],
    [
      'by an error event: rate limit',
      [...half, { type: 'error', error: { type: 'rate_limit_error', message: 'Slow' } }],
      {},
      'rate-limit',
    ],
    [
      'by an error event without a type',
      [...half, { type: 'error', error: { message: 'odd' } }],
      {},
      'server',
    ],
    ['by a cut socket', half, { after: 'cut' }, 'network'],
    ['by an early end', half, {}, 'network'],
    ['by silence', half, { after: 'stall' }, 'stalled'],
  ])(
    '%s keeps what came and never sends it back as if complete',
    async (_, chunks, more, code) => {
      const run = bench.agent()
      script(bench, raw(chunks, more))
      await say(run, 'hi')
      expect(run.agent.live.problem?.code).toBe(code)
      expect(lastReply(run)).toMatchObject({
        interrupted: true,
        content: [{ text: 'One.' }, { text: 'Tw' }],
      })
      // Try again: the model is told that its reply was cut off.
      await run.agent.retry()
      await run.agent.idle()
      expect(bench.calls().map((call) => call.status)).toEqual([200, 200])
      expect(JSON.stringify(bench.calls()[1]?.body)).toContain('interrupted')
      expect(endOf(run)).toBe('completed')
      await run.verify()
    },
    20_000,
  )

  it('in the middle of a call leaves the call out, and before it nothing', async () => {
    const run = bench.agent({ tools: [echo] })
    script(
      bench,
      raw(
        [
          sse.start(),
          ...sse.text(0, 'I call.'),
          sse.open(1, { type: 'tool_use', id: 't', name: 'echo', input: {} }),
          sse.delta(1, { type: 'input_json_delta', partial_json: '{"a' }),
        ],
        { after: 'cut' },
      ),
    )
    await say(run, 'hi')
    expect(lastReply(run).content).toEqual([{ type: 'text', text: 'I call.' }])
    await say(run, 'again')
    expect(bench.calls().at(-1)?.status).toBe(200)
    await run.verify()
  })

  it('after a whole call answers it as not run', async () => {
    const run = bench.agent({ tools: [echo] })
    script(
      bench,
      raw([sse.start(), ...sse.call(0, 't', 'echo', '{"a":1}'), ...sse.text(1, 'and')], {
        after: 'cut',
      }),
    )
    await say(run, 'hi')
    expect(run.types()).not.toContain('tool/call')
    await say(run, 'again')
    expect(bench.calls().at(-1)?.status).toBe(200)
    expect(JSON.stringify(bench.calls().at(-1)?.body)).toContain('Not run')
    await run.verify()
  })

  it('before its first event is asked for again', async () => {
    const run = bench.agent()
    script(bench, raw([], { after: 'cut' }), raw([sse.start()], { after: 'cut' }))
    await say(run, 'hi')
    expect([endOf(run), attempts(run)]).toEqual(['completed', 2])
    await run.verify()
  })

  it('without message_stop but with a stop reason is complete: some servers end so', async () => {
    const run = bench.agent()
    script(bench, raw(reply(sse.text(0, 'Done.')).slice(0, -1)))
    await say(run, 'hi')
    expect(lastReply(run)).not.toHaveProperty('interrupted')
    expect(endOf(run)).toBe('completed')
  })
})

describe('silence', () => {
  it('before the first event is ended by the first limit, pings keep a reply alive', async () => {
    script(bench, { hang: true })
    expect((await failure()).code).toBe('stalled')
    script(
      bench,
      raw([
        sse.start(),
        ...Array.from({ length: 6 }, () => [500, { type: 'ping' }]).flat(),
        ...sse.text(0, 'ok'),
        ...sse.end(),
      ]),
    )
    const events = await collect(bench.model(), bodyOf('hi'))
    expect(events.at(-1)).toMatchObject({ type: 'end' })
  }, 15_000)
})

describe('a cancel', () => {
  it.each<[string, Record<string, unknown>]>([
    ['before the headers', { hang: true }],
    ['while it streams', { words: 5000, delay: 20 }],
    ['while it is silent', raw([sse.start(), ...sse.text(0, 'x')], { after: 'stall' })],
  ])('[C5] %s closes the upstream socket within a second', async (_, step) => {
    script(bench, step)
    const abort = new AbortController()
    const reading = collect(bench.model(), bodyOf('hi'), abort.signal)
    await eventually(() => bench.calls()[0]?.bytes, 5000)
    await new Promise((go) => setTimeout(go, 100))
    const at = Date.now()
    abort.abort()
    expect(errorOf(await reading).code).toBe('cancelled')
    const closedAt = await eventually(() => bench.calls()[0]?.closedAt, 3000)
    expect(closedAt - at).toBeLessThan(1000)
    expect(bench.calls()[0]?.finished).toBe(false)
  })
})

describe('our own server', () => {
  it('that is gone is unreachable; a browser without a network is offline', async () => {
    const gone = await startQuickFake()
    await gone.close()
    const fetchGone: typeof fetch = (path, init) => fetch(`${gone.url}${path}`, init)
    const ask = (online: boolean) =>
      collect(bench.model({ fetch: fetchGone, online: () => online }), bodyOf('hi'))
    expect(errorOf(await ask(true)).code).toBe('unreachable')
    expect(errorOf(await ask(false)).code).toBe('offline')
  })

  it('that goes silent in the middle of a reply is given up', async () => {
    script(bench, raw([sse.start(), ...sse.text(0, 'x')], { after: 'stall' }))
    const events = await collect(bench.model({ silenceMs: 100 }), bodyOf('hi'))
    expect(errorOf(events)).toMatchObject({ code: 'unreachable' })
    await eventually(() => bench.calls()[0]?.closedAt)
  })
})

it('[C9] a request too large for the window is compacted and asked again', async () => {
  const run = bench.agent({
    tools: [echo],
    policy: { ...PRESETS.standard, keepTail: 'newest-unit', minGain: { ratio: 0.1, tokens: 20 } },
  })
  await say(run, `[[reply: ${'words '.repeat(4000)}]]`)
  script(bench, { error: { status: 400, message: 'prompt is too long: 9 tokens > 8 maximum' } })
  await say(run, 'go on')
  expect(run.types()).toContain('compact/start')
  expect(endOf(run)).toBe('completed')
  await run.verify()
})
