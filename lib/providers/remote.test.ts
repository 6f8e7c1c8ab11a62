/** The browser's doors against our own server's code, over Request and Response; the provider is the stand-in. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { answerMessages } from '../server/chat'
import { answerModels, answerStatus } from '../server/info'
import { answerCancel, openSummary } from '../server/summaries'
import { actionModel, listModels, readStatus, remoteModel, type SummaryAction } from './remote'
import {
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
import type { WireEvent } from './wire-stream'

let fake: Fake
beforeAll(async () => {
  fake = await startQuickFake()
})
afterAll(() => fake.close())
beforeEach(() => {
  fake.state.reset()
  vi.stubEnv('ANTHROPIC_BASE_URL', fake.url)
  vi.stubEnv('ANTHROPIC_API_KEY', 'server-key')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const HOST = '127.0.0.1:3210'
/** The browser's fetch, with what a browser adds, answered by the routes in this process. */
const browserFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('host', HOST)
  headers.set('origin', `http://${HOST}`)
  headers.set('sec-fetch-site', 'same-origin')
  const request = new Request(`http://${HOST}${input}`, { ...init, headers })
  const path = String(input)
  if (path === '/api/messages') return answerMessages(request)
  if (path === '/api/models') return answerModels(request)
  if (path === '/api/status') return answerStatus(request)
  return answerCancel(request, path.split('/').at(-1)!)
}
const resolveBlob = async () => null
const same = new Headers({ host: HOST, origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' })
/** The action as React delivers it: cancelling the stream in the browser tells the server nothing. */
const action: SummaryAction = async (payload) => {
  const reader = (await openSummary(payload, same)).getReader()
  return new ReadableStream<WireEvent>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

const chat = (key?: string) =>
  remoteModel({ resolveBlob, fetch: browserFetch, key: () => key ?? null })
let ids = 0
const summary = (more: Partial<Parameters<typeof actionModel>[0]> = {}) =>
  actionModel({
    resolveBlob,
    fetch: browserFetch,
    action,
    newId: () => `summary-${++ids}`,
    ...more,
  })
const doors = [
  ['the route', chat],
  ['the action', summary],
] as const

describe.each(doors)('through %s', (_, door) => {
  it('[C15] a reply comes as it left the provider', async () => {
    const events = await collect(door(), bodyOf('[[thinking]] [[reply: Hello — 🦊]]'))
    expect(contentOf(events)).toMatchObject([{ type: 'thinking' }, text('Hello — 🦊')])
    expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'end_turn' })
  })

  it('a provider’s failure comes as an event', async () => {
    expect(errorOf(await collect(door(), bodyOf('[[error: 429 retry-after=3]]')))).toMatchObject({
      code: 'rate-limit',
      retryAfterMs: 3000,
    })
  })

  it('[C5] an abort reaches the provider within a second', async () => {
    const abort = new AbortController()
    let at = 0
    let deltas = 0
    const seen: string[] = []
    for await (const event of door().stream(bodyOf('[[stall]] [[long: 500]]'), abort.signal)) {
      seen.push(event.type === 'error' ? event.error.code : event.type)
      // The stand-in stalls after three: everything is waiting for upstream when the abort comes.
      if (event.type !== 'delta' || ++deltas < 3) continue
      setImmediate(() => {
        at = Date.now()
        abort.abort()
      })
    }
    expect(seen.at(-1)).toBe('cancelled')
    const closedAt = await eventually(() => fake.state.log[0]?.closedAt)
    expect(closedAt - at).toBeLessThan(1000)
    expect(fake.state.log[0]?.finished).toBe(false)
  })

  it('[C5] a reader that stops reading ends the call as well', async () => {
    const endless = bodyOf('[[stall]] [[long: 500]]')
    for await (const event of door().stream(endless, new AbortController().signal))
      if (event.type === 'delta') break
    await eventually(() => fake.state.log[0]?.closedAt)
    expect(fake.state.log[0]?.finished).toBe(false)
  })

  it('nothing is sent when the signal is aborted already', async () => {
    expect(errorOf(await collect(door(), bodyOf('hi'), AbortSignal.abort())).code).toBe('cancelled')
    expect(fake.state.log).toHaveLength(0)
  })

  it('[M4] a request over the limit is an overflow before it is sent', async () => {
    const huge = bodyOf([user('x'.repeat(40_000_001))])
    expect(errorOf(await collect(door(), huge))).toMatchObject({ code: 'overflow', status: 413 })
    expect(fake.state.log).toHaveLength(0)
  })

  it('a missing attachment is told and nothing is sent', async () => {
    const source = { type: 'blob' as const, hash: 'h', media_type: 'image/png', bytes: 1 }
    const error = errorOf(await collect(door(), bodyOf([user({ type: 'image', source })])))
    expect(error.message).toContain('no longer stored')
  })
})

describe('a key typed by the user', () => {
  it('goes with the request, before the server’s own', async () => {
    expect(errorOf(await collect(chat('bad-typed'), bodyOf('hi'))).code).toBe('authentication')
    const typed = summary({ key: () => 'bad-typed' })
    expect(errorOf(await collect(typed, bodyOf('hi'))).code).toBe('authentication')
  })

  it('is refused when it could not stand in a header', async () => {
    const typed = summary({ key: () => 'schlüssel' })
    expect(errorOf(await collect(typed, bodyOf('hi'))).code).toBe('authentication')
    expect(fake.state.log).toHaveLength(0)
  })
})

describe('the action', () => {
  it('[C5] that was cancelled before it began never calls the provider', async () => {
    const abort = new AbortController()
    let opened: Promise<ReadableStream<WireEvent>> | undefined
    // The action is still on its way to the server when the person cancels.
    const slow: SummaryAction = (payload) => {
      abort.abort()
      opened = new Promise<void>((resolve) => setImmediate(resolve)).then(() => action(payload))
      return opened
    }
    const events = await collect(summary({ action: slow }), bodyOf('hi'), abort.signal)
    expect(errorOf(events).code).toBe('cancelled')
    const first = await (await opened)?.getReader().read()
    expect(first?.value).toMatchObject({ type: 'error', error: { code: 'cancelled' } })
    expect(fake.state.log).toHaveLength(0)
  })

  it('that throws is an error with words, not an exception', async () => {
    const broken: SummaryAction = async () => {
      throw new Error('Minified React error #441')
    }
    const error = errorOf(await collect(summary({ action: broken }), bodyOf('hi')))
    expect(error).toMatchObject({ code: 'outdated' })
    expect(error.message).toMatch(/reload/i)
  })
})

it.each([
  [502, 'unreachable'],
  [503, 'unreachable'],
  [504, 'unreachable'],
  [413, 'overflow'],
  [429, 'rate-limit'],
  [401, 'access'],
  [400, 'invalid-request'],
  [500, 'server'],
])(
  'a page of a reverse proxy with status %s is %s, and no word of the server',
  async (status, code) => {
    const proxy: typeof fetch = async () =>
      new Response('<html><h1>Bad Gateway</h1></html>', {
        status,
        headers: { 'content-type': 'text/html' },
      })
    const model = remoteModel({ resolveBlob, fetch: proxy })
    const error = errorOf(await collect(model, bodyOf('hi')))
    expect(error).toMatchObject({ code, status })
    expect(error.message).toContain('in front of the Palimpsest server')
  },
)

describe('asking the server', () => {
  it('[C7] lists models with windows', async () => {
    const list = await listModels({ fetch: browserFetch })
    expect(list.ok && list.value.models.map((one) => one.contextWindow)).toContain(16_000)
  })

  it('tells whether there is a key, the host and the model, and no secret', async () => {
    vi.stubEnv('ANTHROPIC_MODEL', 'my-model')
    const status = await readStatus({ fetch: browserFetch })
    expect(status).toEqual({
      ok: true,
      value: {
        provider: 'anthropic',
        keyConfigured: true,
        ready: true,
        upstream: `127.0.0.1:${fake.port}`,
        defaultModel: 'my-model',
        guarded: false,
      },
    })
    expect(JSON.stringify(status)).not.toContain('server-key')
  })

  it('is an error value when the server is gone or answers nonsense', async () => {
    const gone: typeof fetch = async () => {
      throw new TypeError('failed')
    }
    expect(await readStatus({ fetch: gone })).toMatchObject({ error: { code: 'unreachable' } })
    const odd: typeof fetch = async () => new Response('<html>')
    expect(await listModels({ fetch: odd })).toMatchObject({ error: { code: 'server' } })
  })
})
