import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AnthropicOptions, anthropicModel } from './anthropic'
import {
  bodyOf,
  collect,
  contentOf,
  errorOf,
  eventually,
  type Fake,
  startQuickFake,
  text,
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
