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

it('cells of sheets, states of containers and constants with a code of errno are errors', () => {
  expect(found('Die Spalte H zeigt #NV, die nächste #BEZUG! und #DIV/0!.')).toEqual([
    ['error', '#NV'],
    ['error', '#BEZUG!'],
    ['error', '#DIV/0!'],
  ])
  expect(found('api-0 ended with OOMKilled; ring_put() returns RING_EAGAIN')).toEqual([
    ['error', 'OOMKilled'],
    ['identifier', 'ring_put()'],
    ['error', 'RING_EAGAIN'],
  ])
})

it("the fields of a log, and a log's date in what people paste, end where its message begins", () => {
  expect(found('E (5873) task_wdt: Task watchdog got triggered', 'result')).toEqual([
    ['identifier', 'task_wdt'],
    ['error', 'Task watchdog got triggered'],
  ])
  const pasted = '2024/05/08 14:33:10 [error] 3#3: *8 no answer while reading it, client: none'
  expect(found(pasted, 'user')).toEqual([['error', 'no answer while reading it, client: none']])
  expect(found('Completed 500 Internal Server Error in the end', 'result')).toEqual([
    ['error', '500 Internal Server Error'],
  ])
  const aws = 'An error occurred (AccessDenied) when calling the PutObject operation: Access Denied'
  expect(found(`It says: ${aws}`)).toEqual([['error', aws]])
})

it('messages of PowerShell, TeX, Gradle and of tests that expected something else have no word error', () => {
  for (const message of [
    "Remove-Item : Access to the path 'C:\\a.spl' is denied",
    '! Undefined control sequence.',
    "Execution failed for task ':app:lint'",
    'expected status code 202 but it was 503',
    'Main process exited, code=killed',
    'сервис базы: не удалось прочитать ответ',
  ])
    expect(found(message, 'result')).toEqual([['error', message]])
})

it('commands of PowerShell are names, with their switches; German compounds are none', () => {
  expect(found('PS D:\\> Get-FileHash backup.zip -Algorithm MD5', 'result')).toEqual([
    ['identifier', 'Get-FileHash'],
    ['path', 'backup.zip'],
    ['flag', '-Algorithm'],
  ])
  expect(found('dotnet test /p:CollectCoverage=true', 'result')).toEqual([
    ['flag', '/p:CollectCoverage=true'],
  ])
  expect(found('Die Export-Datei, der Test-Server; be honest.No idea, vol.II')).toEqual([])
})

it('placeholders of a statement are no money, and hours of the day no durations', () => {
  expect(found('SELECT a FROM b WHERE c = $1 LIMIT $2', 'result')).toEqual([])
  expect(found('entre 10h e 17h, por R$ 18 mil')).toEqual([['number', 'R$ 18 mil']])
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
  expect(found('**Dockerfile** /shared/运营/a/ D:\\Logs\\x_*.csv (C:\\a.exe)')).toEqual([
    ['path', 'Dockerfile'],
    ['path', '/shared/运营/a/'],
    ['path', 'D:\\Logs\\x_*.csv'],
    ['path', 'C:\\a.exe'],
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

it('what should be and is not is a report; a clause of time or condition is no instruction by itself', () => {
  expect(found('The interval should be 30 s, but it is 200 ms.', 'user')).toEqual([
    ['number', '30 s'],
    ['number', '200 ms'],
  ])
  expect(found('Some people restart it, some don’t, it is fine.', 'user')).toEqual([])
  expect(found('Temos dois servidores. No module of that name.', 'user')).toEqual([])
  expect(found('If it fails, it must not be retried.', 'user')).toEqual([
    ['instruction', 'If it fails, it must not be retried'],
  ])
})
