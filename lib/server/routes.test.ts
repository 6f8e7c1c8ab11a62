import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { GET as health } from '../../app/api/health/route'
import { POST } from '../../app/api/messages/route'
import { GET as models } from '../../app/api/models/route'
import { GET as status } from '../../app/api/status/route'
import { DELETE } from '../../app/api/summaries/[id]/route'
import { bodyOf, type Fake, startQuickFake } from '../providers/testing/fake'
import { openSummary } from './summaries'

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
  vi.restoreAllMocks()
})

const url = (path: string) => `http://127.0.0.1:3210${path}`
const json = { 'content-type': 'application/json' }
const cross = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
const post = (body: BodyInit, headers: Record<string, string> = json) =>
  POST(new Request(url('/api/messages'), { method: 'POST', body, headers }))
const code = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code
const remove = (id: string, headers = {}) =>
  DELETE(new Request(url(`/api/summaries/${id}`), { method: 'DELETE', headers }), {
    params: Promise.resolve({ id }),
  })

describe('every route', () => {
  it('refuses other sites before anything else', async () => {
    const get = (path: string) => new Request(url(path), { headers: cross })
    const answers = [
      await post('nonsense', { ...json, ...cross }),
      await models(get('/api/models')),
      status(get('/api/status')),
      health(get('/api/health')),
      await remove('summary-1234', cross),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403])
    expect(await code(answers[0]!)).toBe('permission')
    expect(fake.state.log).toHaveLength(0)
  })

  it('is never cached', async () => {
    const get = (path: string) => new Request(url(path))
    const answers = [
      await post(JSON.stringify(bodyOf('hi'))),
      await models(get('/api/models')),
      status(get('/api/status')),
      health(get('/api/health')),
    ]
    for (const answer of answers) expect(answer.headers.get('cache-control')).toContain('no-store')
  })
})

describe('POST /api/messages', () => {
  it('streams lines of JSON that end with one end', async () => {
    const answer = await post(JSON.stringify(bodyOf('[[reply: Hello]]')))
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const lines = (await answer.text()).trim().split('\n')
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type)
    expect(types).toEqual(['start', 'block', 'delta', 'end'])
  })

  it('refuses other content types, other JSON and other shapes, quoting nothing', async () => {
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post('{"secret')).status).toBe(400)
    const answer = await post(JSON.stringify({ ...bodyOf('hi'), max_tokens: 'secret' }))
    expect(answer.status).toBe(400)
    const text = await answer.text()
    expect(text).toContain('max_tokens')
    expect(text).not.toContain('secret')
    expect(fake.state.log).toHaveLength(0)
  })

  it('[M4] reads no more than its limit, whatever the length header says', async () => {
    const honest = await post('{}', { ...json, 'content-length': '40000001' })
    expect(honest.status).toBe(413)
    expect(await code(honest)).toBe('overflow')
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1_000_000
        controller.enqueue(new Uint8Array(1_000_000))
      },
    })
    const request = new Request(url('/api/messages'), {
      method: 'POST',
      headers: json,
      body: endless,
      duplex: 'half',
    } as RequestInit)
    expect((await POST(request)).status).toBe(413)
    expect(sent).toBeLessThan(50_000_000)
  })

  it('says what to do when there is no key, and asks nobody', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', '')
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', '')
    vi.stubEnv('ANTHROPIC_BASE_URL', '')
    const text = await (await post(JSON.stringify(bodyOf('hi')))).text()
    expect(JSON.parse(text)).toMatchObject({ type: 'error', error: { code: 'authentication' } })
    expect(text).toContain('ANTHROPIC_API_KEY')
  })

  it.each(['127.0.0.1:11434', 'file:///etc/passwd', 'nonsense'])(
    'calls nobody when its upstream is %s, no address',
    async (address) => {
      vi.stubEnv('ANTHROPIC_BASE_URL', address)
      const text = await (await post(JSON.stringify(bodyOf('hi')))).text()
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'invalid-request' } })
      expect(text).toContain('ANTHROPIC_BASE_URL')
      const told = (await status(new Request(url('/api/status'))).json()) as { ready: boolean }
      expect(told.ready).toBe(false)
    },
  )

  it('calls a custom server without a key', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', '')
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', '')
    expect(await (await post(JSON.stringify(bodyOf('hi')))).text()).toContain('"end"')
  })

  it('writes nothing to the console: no content, no key', async () => {
    const written: unknown[] = []
    for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, name).mockImplementation((...args) => void written.push(args))
    vi.stubEnv('ANTHROPIC_LOG', 'debug')
    for (const said of ['hi', '[[mid-error]]', '[[cut]]', '[[error: 500]]'])
      await (
        await post(JSON.stringify(bodyOf(said)), { ...json, 'x-palimpsest-key': 'typed' })
      ).text()
    expect(written).toEqual([])
  })
})

describe('DELETE /api/summaries/[id]', () => {
  it('[C5] ends a running summary by its id, once', async () => {
    const id = 'summary-abcd'
    const payload = new Blob([JSON.stringify({ id, body: bodyOf('[[delay: 20]] [[long: 500]]') })])
    const headers = new Headers({ host: '127.0.0.1:3210' })
    const reader = (await openSummary(payload, headers)).getReader()
    await reader.read()
    expect(await (await remove(id)).json()).toEqual({ cancelled: true })
    let last: unknown
    for (let next = await reader.read(); !next.done; next = await reader.read()) last = next.value
    expect(last).toMatchObject({ type: 'error', error: { code: 'cancelled' } })
    expect(await (await remove(id)).json()).toEqual({ cancelled: false })
  })

  it('refuses what is no id', async () => {
    expect((await remove('..')).status).toBe(400)
  })
})

describe('the summarising action', () => {
  const headers = new Headers({ host: '127.0.0.1:3210' })
  const firstOf = async (payload: unknown, from = headers) =>
    (await (await openSummary(payload, from)).getReader().read()).value

  it.each<[string, unknown]>([
    ['no Blob', 'a string'],
    ['no JSON', new Blob(['{'])],
    ['no body', new Blob(['{"id":"summary-1"}'])],
    ['no id', new Blob([JSON.stringify({ body: bodyOf('hi') })])],
  ])('answers %s with a typed refusal', async (_, payload) => {
    expect(await firstOf(payload)).toMatchObject({
      type: 'error',
      error: { code: 'invalid-request', status: 400 },
    })
  })

  it('refuses other origins and foreign host names', async () => {
    const payload = new Blob([JSON.stringify({ id: 'summary-2', body: bodyOf('hi') })])
    for (const from of [
      new Headers({ host: '127.0.0.1:3210', origin: 'https://evil.example' }),
      new Headers({ host: 'evil.example', origin: 'http://evil.example' }),
    ])
      expect(await firstOf(payload, from)).toMatchObject({ error: { code: 'permission' } })
    expect(fake.state.log).toHaveLength(0)
  })

  it('refuses an id that is running, and frees it afterwards', async () => {
    const payload = (said: string) =>
      new Blob([JSON.stringify({ id: 'summary-3', body: bodyOf(said) })])
    const running = (await openSummary(payload('[[stall]]'), headers)).getReader()
    await running.read()
    expect(await firstOf(payload('hi'))).toMatchObject({ error: { code: 'invalid-request' } })
    await running.cancel()
    expect(await firstOf(payload('hi'))).toMatchObject({ type: 'start' })
  })
})
