/** Who gets in and what may run: against the production build, in Chromium and without it. */

import { request as httpRequest } from 'node:http'
import { chromium } from '@playwright/test'
import { expect, test } from './support/app'
import { requestsWith, unique } from './support/fake'
import { type OwnServer, runStart, startServer } from './support/server'

const TOKEN = 'correct-horse-battery-staple'

/** A request as no browser would send it. */
const bare = (
  base: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) =>
  new Promise<{
    status: number
    headers: Record<string, string | string[] | undefined>
    text: string
  }>((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const sent = httpRequest({ hostname, port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })

const json = { 'content-type': 'application/json' }
const ROUTES: [string, string][] = [
  ['POST', '/api/messages'],
  ['POST', '/api/count'],
  ['GET', '/api/models'],
  ['GET', '/api/status'],
  ['DELETE', '/api/summaries/summary-1'],
  ['GET', '/api/nothing'],
]

test.describe('headers', () => {
  test('every page has a policy with a nonce of its own, and no inline script beside it', async ({
    baseURL,
  }) => {
    const answers = await Promise.all([1, 2].map(() => fetch(baseURL!)))
    const policies = answers.map((one) => one.headers.get('content-security-policy') ?? '')
    const scripts = policies.map((policy) => /script-src ([^;]*)/.exec(policy)?.[1] ?? '')
    expect(scripts[0]).toMatch(/^'self' 'nonce-[^']+' 'strict-dynamic'$/)
    expect(scripts[0]).not.toBe(scripts[1])
    for (const rule of [
      "default-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "object-src 'none'",
      "base-uri 'self'",
    ])
      expect(policies[0]).toContain(rule)
    expect(policies[0]).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe-inline/)
    const text = await answers[0]!.text()
    const nonce = /'nonce-([^']+)'/.exec(policies[0]!)![1]
    for (const tag of text.matchAll(/<script\b[^>]*>/g))
      expect(tag[0]).toContain(`nonce="${nonce}"`)
  })

  test('every answer forbids guessing its type and tells nobody where it came from', async ({
    baseURL,
  }) => {
    for (const path of ['/', '/api/health', '/api/status', '/icon.svg', '/no-such-page']) {
      const { headers } = await fetch(`${baseURL}${path}`)
      expect([path, headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual(
        [path, 'nosniff', 'no-referrer'],
      )
      expect(headers.get('x-powered-by')).toBeNull()
    }
    const api = await fetch(`${baseURL}/api/status`)
    expect(api.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(api.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test.describe('other origins', () => {
  test('get nothing from any route, nor from an action, nor under another name', async ({
    baseURL,
  }) => {
    const host = new URL(baseURL!).host
    for (const [method, path] of ROUTES) {
      const send = (headers: Record<string, string>) =>
        bare(baseURL!, path, { method, headers: { ...json, ...headers } })
      expect((await send({ origin: 'https://evil.example', host })).status).toBe(403)
      expect((await send({ 'sec-fetch-site': 'cross-site', host })).status).toBe(403)
      expect((await send({ 'sec-fetch-site': 'same-site', host })).status).toBe(403)
      expect((await send({ host: 'evil.example' })).status).toBe(403)
      expect((await send({ host, 'x-forwarded-host': 'evil.example' })).status).toBe(403)
    }
    const action = (headers: Record<string, string>) =>
      bare(baseURL!, '/', {
        method: 'POST',
        headers: { 'next-action': '00'.repeat(21), 'content-type': 'text/plain', ...headers },
        body: '[]',
      })
    expect((await action({ host, origin: 'https://evil.example' })).status).toBe(403)
    expect((await action({ host: 'evil.example' })).status).toBe(403)
    // A header that once let requests past the proxy.
    expect(
      (await bare(baseURL!, '/', { headers: { host: 'evil.example', purpose: 'prefetch' } }))
        .status,
    ).toBe(403)
    expect(
      (
        await bare(baseURL!, '/', {
          headers: { host: 'evil.example', 'next-router-prefetch': '1' },
        })
      ).status,
    ).toBe(403)
  })

  test('an address in the network is none of ours without a token', async ({ baseURL }) => {
    const answer = await bare(baseURL!, '/', { headers: { host: '192.168.1.20:3210' } })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('PALIMPSEST_ACCESS_TOKEN')
  })

  test('no request makes the server call another address', async ({ baseURL }) => {
    const word = unique('ssrf')
    const body = (more: object) =>
      JSON.stringify({
        model: 'claude-sonnet-5-5',
        max_tokens: 10,
        system: [],
        tools: [],
        messages: [{ role: 'user', content: [{ type: 'text', text: word }] }],
        ...more,
      })
    const host = new URL(baseURL!).host
    for (const more of [
      { base_url: 'http://169.254.169.254/' },
      { baseURL: 'http://127.0.0.1:1/' },
      { headers: { 'x-api-key': 'k' } },
    ])
      expect(
        (
          await bare(baseURL!, '/api/messages', {
            method: 'POST',
            headers: { ...json, host },
            body: body(more),
          })
        ).status,
      ).toBe(400)
    const image = {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'url', url: 'http://169.254.169.254/x.png' } },
          ],
        },
      ],
    }
    expect(
      (
        await bare(baseURL!, '/api/messages', {
          method: 'POST',
          headers: { ...json, host },
          body: body(image),
        })
      ).status,
    ).toBe(400)
    // A proxy would answer the absolute form.
    expect(
      (
        await bare(baseURL!, 'http://169.254.169.254/latest/meta-data', {
          headers: { host: '169.254.169.254' },
        })
      ).status,
    ).toBeGreaterThanOrEqual(300)
    expect(
      (
        await bare(baseURL!, '/_next/image?url=http%3A%2F%2F169.254.169.254%2F&w=64&q=75', {
          headers: { host },
        })
      ).status,
    ).toBeGreaterThanOrEqual(400)
    expect(await requestsWith(word)).toEqual([])
  })

  test('a body beyond the limit is refused', async ({ baseURL }) => {
    const answer = await fetch(`${baseURL}/api/messages`, {
      method: 'POST',
      headers: json,
      body: 'x'.repeat(41_000_000),
    })
    expect(answer.status).toBe(413)
  })
})

test.describe('npm start', () => {
  test('refuses another host without a token, and a short token, in words', async () => {
    const open = await runStart({ HOST: '0.0.0.0', PORT: '3799', PALIMPSEST_ACCESS_TOKEN: '' })
    expect(open.code).toBe(1)
    expect(open.output).toMatch(/PALIMPSEST_ACCESS_TOKEN=[\s\S]*HTTPS/)
    const short = await runStart({
      HOST: '0.0.0.0',
      PORT: '3799',
      PALIMPSEST_ACCESS_TOKEN: 'short',
    })
    expect([short.code, short.output]).toEqual([1, expect.stringContaining('16 characters')])
  })
})

test.describe('with an access token', () => {
  test.describe.configure({ mode: 'serial' })
  let server: OwnServer
  test.beforeAll(async () => {
    server = await startServer({
      PALIMPSEST_ACCESS_TOKEN: TOKEN,
      PALIMPSEST_ALLOWED_HOSTS: 'box.test',
    })
  })
  test.afterAll(() => server.stop())

  test('nothing but health is served before it was shown', async () => {
    const page = await bare(server.base, '/?session=x')
    expect([page.status, page.headers['set-cookie']]).toEqual([401, undefined])
    expect(page.text).toContain('name="token"')
    expect(page.text).not.toContain('/_next/')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    for (const [method, path] of ROUTES)
      expect([path, (await bare(server.base, path, { method, headers: json })).status]).toEqual([
        path,
        401,
      ])
    const more: [string, Parameters<typeof bare>[2]][] = [
      ['/_next/static/chunks/main.js', {}],
      ['/icon.svg', {}],
      ['/sample.jsonl', {}],
      ['/', { headers: { purpose: 'prefetch' } }],
      ['/', { headers: { 'next-router-prefetch': '1', rsc: '1' } }],
      ['/', { headers: { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' } }],
      ['/', { method: 'POST', headers: { 'next-action': '00'.repeat(21) }, body: '[]' }],
      ['/', { headers: { cookie: `palimpsest-access=${TOKEN}` } }],
    ]
    for (const [path, init] of more)
      expect([path, (await bare(server.base, path, init)).status]).toEqual([path, 401])
    expect((await bare(server.base, '/api/health')).status).toBe(200)
  })

  test('it is asked for once, and the app opens where it was wanted', async ({ page, errors }) => {
    await page.goto(`${server.base}/?panel=log`)
    await page.getByLabel('Access token').fill(TOKEN)
    // The page that asks is a 401 itself, and its icon is not served yet.
    errors.splice(0, errors.length, ...errors.filter((text) => !text.includes('401')))
    await page.getByRole('button', { name: 'Enter' }).click()
    await expect(page.getByRole('button', { name: 'Open sample' })).toBeVisible()
    expect(page.url()).toBe(`${server.base}/?panel=log`)
    const cookies = await page.context().cookies(server.base)
    expect(cookies.find((one) => one.name === 'palimpsest-access')).toMatchObject({
      httpOnly: true,
      sameSite: 'Strict',
    })
    await page.goto(server.base)
    await expect(page.getByRole('button', { name: 'Open sample' })).toBeVisible()

    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByLabel('Access token')).toBeVisible()
    expect(await page.context().cookies(server.base)).toEqual([])
    errors.splice(0, errors.length, ...errors.filter((text) => !text.includes('401')))
  })

  test('at an address that is not secure the app says so and opens nothing', async () => {
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP box.test 127.0.0.1'],
    })
    const page = await browser.newPage()
    await page.goto(`http://box.test:${server.port}/`)
    await expect(page.getByRole('note')).toContainText('not secure')
    await page.getByLabel('Access token').fill(TOKEN)
    await page.getByRole('button', { name: 'Enter' }).click()
    await expect(page.getByText('Palimpsest cannot start here')).toBeVisible()
    await expect(page.getByText('Put HTTPS in front of the server')).toBeVisible()
    expect(
      await page.evaluate(async () => (await indexedDB.databases()).map((one) => one.name)),
    ).toEqual([])
    await browser.close()
  })

  test('ten wrong tries close the door for a minute, but not to who is inside', async () => {
    const enter = (token: string) =>
      bare(server.base, '/api/access', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `token=${token}`,
      })
    const right = await enter(TOKEN)
    const cookie = String(right.headers['set-cookie']).split(';')[0]!
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await enter(`wrong-${n}`)).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses.slice(10)).toEqual([429, 429])
    expect((await enter(TOKEN)).status).toBe(429)
    expect((await bare(server.base, '/api/status', { headers: { cookie } })).status).toBe(200)
    expect(server.output()).not.toContain(TOKEN)
  })
})
