import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SessionEvent } from '../core/event'
import { type Database, openDatabase } from './db'
import { fillFilters, placesOf } from './filters'
import { importSession } from './import'
import { openJournal } from './journal'
import { acquireWriter } from './lock'
import { searchSessions } from './search'
import { createFilter, isSound, mayHold } from './search-filter'
import { matchText, parseQuery } from './search-query'
import { createSession, listSessions, purgeSession } from './sessions'
import { freshName } from './testing/database'
import { createLocks } from './testing/locks'
import { numbered, said, sampleHeader } from './testing/sample-events'

const filterOf = (...texts: string[]) => {
  const filter = createFilter()
  for (const event of numbered(texts.map(said))) filter.add(event)
  return filter.row('s', 0, texts.length)
}
const may = (typed: string, ...texts: string[]) => mayHold(parseQuery(typed))(filterOf(...texts))

describe('a filter', () => {
  it.each([
    ['parser ', 'The Parser works', true],
    ['parse ', 'The parser works', false],
    ['parse', 'The parser works', true],
    ['pa', 'nothing like it', true],
    ['"parser works"', 'The parser works', true],
    ['"parser stops"', 'The parser works', false],
    ['検索', '全文検索です', true],
    ['検全', '全文検索です', false],
    ['検', '全文検索です', true],
    ['Σ ', 'Α\nΣ is here', true],
    ['kind:summary parser ', 'The parser works', false],
    ['tool:bash parser ', 'The parser works', false],
    ['before:2000 parser ', 'The parser works', false],
    ['after:2200 parser ', 'The parser works', false],
  ])('%s in “%s”: %s', (typed, text, expected) => {
    expect(may(typed, text)).toBe(expected)
  })

  it('never says no to what matches', () => {
    const word = fc.constantFrom(
      'a',
      'ab',
      'ΑΣ',
      'σς',
      'İx',
      'file',
      'ﬁle',
      'é',
      'e\u0301',
      '検索',
      'คำ',
      '𠮷',
      '𝐀b',
      '_',
      '7',
    )
    const gap = fc.constantFrom(' ', '\n', '', '-', '.', '"', '\ud800', '\u0000', '、')
    const text = fc
      .array(fc.oneof(word, gap, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 12 })
      .map((parts) => parts.join(''))
    const isEnding = fc.constantFrom('', ' ', '*')
    let matched = 0
    fc.assert(
      fc.property(
        text,
        fc.nat(20),
        fc.nat(8),
        isEnding,
        fc.boolean(),
        (whole, from, length, ending, quoted) => {
          const piece = [...whole].slice(from, from + length).join('')
          const query = parseQuery(quoted ? `"${piece.replaceAll('"', '')}"` : piece + ending)
          if (query.terms.length === 0 || matchText(query, whole) < 0) return
          matched += 1
          expect(mayHold(query)(filterOf('other words', whole))).toBe(true)
        },
      ),
      { numRuns: 3_000 },
    )
    expect(matched).toBeGreaterThan(300)
  })

  it('says no to nearly all words that are not there', () => {
    const filter = filterOf(
      ...Array.from({ length: 300 }, (_, n) => `these are the words number${n}`),
    )
    const queries = Array.from({ length: 1_000 }, (_, n) => parseQuery(`absent${n} `))
    const yes = queries.filter((query) => mayHold(query)(filter)).length
    expect(yes).toBeLessThan(60)
  })

  it('is left empty where it would be as large as the text', () => {
    let state = 7
    const random = () => {
      state = (state * 16807) % 2147483647
      return state.toString(36)
    }
    const row = filterOf(Array.from({ length: 20_000 }, random).join(' '))
    expect(row.bits).toHaveLength(0)
    expect(mayHold(parseQuery('anything '))(row)).toBe(true)
  })

  it('that is damaged, of another form or of other events is none', () => {
    const row = filterOf('a', 'b')
    expect(isSound(row, 2)).toBe(true)
    expect(isSound(row, 3)).toBe(false)
    expect(isSound({ ...row, form: 0 }, 2)).toBe(false)
    expect(isSound({ ...row, sessionId: 't' }, 2)).toBe(false)
    expect(isSound({ ...row, bits: row.bits.map((byte) => byte ^ 1) }, 2)).toBe(false)
  })
})

