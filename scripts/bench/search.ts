/** Benches of search, in Chromium on a profile on disk: a store of 20 MB of words as people and tools write them. */

import type { SessionEvent } from '../../lib/core/event'
import { type Database, openDatabase } from '../../lib/storage/db'
import { fillFilters } from '../../lib/storage/filters'
import { importSession } from '../../lib/storage/import'
import { type SearchWork, searchSessions } from '../../lib/storage/search'
import { parseQuery } from '../../lib/storage/search-query'
import { type Figure, figure, median, time } from './figures'
import { headerOf, seeded } from './session'

const SESSIONS = 10
const EVENTS = 2_000
const CHARS = 1_000
/** Words there are; the n-th is said about 1/n as often as the first. */
const VOCABULARY = 60_000
const SYLLABLES = 'ba ce di fo gu la me ni po ru sa te vi xo zu'.split(' ')

/** The n-th word; frequent ones are short. */
function wordOf(n: number): string {
  let word = ''
  for (let rest = n; ; rest = Math.floor(rest / SYLLABLES.length) - 1) {
    word += SYLLABLES[rest % SYLLABLES.length]
    if (rest < SYLLABLES.length) return word
  }
}

/** Prose, with an id nobody else has now and then, as tools print them. */
function write(random: () => number): string {
  const words: string[] = []
  for (let length = 0; length < CHARS; ) {
    const isId = random() < 0.01
    const word = isId
      ? Math.floor(random() * 2 ** 48).toString(36)
      : wordOf(Math.floor(Math.exp(random() * Math.log(VOCABULARY))))
    words.push(word)
    length += word.length + 1
  }
  return words.join(' ')
}

/** One session of messages; the first event of the first one, the farthest from where a search begins, says `needle`. */
function messagesOf(session: number, random: () => number): SessionEvent[] {
  return Array.from({ length: EVENTS }, (_, seq) => {
    const text = session === 0 && seq === 0 ? 'the needle' : write(random)
    const data = {
      id: `m${seq}`,
      content: [{ type: 'text' as const, text }],
      source: { kind: 'human' as const },
    }
    const at = 1_700_000_000_000 + session * 1e7 + seq
    return { seq, time: at, type: 'user/message', data, surfaceOp: 'append' }
  })
}

/** Bytes of all filters, and characters of all stored text. */
async function sizesOf({ relaxed: tables }: Database): Promise<{ filters: number; text: number }> {
  let filters = 0
  let text = 0
  await tables.filters.each(({ bits }) => {
    filters += bits.length
  })
  await tables.bodies.each((row) => {
    text += row.text.length
  })
  return { filters, text }
}

/** Times of a search and of the same once filters are there, beside a second; and what filters cost. */
export async function searchFigures(): Promise<Figure[]> {
  const db = await openDatabase('bench-search')
  const random = seeded(5)
  const ids = Array.from({ length: SESSIONS }, (_, session) => `search-${session}`)
  for (const [session, id] of ids.entries())
    await importSession(db, headerOf(id), messagesOf(session, random))
  const find = async (typed: string, limit: number): Promise<SearchWork> => {
    const work = await searchSessions(db, parseQuery(typed), () => {}, { limit })
    if (work.hits === 0) throw new Error(`nothing found for ${typed}`)
    return work
  }
  const common = `${wordOf(200)} `
  const scanned = median(await time(3, () => find('needle ', 100)))
  const first = median(await time(3, () => find(common, 20)))
  await fillFilters(db, ids)
  const filtered = median(await time(3, () => find('needle ', 100)))
  const { skipped, chunks } = await find('needle ', 100)
  const { filters, text } = await sizesOf(db)
  db.close()
  const store = `${Math.round(text / 1e6)} MB store`
  return [
    figure(
      `first hit in a ${store}, a word said once, at the far end, beside a second`,
      scanned,
      1000,
      1,
    ),
    figure(`first twenty hits of a common word in it, beside a second`, first, 1000, 1 / 4),
    figure(
      `the word said once, with filters (${skipped} segments passed over, ${chunks} texts read), beside without`,
      filtered,
      scanned,
      1 / 2,
    ),
    figure(`filters of that store, beside its text`, filters, text, 0.12, 'bytes'),
  ]
}
