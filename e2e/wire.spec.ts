/** The server's doors in the production build, without the page: streaming, hanging up, refusals, policy. */

import { request as httpRequest } from 'node:http'
import { expect, test } from '@playwright/test'

const FAKE = `http://127.0.0.1:${process.env.E2E_FAKE_PORT ?? 3312}`

const bodyOf = (text: string) =>
  JSON.stringify({
    model: 'claude-sonnet-5-5',
    max_tokens: 2000,
    system: [],
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  })
const send = (base: string, text: string, init: RequestInit = {}) =>
  fetch(`${base}/api/messages`, {
    method: 'POST',
    body: bodyOf(text),
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })
type Entry = { startedAt: number; closedAt: number | null; finished: boolean }
const entriesFor = async (text: string): Promise<Entry[]> =>
  (await (await fetch(`${FAKE}/__control/log?match=${text}`)).json()) as Entry[]

/** A request with any Host header, which fetch would not send. */
const statusUnder = (base: string, path: string, host: string) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(base)
    httpRequest({ hostname, port, path, headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })

test('a reply streams: its lines come one after the other, not all at the end', async ({
  baseURL,
}) => {
  const response = await send(baseURL!, 'wire-stream [[delay: 40]] [[long: 40]]')
  const times: number[] = []
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body!) {
    times.push(Date.now())
    text += decoder.decode(chunk, { stream: true })
  }
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string })
  expect(events.at(0)?.type).toBe('start')
  expect(events.at(-1)?.type).toBe('end')
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(300)
})

test('hanging up reaches the provider within a second', async ({ baseURL }) => {
  const abort = new AbortController()
  const response = await send(baseURL!, 'wire-hangup [[delay: 40]] [[long: 900]]', {
    signal: abort.signal,
  })
  await response.body!.getReader().read()
  const at = Date.now()
  abort.abort()
  await expect.poll(async () => (await entriesFor('wire-hangup'))[0]?.closedAt).toBeTruthy()
  const [entry] = await entriesFor('wire-hangup')
  expect(entry!.closedAt! - at).toBeLessThan(1000)
  expect(entry!.finished).toBe(false)
})

test('other origins and foreign host names are refused, on pages and on routes', async ({
  baseURL,
}) => {
  const foreign = await send(baseURL!, 'wire-foreign', {
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  })
  expect(foreign.status).toBe(403)
  expect(await statusUnder(baseURL!, '/', 'evil.example')).toBe(403)
  expect(await statusUnder(baseURL!, '/api/status', 'evil.example')).toBe(403)
  expect(await entriesFor('wire-foreign')).toEqual([])
})

test('every page has its own nonce in a policy that admits no other origin', async ({
  baseURL,
}) => {
  const policies = await Promise.all(
    [1, 2].map(async () => (await fetch(baseURL!)).headers.get('content-security-policy') ?? ''),
  )
  const nonces = policies.map((policy) => /'nonce-([^']+)'/.exec(policy)?.[1])
  expect(nonces[0]).toBeTruthy()
  expect(nonces[0]).not.toBe(nonces[1])
  expect(policies[0]).toContain("connect-src 'self'")
  expect(policies[0]).not.toMatch(/https?:|unsafe-eval/)
})