describe('filters in the database', () => {
  let db: Database
  beforeEach(async () => {
    db = await openDatabase(freshName())
  })
  const hay = (count: number, from = 0): SessionEvent[] =>
    numbered(
      Array.from({ length: count }, (_, at) =>
        said(at === 5 ? `a needle${from} here` : `hay ${at}`),
      ),
      from,
    )
  const find = async (typed: string) => {
    const places: number[] = []
    const work = await searchSessions(db, parseQuery(typed), ({ seq }) => places.push(seq))
    return { work, places }
  }

  it('come with sealing: a search passes over segments that hold nothing', async () => {
    await createSession(db, sampleHeader('a'))
    const lease = await acquireWriter(db, 'a', createLocks())
    const journal = openJournal(db, 'a', lease!)
    for (let from = 0; from < 1_024; from += 256)
      await journal.append({ events: hay(256, from), durability: 'relaxed' })
    await journal.append({ events: hay(70, 1_024), durability: 'relaxed' })
    await journal.seal()
    const { work, places } = await find('needle512 ')
    expect(places).toEqual([517])
    expect(work).toMatchObject({ skipped: 3, parsed: 1 })
    expect((await find('nowhere ')).work).toMatchObject({ skipped: 4, chunks: 1, parsed: 0 })
  })

  it('are missing after an import, and made once after a search; it finds the same with and without', async () => {
    await importSession(db, sampleHeader('a'), [
      ...hay(1_000),
      ...hay(1_000, 1_000),
      ...hay(9, 2_000),
    ])
    const before = await find('needle1000 ')
    expect(before).toMatchObject({ places: [1_005], work: { skipped: 0 } })
    expect(await fillFilters(db, ['a'])).toBe(3)
    expect(await fillFilters(db, ['a'])).toBe(0)
    const after = await find('needle1000 ')
    expect(after).toMatchObject({ places: [1_005], work: { skipped: 2 } })
    expect(after.work.chunks).toBeLessThan(before.work.chunks)
  })

  it('are made anew where one is damaged, and not at all of damaged events', async () => {
    await importSession(db, sampleHeader('a'), [...hay(1_000), ...hay(1_000, 1_000)])
    await fillFilters(db, ['a'])
    await db.relaxed.filters.update(['a', 0], { bits: new Uint8Array(9) })
    expect((await find('needle0 ')).places).toEqual([5])
    expect(await fillFilters(db, ['a'])).toBe(1)
    await db.relaxed.filters.clear()
    await db.relaxed.bodies.update(['a', 1_000], { text: 'broken' })
    expect(await fillFilters(db, ['a'])).toBe(1)
  })

  it('of a session deleted meanwhile are not kept', async () => {
    await importSession(db, sampleHeader('a'), hay(1_000))
    const [first] = [...(await listSessions(db)).sessions]
    const { prototype } = IDBObjectStore
    const { get } = prototype
    let purged: Promise<void> | null = null
    prototype.get = function (this: IDBObjectStore, key) {
      if (this.name === 'segments' && !purged)
        purged = new Promise((done) => setTimeout(() => done(purgeSession(db, 'a'))))
      return get.call(this, key)
    }
    await fillFilters(db, [first!.id]).catch(() => 0)
    prototype.get = get
    await purged
    expect(await db.relaxed.filters.count()).toBe(0)
  })

  it('stand for a missing segment too: what is left around it is found', async () => {
    await importSession(db, sampleHeader('a'), [...hay(1_000), ...hay(1_000, 1_000)])
    await fillFilters(db, ['a'])
    await db.relaxed.segments.delete(['a', 0])
    const places: { seq: number; end: number }[] = []
    for await (const { seq, end } of placesOf(db.relaxed, 'a', 2_000)) places.push({ seq, end })
    expect(places).toEqual([
      { seq: 1_000, end: 2_000 },
      { seq: 0, end: 1_000 },
    ])
    expect((await find('needle0 ')).places).toEqual([5])
  })
})
