import { expect, it } from 'vitest'
import { isLoopbackHost, listenHost } from './host.mjs'

it.each([
  'localhost',
  'LOCALHOST',
  '127.0.0.1',
  '127.0.0.2',
  '127.255.0.9',
  '::1',
  '[::1]',
  '',
  ' ',
])('HOST=%j is this machine alone and wants no token', (host) => {
  expect(isLoopbackHost(listenHost(host))).toBe(true)
})

it.each([
  '0.0.0.0',
  '::',
  '[::]',
  '127.0.0.1.nip.io',
  '127.evil.example',
  '192.168.1.20',
  'box.lan',
])('HOST=%j can be reached from elsewhere', (host) => {
  expect(isLoopbackHost(listenHost(host))).toBe(false)
})

it('an address in brackets is listened on without them', () => {
  expect([listenHost('[::1]'), listenHost(undefined)]).toEqual(['::1', '127.0.0.1'])
})
