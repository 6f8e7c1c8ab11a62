import { describe, expect, it } from 'vitest'
import {
  ACCESS_COOKIE,
  isAdmitted,
  passFor,
  refuseAccess,
  refuseForeigner,
  refuseHost,
  sameSecret,
} from './access'

const TOKEN = 'correct-horse-battery'
const shared = { PALIMPSEST_ACCESS_TOKEN: TOKEN }
const isOwnHost = (host: string | null, env = {}) => refuseHost(host, env) === null

describe('a host name', () => {
  it.each(['localhost:3210', '127.0.0.1', '127.0.0.2:3210', '127.1', '[::1]:3210', 'LOCALHOST'])(
    '%s is ours',
    (host) => {
      expect(isOwnHost(host, {})).toBe(true)
    },
  )

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '127.evil.example',
    '',
    'a b',
    null,
  ])('%j is foreign, so a name pointed at this address gets nothing', (host) => {
    expect(isOwnHost(host, {})).toBe(false)
    expect(isOwnHost(host, shared)).toBe(false)
  })

  it('is ours as an address in the network only where a token is demanded', () => {
    expect(isOwnHost('192.168.1.20:80', {})).toBe(false)
    expect(isOwnHost('192.168.1.20:80', shared)).toBe(true)
    expect(refuseHost('box.lan', { HOST: 'box.lan' })).toMatch(/PALIMPSEST_ACCESS_TOKEN/)
  })

  it('is ours when the server was bound to it or it is listed', () => {
    expect(isOwnHost('box.lan:3210', { ...shared, HOST: 'box.lan' })).toBe(true)
    const env = { ...shared, PALIMPSEST_ALLOWED_HOSTS: 'a.example, B.example' }
    expect(isOwnHost('b.example', env)).toBe(true)
    expect(isOwnHost('c.example', env)).toBe(false)
  })
})

describe('a request', () => {
  const host = 'localhost:3210'
  const check = (method: string, headers: Record<string, string>) =>
    refuseForeigner(new Headers({ host, ...headers }), method, {})

  it.each<[string, Record<string, string>]>([
    ['POST', { origin: 'http://localhost:3210', 'sec-fetch-site': 'same-origin' }],
    ['POST', { origin: 'https://localhost:3210' }],
    ['POST', {}],
    ['GET', { 'sec-fetch-site': 'none' }],
    ['GET', { 'sec-fetch-site': 'same-origin' }],
  ])('%s with %j passes', (method, headers) => {
    expect(check(method, headers)).toBeNull()
  })

  it.each<[string, Record<string, string>]>([
    ['POST', { origin: 'https://evil.example' }],
    ['POST', { origin: 'http://localhost:8080' }],
    ['POST', { origin: 'null' }],
    ['POST', { 'sec-fetch-site': 'cross-site' }],
    ['POST', { 'sec-fetch-site': 'same-site' }],
    ['POST', { 'sec-fetch-site': 'none' }],
    ['GET', { 'sec-fetch-site': 'cross-site' }],
    ['GET', { 'sec-fetch-site': 'same-site' }],
    ['GET', { host: 'evil.example' }],
    ['GET', { 'x-forwarded-host': 'evil.example' }],
    [
      'POST',
      { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
  ])('%s with %j is refused', (method, headers) => {
    expect(check(method, headers)).toMatchObject({ status: 403, code: 'permission' })
  })
})

describe('the access token', () => {
  const withCookie = (value: string) =>
    new Headers({ host: 'localhost', cookie: `a=b; ${ACCESS_COOKIE}=${value}; c=d` })

  it('is wanted from everyone once it is set, on loopback too', () => {
    const refusal = refuseAccess(new Headers({ host: 'localhost' }), 'GET', shared)
    expect(refusal).toMatchObject({ status: 401, code: 'access' })
    expect(refuseAccess(new Headers({ host: 'localhost' }), 'GET', {})).toBeNull()
  })

  it('is proved by a cookie that is not the token and dies with it', () => {
    const pass = passFor(TOKEN)
    expect(pass).not.toContain(TOKEN)
    expect(isAdmitted(withCookie(pass), shared)).toBe(true)
    expect(isAdmitted(withCookie(TOKEN), shared)).toBe(false)
    expect(isAdmitted(withCookie(`${pass}x`), shared)).toBe(false)
    expect(isAdmitted(withCookie(''), shared)).toBe(false)
    expect(isAdmitted(withCookie(pass), { PALIMPSEST_ACCESS_TOKEN: 'another-token' })).toBe(false)
  })

  it('does not open the door to other origins', () => {
    const headers = withCookie(passFor(TOKEN))
    headers.set('origin', 'https://evil.example')
    expect(refuseAccess(headers, 'POST', shared)).toMatchObject({ status: 403 })
  })

  it('is compared in constant time, whatever the lengths', () => {
    expect(sameSecret('a', 'a')).toBe(true)
    expect(sameSecret('a', 'ab')).toBe(false)
    expect(sameSecret('', 'ab')).toBe(false)
  })
})
