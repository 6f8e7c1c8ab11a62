import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from '../core/check'
import type { SessionEvent, SessionHeader } from '../core/event'
import { parseEvent } from '../core/shape'
import { arbitraryLog } from '../core/testing/arbitrary'
import { type RedactionRules, findSecrets as search } from './find-secrets'
import { redact } from './redact'
import { header, sampleLog } from './testing/sample-log'
import { readTranscript, writeTranscript } from './transcript'
import { writeDsh } from './write-dsh'
import { writeHtml } from './write-html'
import { writeOpenai } from './write-openai'
import { writeText } from './write-text'

const KEY_LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'
const SECRETS = {
  key: ['sk', 'ant', 'api03', 'Zq8sJd73hKx02LmNvB45tYw1'].join('-'),
  aws: `AKIA${'Q7WX2M4NB8RT5YZ1'}`,
  github: `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`,
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
  password: 'hunter2-and-more',
}
const PEM = `-----BEGIN PRIVATE KEY-----\n${KEY_LINE}\n${KEY_LINE.toLowerCase()}\n-----END PRIVATE KEY-----`
const ALL: RedactionRules = { kinds: ['keys', 'tokens', 'private-keys'], words: ['Jane "JD" Doe'] }

/** The sample with secrets in a message, an argument, its escaped text, a result, a summary and a title. */
function laden(): SessionEvent[] {
  const events = structuredClone(sampleLog('ab'.repeat(32)))
  for (const event of events) {
    if (event.seq === 4 && event.type === 'user/message')
      event.data.content.push({ type: 'text', text: `use ${SECRETS.key}, I am jane "jd" doe` })
    if (event.type === 'assistant/message' && event.seq === 6)
      event.data.content = event.data.content.map((block) =>
        block.type === 'thinking'
          ? { ...block, thinking: `bare: ${SECRETS.password}` }
          : block.type === 'tool_use'
            ? { ...block, input: { type: SECRETS.aws, [SECRETS.github]: [PEM] } }
            : block,
      )
    if (event.type === 'tool/call')
      event.data.raw = JSON.stringify({ who: 'Jane "JD" Doe', nested: JSON.stringify({ PEM }) })
    if (event.type === 'tool/result' && event.seq === 9)
      event.data.content = [
        { type: 'text', text: `password = "${SECRETS.password}"\n 1\t${KEY_LINE}\n${SECRETS.jwt}` },
      ]
    if (event.type === 'compact/summary') event.data.summary += `\nkey ${SECRETS.key.toUpperCase()}`
    if (event.type === 'session/title') event.data.title = `About ${SECRETS.github}`
  }
  return events
}

const findSecrets = async (of: SessionHeader, read: () => SessionEvent[], rules: RedactionRules) =>
  (await search({ header: of, read }, rules)).secrets
const textFrom = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()
async function all(events: AsyncGenerator<SessionEvent>): Promise<SessionEvent[]> {
  const list: SessionEvent[] = []
  for await (const event of events) list.push(event)
  return list
}
const needles = [
  ...Object.values(SECRETS),
  KEY_LINE,
  'jane "jd" doe',
  'jane \\"jd\\" doe',
  'jane \\\\',
]
const left = (text: string) =>
  needles.filter((needle) => text.toLowerCase().includes(needle.toLowerCase()))

