/** One small text for each kind of rule that spelling alone does not give. */

import { expect, it } from 'vitest'
import { extractFacts, type FactKind, type FactSource } from './facts'

const found = (text: string, role: FactSource['role'] = 'assistant'): [FactKind, string][] =>
  extractFacts([{ seq: 1, role, text }]).map((fact) => [fact.kind, fact.text])

it('programs, codes and systems say what failed without the word error', () => {
  const messages = [
    'curl: (22) The requested URL returned error: 404',
    'ORA-00942: table or view does not exist',
    'make[2]: *** [Makefile:90: all] Error 1',
    'Readiness probe failed: HTTP probe failed with statuscode: 503',
    'Error response from daemon: port is already allocated',
    'Impossible de se connecter au serveur : délai dépassé',
    '无法连接到数据库',
    '550 5.1.1 <a@b.example>: Recipient address rejected',
  ]
  for (const message of messages) expect(found(message, 'result')).toEqual([['error', message]])
  expect(found('main.go:14:2: undefined: strconv', 'result')).toEqual([
    ['path', 'main.go'],
    ['error', 'undefined: strconv'],
  ])
  for (const harmless of [
    'fix: reject input that is invalid',
    'restart: on-failure',
    ' ✓ rejects invalid tokens',
  ])
    expect(found(harmless, 'result')).toEqual([])
})

it('a quotation is an error by its words, or by the words and the key before it', () => {
  expect(found('Then the log says «Соединение разорвано узлом».')).toEqual([
    ['error', 'Соединение разорвано узлом'],
  ])
  expect(found('It dies with "stream stall: waited long".')).toEqual([
    ['error', 'stream stall: waited long'],
  ])
  expect(found('{"error": "quota used up"}', 'result')).toEqual([['error', 'quota used up']])
  expect(found('He says "this is much nicer" and smiles.')).toEqual([])
})

it('codes of HTTP count where the words around them tell what they are', () => {
  expect(found('It answered 503 and the next one returned a 404.')).toEqual([
    ['error', '503'],
    ['error', '404'],
  ])
  expect(found('Room 502 has 404 chairs; the pool went from 8 to 512.')).toEqual([])
})

it('hosts may end in any country and in names of private networks; members of objects are none', () => {
  expect(found('db1.msk.primer.ru:5432 pg-main:5432 mail.shop.example obj.config.home')).toEqual([
    ['url', 'db1.msk.primer.ru:5432'],
    ['url', 'pg-main:5432'],
    ['url', 'mail.shop.example'],
    ['identifier', 'obj.config.home'],
  ])
})

it('products, abbreviations and people are no names of code, unless the text marks them as code', () => {
  expect(found('WaveForge by the GmbH of MacLeod speaks gRPC on x86_64')).toEqual([])
  expect(found('drawn by Chart.js and Socket.io')).toEqual([])
  expect(found('OrderService calls `WaveForge`, WaveForge.open and CVE-2026-30418')).toEqual([
    ['identifier', 'OrderService'],
    ['identifier', 'WaveForge'],
    ['identifier', 'WaveForge.open'],
    ['identifier', 'CVE-2026-30418'],
  ])
})

it('documents in quotes may have spaces, routes have parameters, and Windows has its own roots', () => {
  expect(found('„Entwurf Nr 4.docx“ /users/:id/orders?limit=1 %TEMP%\\a.log ./pkg/...')).toEqual([
    ['path', 'Entwurf Nr 4.docx'],
    ['path', '/users/:id/orders?limit=1'],
    ['path', '%TEMP%\\a.log'],
    ['path', './pkg/...'],
  ])
})

it('counts in thousands have any noun; clock times, decades and places in a book are no figures', () => {
  expect(found('11,342 goroutines, 18.240 Vorgänge, 63 tys. wierszy')).toEqual([
    ['number', '11,342 goroutines'],
    ['number', '18.240 Vorgänge'],
    ['number', '63 tys. wierszy'],
  ])
  expect(found('à 7 h 40, the 1990s, 3 of 5 requests, CVSS 8.1, Ziff. 2.3')).toEqual([])
})

it('one whole figure behind a product is its version', () => {
  expect(found('Debian 12 and Node 22, React 3 times')).toEqual([
    ['version', '12'],
    ['version', '22'],
  ])
})

it('what a line of rules leads is a rule without more words; questions and permissions are none', () => {
  const text =
    'House rules:\n- Commit messages in English\n- You may use any editor\n- Ok?\n\nThanks for the list\n- of names'
  expect(found(text, 'user')).toEqual([['instruction', 'Commit messages in English']])
})

it('both sides of a semicolon are one instruction, and reports of failures are none', () => {
  const text =
    'Never push; the keys must stay local. It never works. The build always fails at night.'
  expect(found(text, 'user')).toEqual([['instruction', 'Never push; the keys must stay local']])
})
