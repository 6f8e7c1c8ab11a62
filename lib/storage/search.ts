/**
 * Search over all sessions: a scan, newest first. Segments whose filters say no are passed over; chunks of
 * bodies are looked at as stored, as one text, and only the events of those that may match are parsed. Runs
 * in a worker; hits stream in.
 */

import type { Seq, SessionEvent } from '../core/event'
import { growHistory } from '../core/history'
import type { Database, Tables } from './db'
import { freshFrom, KEY, readWriter } from './events'
import { DamagedRow, guarded } from './failure'
import { placesOf } from './filters'
import { readHeads } from './heads'
import type { SessionRow } from './rows'
import { mayHold } from './search-filter'
import {
  isEmptyQuery,
  kindsWanted,
  matchText,
  mayMatch,
  type SearchKind,
  type SearchQuery,
  snippetOf,
} from './search-query'
import { readableOf } from './search-text'
import { freshText, openBodies, openText } from './segments'
import { listSessions } from './sessions'

export type SearchHit = {
  sessionId: string
  title: string
  seq: Seq
  time: number
  kind: SearchKind
  tool?: string
  snippet: string
}

/**
 * What the work was: for tests, which assert amounts and not times. `skipped`: segments passed over by their
 * filters; `chunks`: stored texts looked at; `parsed`: events.
 */
export type SearchWork = {
  sessions: number
  skipped: number
  chunks: number
  parsed: number
  hits: number
}

export type SearchOptions = {
  signal?: AbortSignal
  /** Hits are found newest first; the search ends when it has this many. */
  limit?: number
}

function hitOf(query: SearchQuery, row: SessionRow, event: SessionEvent): SearchHit | null {
  if (query.after !== undefined && event.time < query.after) return null
  if (query.before !== undefined && event.time >= query.before) return null
  const readable = readableOf(event)
  if (!readable) return null
  const { kind, tool, text } = readable
  if (!kindsWanted(query).includes(kind)) return null
  if (query.tools.length > 0 && !query.tools.includes((tool ?? '').toLowerCase())) return null
  const at = matchText(query, text)
  if (at < 0) return null
  const { id: sessionId, title } = row
  const named = tool === undefined ? {} : { tool }
  const snippet = snippetOf(text, at)
  return { sessionId, title, seq: event.seq, time: event.time, kind, ...named, snippet }
}

type Texts = { seq: Seq; text: string }[]
type Chunk = { whole: string; texts(): Texts }

/** The fresh events as one chunk, and how far the session is sealed, as of one moment. */
const readFresh = (tables: Tables, sessionId: string): Promise<{ chunk: Chunk; sealed: Seq }> =>
  tables.transaction('r', tables.writers, tables.fresh, async () => {
    const { sealed } = await readWriter(tables, sessionId)
    const rows = await freshFrom(tables, sessionId, sealed).toArray()
    const sound = rows.flatMap((row) => {
      try {
        return [{ seq: row.seq, text: freshText(sessionId, row.seq, row) }]
      } catch {
        return []
      }
    })
    const whole = sound.map(({ text }) => text).join('\n')
    return { chunk: { whole, texts: () => sound.reverse() }, sealed }
  })

/**
 * Stored texts of a session, newest first, a chunk at a time; null where a segment was passed over because
 * its filter says that it holds nothing.
 */
async function* chunksOf(
  tables: Tables,
  sessionId: string,
  may: ReturnType<typeof mayHold>,
): AsyncGenerator<Chunk | null> {
  const { chunk, sealed } = await readFresh(tables, sessionId)
  yield chunk
  for await (const { seq, end, filter } of placesOf(tables, sessionId, sealed)) {
    if (filter && !may(filter)) {
      yield null
      continue
    }
    const keys = await tables.bodies
      .where(KEY)
      .between([sessionId, seq], [sessionId, end])
      .reverse()
      .primaryKeys()
    for (const key of keys) {
      const row = await tables.bodies.get(key)
      if (typeof row?.text !== 'string') continue
      const texts = (): Texts =>
        openBodies(sessionId, row.seq, row)
          .map((text, at) => ({ seq: row.seq + at, text }))
          .reverse()
      yield { whole: row.text, texts }
    }
  }
}

/** Whether a node is one the model no longer sees; reads heads once, when first asked. */
function createShadows(tables: Tables, sessionId: string) {
  let known: Promise<(seq: Seq) => boolean> | undefined
  const load = async () => {
    const history = growHistory()
    await readHeads(tables, sessionId, 0, (heads) => heads.every((head) => history.push(head).ok))
    return (seq: Seq) => history.replacementOf(seq, history.heads.length - 1) !== null
  }
  return async (seq: Seq) => {
    known ??= load()
    return (await known)(seq)
  }
}

/** Null: a place to stop at, also where nothing is found. */
async function* hitsIn(
  tables: Tables,
  row: SessionRow,
  query: SearchQuery,
  work: SearchWork,
): AsyncGenerator<SearchHit | null> {
  const may = mayMatch(query)
  const isShadowed = createShadows(tables, row.id)
  const hitsOf = async (chunk: Chunk): Promise<SearchHit[]> => {
    const hits: SearchHit[] = []
    for (const { seq, text } of chunk.texts()) {
      if (!may(text)) continue
      work.parsed += 1
      const hit = hitOf(query, row, openText(row.id, seq, text))
      if (hit && (!query.shadowed || (await isShadowed(seq)))) hits.push(hit)
    }
    return hits
  }
  for await (const chunk of chunksOf(tables, row.id, mayHold(query))) {
    if (chunk) work.chunks += 1
    else work.skipped += 1
    yield null
    if (chunk && may(chunk.whole)) yield* await hitsOf(chunk).catch(noneIfDamaged)
  }
}

/** Damage ends its chunk, not the session. */
function noneIfDamaged(error: unknown): SearchHit[] {
  if (error instanceof DamagedRow) return []
  throw error
}

/**
 * Searches every session but the trash, the newest first. A damaged session gives what it can. Ends early
 * when `signal` aborts or `limit` is reached; rejects with `JournalError`.
 */
export async function searchSessions(
  db: Database,
  query: SearchQuery,
  onHit: (hit: SearchHit) => void,
  { signal, limit = 200 }: SearchOptions = {},
): Promise<SearchWork> {
  const work: SearchWork = { sessions: 0, skipped: 0, chunks: 0, parsed: 0, hits: 0 }
  if (isEmptyQuery(query)) return work
  await guarded('search', async () => {
    const { sessions } = await listSessions(db)
    for (const row of sessions) {
      if (query.after !== undefined && row.updatedAt < query.after) break
      work.sessions += 1
      try {
        for await (const hit of hitsIn(db.relaxed, row, query, work)) {
          if (signal?.aborted) return
          if (!hit) continue
          onHit(hit)
          work.hits += 1
          if (work.hits >= limit) return
        }
      } catch (error) {
        if (!(error instanceof DamagedRow)) throw error
      }
    }
  })
  return work
}
