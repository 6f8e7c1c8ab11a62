import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DELETE, POST } from '../../app/api/access/route'
import { ACCESS_COOKIE, passFor } from './access'
import { answerEntry } from './entry'
import { safePath } from './entry-page'

const TOKEN = 'correct-horse-battery'
let now = 1_000_000
beforeEach(() => {
  vi.stubEnv('PALIMPSEST_ACCESS_TOKEN', TOKEN)
  // Far enough on that no try of an earlier test still counts.
  now += 1_000_000
})
afterEach(() => vi.unstubAllEnvs())

const request = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  new Request('http://127.0.0.1:3210/api/access', {
    method: 'POST',
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

describe('POST /api/access', () => {
  it('gives a cookie no script can read and no other site can send, and goes on', async () => {
    const answer = await POST(request({ token: TOKEN, next: '/?session=a' }))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/?session=a'])
    const cookie = answer.headers.get('set-cookie')
    expect(cookie).toContain(`${ACCESS_COOKIE}=${passFor(TOKEN)}`)
    for (const word of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(word)
    expect(cookie).not.toContain('Secure')
    expect(cookie).not.toContain(TOKEN)
  })

  it('marks the cookie as secure behind https', async () => {
    const answer = await POST(request({ token: TOKEN }, { 'x-forwarded-proto': 'https' }))
    expect(answer.headers.get('set-cookie')).toContain('; Secure')
  })

  it('answers a wrong token with the page again, without repeating it', async () => {
    const answer = await answerEntry(request({ token: 'wrong-horse' }), now)
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null])
    const text = await answer.text()
    expect(text).toContain('<form method="post"')
    expect(text).not.toContain('wrong-horse')
  })

  it('looks at nothing for a minute after ten wrong tries, the right token included', async () => {
    for (let n = 0; n < 10; n++)
      expect((await answerEntry(request({ token: `wrong ${n}` }), now)).status).toBe(401)
    const answer = await answerEntry(request({ token: TOKEN }), now + 30_000)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '30'])
    expect((await answerEntry(request({ token: TOKEN }), now + 60_000)).status).toBe(303)
  })

  it('refuses other sites and what is far too large', async () => {
    expect((await POST(request({ token: TOKEN }, { origin: 'https://evil.example' }))).status).toBe(
      403,
    )
    expect((await answerEntry(request({ token: 'x'.repeat(9000) }), now)).status).toBe(413)
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/a\nb', 'a', ''])(
    'goes on to no other server: %j',
    (path) => {
      expect(safePath(path)).toBe('/')
    },
  )
})

describe('DELETE /api/access', () => {
  const leave = (headers: Record<string, string> = {}) =>
    DELETE(new Request('http://127.0.0.1:3210/api/access', { method: 'DELETE', headers }))

  it('takes the cookie back, with the attributes it was given with', () => {
    const given = leave({ cookie: `${ACCESS_COOKIE}=${passFor(TOKEN)}` })
    expect(given.status).toBe(204)
    expect(given.headers.get('set-cookie')).toBe(
      `${ACCESS_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`,
    )
    expect(leave({ 'x-forwarded-proto': 'https' }).headers.get('set-cookie')).toMatch(/; Secure$/)
  })

  it('no other site signs anybody out', () => {
    expect(leave({ origin: 'https://evil.example' }).status).toBe(403)
    expect(leave({ origin: 'https://evil.example' }).headers.get('set-cookie')).toBeNull()
  })
})

describe('every route but health and the entry', () => {
  const root = join(import.meta.dirname, '../../app/api')
  const routes = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('route.ts'))
    .map((path) => path.replaceAll('\\', '/').replace(/\/route\.ts$/, ''))
    .filter((path) => path !== 'health' && path !== 'access')

  it.each(routes)('%s answers 401 in every method until the token was shown', async (path) => {
    const handlers = (await import(join(root, path, 'route.ts'))) as Record<
      string,
      (request: Request, context: unknown) => Promise<Response> | Response
    >
    const methods = Object.keys(handlers).filter((name) => /^[A-Z]+$/.test(name))
    expect(methods.length).toBeGreaterThan(0)
    for (const method of methods) {
      const context = { params: Promise.resolve({ id: 'summary-1', path: [] }) }
      const asked = new Request(`http://127.0.0.1:3210/api/${path.replace(/\[.*/, 'x')}`, {
        method,
      })
      const answer = await handlers[method]!(asked, context)
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ error: { code: 'access' } })
    }
  })

  it('finds the routes there are', () => {
    expect(routes).toEqual(expect.arrayContaining(['messages', 'models', 'status']))
  })
})
