/** Filters of segments in the database: made when a segment is sealed, else after the first search. */

import type { Seq } from '../core/event'
import type { Database, Tables } from './db'
import { eachSealed, KEY, readWriter } from './events'
import { DamagedRow, guarded } from './failure'
import type { FilterRow } from './rows'
import { createFilter, isSound } from './search-filter'
import { openText } from './segments'

/** A segment by its place, with its filter where there is a sound one. */
export type Place = { seq: Seq; end: Seq; filter: FilterRow | null }

/** The segments of a session up to `sealed`, newest first. */
export async function* placesOf(
  tables: Tables,
  sessionId: string,
  sealed: Seq,
): AsyncGenerator<Place> {
  const range = [sessionId, 0] as const
  const keys = await tables.segments
    .where(KEY)
    .between([...range], [sessionId, sealed])
    .primaryKeys()
  // A segment that is missing is looked at as part of the one before it.
  const starts =
    keys[0]?.[1] === 0 ? keys.map(([, seq]) => seq) : [0, ...keys.map(([, seq]) => seq)]
  for (let at = starts.length - 1, end = sealed; at >= 0 && end > 0; at--) {
    const seq = starts[at] as Seq
    const row = await tables.filters.get([sessionId, seq])
    yield { seq, end, filter: isSound(row, end) ? row : null }
    end = seq
  }
}

/** The filter of events `seq` to `end` (exclusive); null where one of them is damaged. */
async function makeFilter(
  tables: Tables,
  sessionId: string,
  seq: Seq,
  end: Seq,
): Promise<FilterRow | null> {
  const filter = createFilter()
  try {
    await eachSealed(tables, sessionId, seq, end, (at, text) =>
      filter.add(openText(sessionId, at, text)),
    )
  } catch (error) {
    if (error instanceof DamagedRow) return null
    throw error
  }
  return filter.row(sessionId, seq, end)
}

/** Keeps a filter if its segment is still the one it was made of. */
const keepFilter = (tables: Tables, filter: FilterRow, sum: number): Promise<boolean> =>
  tables.transaction('rw', tables.segments, tables.filters, async () => {
    const segment = await tables.segments.get([filter.sessionId, filter.seq])
    if (segment?.sum !== sum || segment.end !== filter.end) return false
    await tables.filters.put(filter)
    return true
  })

/**
 * Makes the filters that are missing in these sessions; answers how many. For a worker: it reads and parses
 * whole segments. Ends early when `signal` aborts.
 */
export async function fillFilters(
  db: Database,
  sessionIds: readonly string[],
  signal?: AbortSignal,
): Promise<number> {
  const tables = db.relaxed
  let made = 0
  for (const sessionId of sessionIds) {
    await guarded('prepare the search', async () => {
      const { sealed } = await readWriter(tables, sessionId)
      for await (const { seq, end, filter } of placesOf(tables, sessionId, sealed)) {
        if (signal?.aborted) return
        if (filter) continue
        const segment = await tables.segments.get([sessionId, seq])
        const missing = segment && (await makeFilter(tables, sessionId, seq, end))
        if (missing && (await keepFilter(tables, missing, segment.sum))) made += 1
      }
    })
  }
  return made
}
