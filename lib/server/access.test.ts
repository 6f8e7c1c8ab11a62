import { describe, expect, it } from 'vitest'
import { isOwnHost, refuseAccess } from './access'

describe('a host name', () => {
  it.each(['localhost:3210', '127.0.0.1', '[::1]:3210', '192.168.1.20:80', 'LOCALHOST'])(
    '%s is ours',
    (host) => {
      expect(isOwnHost(host, {})).toBe(true)
    },
  )

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '', 'a b', null])(
    '%j is foreign, so a name pointed at this address gets nothing',
    (host) => {
      expect(isOwnHost(host, {})).toBe(false)
    },
  )

  it('is ours when the server was bound to it or it is listed', () => {
    expect(isOwnHost('box.lan:3210', { HOST: 'box.lan' })).toBe(true)
    const env = { PALIMPSEST_ALLOWED_HOSTS: 'a.example, B.example' }
    expect(isOwnHost('b.example', env)).toBe(true)
    expect(isOwnHost('c.example', env)).toBe(false)
  })
})

describe('a request', () => {
  const host = 'localhost:3210'
  const check = (method: string, headers: Record<string, string>) =>
    refuseAccess(new Headers({ host, ...headers }), method, {})

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
    [
      'POST',
      { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
  ])('%s with %j is refused', (method, headers) => {
    expect(check(method, headers)).toMatch(/\.$/)
  })
})