describe('redaction', () => {
  it('previews every hit with its place and what stands around it', async () => {
    const secrets = await findSecrets(header, laden, ALL)
    const of = (value: string) => secrets.find((secret) => secret.value === value)
    expect(of(SECRETS.key)).toMatchObject({ label: 'API key', count: 2 })
    expect(of(SECRETS.key)?.places[0]).toEqual({
      seq: 4,
      field: 'data.content.text',
      before: 'use ',
      after: ', I am jane "jd" doe',
    })
    expect(of(SECRETS.password)).toMatchObject({ label: 'assigned secret', count: 2 })
    expect(of('Jane "JD" Doe')).toMatchObject({ label: 'your list', count: 3 })
    expect(of(KEY_LINE)?.count).toBeGreaterThanOrEqual(4)
    expect(await findSecrets(header, () => sampleLog('ab'.repeat(32)), ALL)).toEqual([])
  })

  it('removes the data in every copy, in every format, the log inside the page too', async () => {
    const values = (await findSecrets(header, laden, ALL)).map(({ value }) => value)
    const clean = redact(header, laden, values)
    expect(left(await textFrom(writeTranscript('native', header, laden())))).not.toEqual([])
    const page = await textFrom(writeHtml(clean.header, clean.read))
    const inside = await readTranscript(page)
    for (const text of [
      page,
      JSON.stringify(inside.sessions[0]!.events),
      await textFrom(writeTranscript('native', clean.header, clean.read())),
      await textFrom(writeTranscript('markdown', clean.header, clean.read())),
      await textFrom(writeText(clean.header, clean.read)),
      await textFrom(writeOpenai(clean.read)),
      await textFrom(writeDsh(clean.header, clean.read)),
    ])
      expect(left(text)).toEqual([])
    expect(page).toContain('REDACTED-')
  })

  it('keeps the log sound: shapes, joins and rules as before', async () => {
    const values = (await findSecrets(header, laden, ALL)).map(({ value }) => value)
    const events = await all(redact(header, laden, values).read())
    for (const event of events) expect(parseEvent(event).ok).toBe(true)
    const rules = (log: SessionEvent[]) => check(header, log).map(({ rule, seq }) => [rule, seq])
    expect(rules(events)).toEqual(rules(laden()))
  })

  it('drops hashes of requests made after the first change, and signatures of changed thinking', async () => {
    const log = laden()
    const hashes = (events: SessionEvent[]) =>
      events.flatMap(({ seq, data }) => ('requestHash' in data && data.requestHash ? [seq] : []))
    const first = { ...log[4]!, data: { ...log[4]!.data, content: [] } } as SessionEvent
    const late = log.with(4, first).with(1, sampleLog('ab'.repeat(32))[1]!)
    const values = [SECRETS.password]
    const events = await all(redact(header, () => late, values).read())
    const before = hashes(late)
    expect(before.some((seq) => seq <= 6)).toBe(true)
    expect(hashes(events)).toEqual(before.filter((seq) => seq <= 6))
    const said = events[6] as SessionEvent & { type: 'assistant/message' }
    expect(said.data.content[0]).toMatchObject({ type: 'thinking', signature: '' })
  })

  it('searches all of a block whose type nobody knows', async () => {
    const block = { type: 'novel', data: SECRETS.key, source: { code: SECRETS.aws } }
    const log = sampleLog('ab'.repeat(32)).map((event) =>
      event.type === 'user/message'
        ? { ...event, data: { ...event.data, content: [block] } }
        : event,
    ) as SessionEvent[]
    const values = (await findSecrets(header, () => log, ALL)).map(({ value }) => value)
    expect(left(JSON.stringify(await all(redact(header, () => log, values).read())))).toEqual([])
    expect(values.sort()).toEqual([SECRETS.aws, SECRETS.key].sort())
  })

  it('changes nothing where nothing is found, and holds the shape of any log under any word', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryLog(),
        fc.constantFrom('append', 'text', 'human', 'k1', 'tool_use', 'uu', 'no such'),
        async (log, word) => {
          const clean = redact(log.header, () => log.events, [word])
          const events = await all(clean.read())
          for (const event of events) expect(parseEvent(event).ok).toBe(true)
          const rules = (of: SessionEvent[]) => check(log.header, of).map(({ rule }) => rule)
          expect(rules(events)).toEqual(rules(log.events))
          if (word === 'no such') expect(events).toEqual(log.events)
        },
      ),
      { numRuns: 60 },
    )
  })
})
