import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SessionEvent } from '../core/event'
import { sampleLog } from '../formats/testing/sample-log'
import { type Database, openDatabase } from './db'
import { importSession } from './import'
import { type SearchHit, type SearchOptions, searchSessions } from './search'
import { matchText, mayMatch, parseQuery } from './search-query'
import { createSession, trashSession } from './sessions'
import { freshName } from './testing/database'
import { numbered, said, sampleHeader, titled } from './testing/sample-events'

let db: Database
beforeEach(async () => {
  db = await openDatabase(freshName())
})

async function find(typed: string, options?: SearchOptions) {
  const hits: SearchHit[] = []
  const work = await searchSessions(db, parseQuery(typed), (hit) => hits.push(hit), options)
  return { hits, work, places: hits.map(({ sessionId, seq }) => `${sessionId}#${seq}`) }
}
const at = (id: string, day: number) => ({ ...sampleHeader(id), createdAt: day })
const on = (events: SessionEvent[], time: number): SessionEvent[] =>
  events.map((event) => ({ ...event, time: time + event.seq }))

describe('what a query means', () => {
  const means = (typed: string, text: string) => matchText(parseQuery(typed), text) >= 0

  it.each([
    ['parser ', 'The Parser works', true],
    ['parse ', 'The parser works', false],
    ['parse', 'The parser works', true],
    ['parse* works ', 'The parser works', true],
    ['arser', 'The parser works', false],
    ['works parser ', 'The parser works', true],
    ['"parser works"', 'The parser works', true],
    ['"works parser"', 'The parser works', false],
    ['"the pars"', 'The parser works', false],
    ['file.ts ', 'in my file.ts:', true],
    ['検索', '全文検索です', true],
    ['"全文検索"', '全文検索です', true],
    ['wort ', 'Wörter, Wort', true],
    ['http://x ', 'see http://x now', true],
  ])('%s in “%s”: %s', (typed, text, expected) => {
    expect(means(typed, text)).toBe(expected)
  })

  it('takes filters apart from words', () => {
    expect(parseQuery('kind:user tool:Bash after:2026-11-01 in:shadowed word ')).toMatchObject({
      terms: [{ text: 'word', match: 'word' }],
      kinds: ['user'],
      tools: ['bash'],
      after: Date.UTC(2026, 10, 1),
      shadowed: true,
    })
    expect(parseQuery('kind:nonsense ').terms).toEqual([{ text: 'kind:nonsense', match: 'word' }])
  })

  it('the cheap look never passes over what matches', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 })
    fc.assert(
      fc.property(text, fc.nat(40), fc.nat(9), (whole, from, length) => {
        const piece = [...whole]
          .slice(from, from + length)
          .join('')
          .replaceAll('"', '')
        const query = parseQuery(`"${piece}"`)
        if (query.terms.length === 0 || matchText(query, whole) < 0) return
        expect(mayMatch(query)(JSON.stringify({ text: whole }))).toBe(true)
      }),
    )
  })
})

describe('search over all sessions', () => {
  it('finds in fresh and in sealed events, newest session and event first', async () => {
    const old = numbered(
      Array.from({ length: 1_500 }, (_, n) => said(n % 700 === 3 ? `a needle ${n}` : `hay ${n}`)),
    )
    await importSession(db, at('old', 1_000), on(old, 1_000))
    await createSession(
      db,
      at('new', 9_000),
      on(numbered([titled('New one'), said('Needle!')]), 9_000),
    )
    const { hits, places } = await find('needle ')
    expect(places).toEqual(['new#1', 'old#1403', 'old#703', 'old#3'])
    expect(hits[0]).toMatchObject({ title: 'New one', kind: 'user', snippet: 'Needle!' })
  })

  it('parses only what may match', async () => {
    const events = numbered(
      Array.from({ length: 2_000 }, (_, n) => said(`hay ${n} ${'x'.repeat(300)}`)),
    )
    events[1_234] = numbered([said('one needle')], 1_234)[0]!
    await importSession(db, sampleHeader('a'), events)
    const { work } = await find('needle ')
    expect(work).toMatchObject({ sessions: 1, parsed: 1, hits: 1 })
    expect(work.chunks).toBeLessThan(30)
  })

  it('filters by kind, tool, date, summaries and what is shadowed', async () => {
    await createSession(db, sampleHeader('sample'), sampleLog('a'.repeat(64)))
    const seqs = async (typed: string) =>
      (await find(typed)).hits.map(({ seq, kind }) => ({ seq, kind }))
    const kindsOf = async (typed: string) => new Set((await seqs(typed)).map(({ kind }) => kind))
    expect((await seqs('the')).length).toBeGreaterThan(0)
    for (const kind of ['user', 'assistant', 'result', 'call'] as const) {
      const found = await kindsOf(`kind:${kind} e*`)
      for (const each of found) expect(each).toBe(kind)
    }
    for (const each of await kindsOf('in:summaries e*')) expect(each).toBe('summary')
    const { hits } = await find('tool:read_file a*')
    for (const hit of hits) expect(hit.tool).toBe('read_file')
    const all = (await find('a* ')).places
    const shadowed = (await find('in:shadowed a* ')).places
    expect(shadowed.length).toBeLessThan(all.length)
    expect(all).toEqual(expect.arrayContaining(shadowed))
    expect((await find('after:2200 the')).hits).toEqual([])
    expect((await find('before:1999 the')).hits).toEqual([])
  })

  it('looks past damage, leaves out the trash, and answers nothing to filters alone', async () => {
    await createSession(
      db,
      sampleHeader('a'),
      numbered([said('needle'), said('needle'), said('needle')]),
    )
    await db.relaxed.fresh.update(['a', 1], { text: '{"seq":1,"needle":1}' })
    await createSession(db, sampleHeader('gone'), numbered([said('needle')]))
    await trashSession(db, 'gone', 1)
    expect((await find('needle ')).places).toEqual(['a#2', 'a#0'])
    expect((await find('kind:user')).hits).toEqual([])
  })

  it('ends when it is told to, and at its limit', async () => {
    const events = numbered(Array.from({ length: 900 }, (_, n) => said(`needle ${n}`)))
    await importSession(db, sampleHeader('a'), events)
    expect((await find('needle ', { limit: 7 })).hits).toHaveLength(7)
    const stop = new AbortController()
    const hits: SearchHit[] = []
    const stopping = (hit: SearchHit) => {
      hits.push(hit)
      stop.abort()
    }
    await searchSessions(db, parseQuery('needle '), stopping, { signal: stop.signal })
    expect(hits).toHaveLength(1)
  })
})
