/**
 * Search over all sessions: a scan, newest first. Chunks of bodies are looked at as stored, as one text,
 * and only the events of those that may match are parsed. Runs in a worker; hits stream in.
 */

import type { Seq, SessionEvent } from '../core/event'
import { createHistory } from '../core/history'
import { isText, isToolUse, textOf } from '../core/message'
import type { Database, Tables } from './db'
import { KEY, readWriter } from './events'
import { DamagedRow, guarded } from './failure'
import { readHeads } from './heads'
import type { SessionRow } from './rows'
import {
  isEmptyQuery,
  matchText,
  mayMatch,
  type SearchKind,
  type SearchQuery,
  snippetOf,
} from './search-query'
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

/** What the work was: for tests, which assert amounts and not times. */
export type SearchWork = { sessions: number; chunks: number; parsed: number; hits: number }

export type SearchOptions = {
  signal?: AbortSignal
  /** Hits are found newest first; the search ends when it has this many. */
  limit?: number
}

type Readable = { kind: SearchKind; tool?: string; text: string }

/** What of an event can be found; nothing for those that say nothing. */
function readableOf(event: SessionEvent): Readable | null {
  switch (event.type) {
    case 'user/message': {
      const kind = event.data.source.kind === 'checkpoint' ? 'summary' : 'user'
      return { kind, text: textOf(event.data.content) }
    }
    case 'assistant/message': {
      const lines = event.data.content.map((block) => {
        if (isText(block)) return block.text
        return isToolUse(block) ? `${block.name} ${JSON.stringify(block.input)}` : ''
      })
      return { kind: 'assistant', text: lines.filter((line) => line !== '').join('\n') }
    }
    case 'tool/call':
      return { kind: 'call', tool: event.data.name, text: JSON.stringify(event.data.input) }
    case 'tool/result':
      return { kind: 'result', tool: event.data.name, text: textOf(event.data.content) }
    default:
      return null
  }
}

function hitOf(query: SearchQuery, row: SessionRow, event: SessionEvent): SearchHit | null {
  if (query.after !== undefined && event.time < query.after) return null
  if (query.before !== undefined && event.time >= query.before) return null
  const readable = readableOf(event)
  if (!readable) return null
  const { kind, tool, text } = readable
  // A call is found in the reply that made it, unless calls are what is asked for.
  const kinds = query.kinds.length > 0 ? query.kinds : DEFAULT_KINDS
  const wanted = query.tools.length > 0 && query.kinds.length === 0 ? TOOL_KINDS : kinds
  if (!wanted.includes(kind)) return null
  if (query.tools.length > 0 && !query.tools.includes((tool ?? '').toLowerCase())) return null
  const at = matchText(query, text)
  if (at < 0) return null
  const { id: sessionId, title } = row
  const named = tool === undefined ? {} : { tool }
  const snippet = snippetOf(text, at)
  return { sessionId, title, seq: event.seq, time: event.time, kind, ...named, snippet }
}

const DEFAULT_KINDS: SearchKind[] = ['user', 'assistant', 'result', 'summary']
const TOOL_KINDS: SearchKind[] = ['call', 'result']

type Texts = { seq: Seq; text: string }[]

/** Stored texts of a session, newest first, a chunk at a time. What is damaged is passed over. */
async function* chunksOf(
  tables: Tables,
  sessionId: string,
): AsyncGenerator<{ whole: string; texts(): Texts }> {
  const writer = await readWriter(tables, sessionId)
  const fresh = await tables.fresh
    .where(KEY)
    .between([sessionId, writer.sealed], [sessionId, Number.MAX_SAFE_INTEGER])
    .toArray()
  const sound = fresh.flatMap((row) => {
    try {
      return [{ seq: row.seq, text: freshText(sessionId, row.seq, row) }]
    } catch {
      return []
    }
  })
  yield { whole: sound.map(({ text }) => text).join('\n'), texts: () => sound.reverse() }
  const keys = await tables.bodies
    .where(KEY)
    .between([sessionId, 0], [sessionId, writer.sealed])
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

/** Whether a node is one the model no longer sees; reads heads once, when first asked. */
function createShadows(tables: Tables, sessionId: string) {
  let known: Promise<(seq: Seq) => boolean> | undefined
  const load = async () => {
    const { heads } = await readHeads(tables, sessionId, 0)
    const history = createHistory(heads)
    return (seq: Seq) => history.replacementOf(seq, heads.length - 1) !== null
  }
  return async (seq: Seq) => {
    known ??= load()
    return (await known)(seq)
  }
}

async function* hitsIn(
  tables: Tables,
  row: SessionRow,
  query: SearchQuery,
  work: SearchWork,
): AsyncGenerator<SearchHit | null> {
  const may = mayMatch(query)
  const isShadowed = createShadows(tables, row.id)
  for await (const { whole, texts } of chunksOf(tables, row.id)) {
    work.chunks += 1
    if (!may(whole)) {
      // A place to stop at, also where nothing is found.
      yield null
      continue
    }
    for (const { seq, text } of texts()) {
      if (!may(text)) continue
      work.parsed += 1
      const hit = hitOf(query, row, openText(row.id, seq, text))
      if (hit && (!query.shadowed || (await isShadowed(seq)))) yield hit
    }
  }
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
  const work: SearchWork = { sessions: 0, chunks: 0, parsed: 0, hits: 0 }
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
