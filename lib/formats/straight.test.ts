import { expect, it } from 'vitest'
import type { Part } from './foreign'
import { openTranscript } from './open'
import { answer, boundary, model, person, summary, use } from './testing/fixture-claude'
import { jsonl, text } from './testing/fixture-rows'
import { accountedFor } from './testing/soundness'
import { readTranscript } from './transcript'

async function partsOf(source: string): Promise<Part[]> {
  const opened = await openTranscript(source, { sha256: '-' })
  const parts: Part[] = []
  if (opened.kind !== 'foreign') return parts
  const noMedia = () => Promise.reject(new Error('no media here'))
  for await (const part of opened.read(noMedia)) parts.push(part)
  return parts
}
const typesOf = async (source: string) => [
  ...new Set((await partsOf(source)).map(({ type }) => type)),
]

/** Questions and answers one after another: more than is read at once. */
const LONG = 'beans '.repeat(4_000)
const talk = Array.from({ length: 60 }, (_, n) => [
  person(`p${n}`, n === 0 ? null : `m${n - 1}`, `Question ${n}`),
  model(`m${n}`, `p${n}`, `msg_${n}`, text(`Answer ${n} ${LONG}`)),
]).flat()

/** Two calls side by side, whose results hang from each of them; a compaction. */
const rest = [
  model('c1', 'm59', 'msg_c', use('call_a')),
  model('c2', 'c1', 'msg_c', use('call_b')),
  person('r1', 'c1', [answer('call_a')]),
  person('r2', 'c2', [answer('call_b')]),
  { type: 'progress', uuid: 'g1', parentUuid: 'c1', timestamp: '2026-01-09T10:00:00.000Z' },
  model('m60', 'r2', 'msg_60', text('Done')),
  boundary('b1', 'm60'),
  summary('s1', 'b1', 'They planted beans.'),
  person('p61', 's1', 'And now?'),
]

/** An end that was left behind: the file shows another conversation then, and the one before is its branch. */
const left = person('p99', 'p0', 'Something else')

it('a file whose rows stand as they are shown is read once', async () => {
  expect(await typesOf(jsonl(...talk, ...rest))).toEqual(['session', 'events', 'end'])
})

it('a file that turns out to branch is read anew, and what was said of it before is void', async () => {
  const source = jsonl(...talk, ...rest, left)
  const parts = await partsOf(source)
  const again = parts.findIndex(({ type }) => type === 'again')
  expect(parts.slice(0, again).some(({ type }) => type === 'events')).toBe(true)
  const result = await readTranscript(source)
  const { sessions } = result
  expect(sessions.map(({ header }) => header.parent?.seq ?? null)).toEqual([null, 1])
  expect(accountedFor(result)).toBe(talk.length + rest.length + 1)
})

it('a conversation is the same whether it was read in one pass or by its plan', async () => {
  const once = await readTranscript(jsonl(...talk, ...rest))
  const planned = await readTranscript(jsonl(...talk, ...rest, left))
  expect(planned.sessions[1]?.events).toEqual(once.sessions[0]?.events)
  expect(planned.sessions[1]?.origins).toEqual(once.sessions[0]?.origins)
})

it('a pi file is read once as long as every entry follows the one before', async () => {
  const header = { type: 'session', version: 3, id: 'p', timestamp: '2026-01-01T00:00:00.000Z' }
  const entries = Array.from({ length: 80 }, (_, n) => ({
    type: 'message',
    id: `e${n}`,
    parentId: n === 0 ? null : `e${n - 1}`,
    message: { role: 'user', content: `Words ${n}` },
  }))
  expect(await typesOf(jsonl(header, ...entries))).toEqual(['session', 'events', 'end'])
  const fork = { ...entries[0], id: 'f', parentId: 'e0' }
  expect(await typesOf(jsonl(header, ...entries, fork))).toContain('again')
  const { sessions } = await readTranscript(jsonl(header, ...entries, fork))
  expect(
    sessions.map(({ events }) => events.filter(({ type }) => type === 'user/message').length),
  ).toEqual([2, 80])
})
