/** Events by seq: sealed ones out of the chunks that hold them, fresh ones singly. */

import type { Seq, SessionEvent } from '../core/event'
import type { Tables } from './db'
import { KEY, readLength, readWriter } from './events'
import type { BodiesRow, WriterRow } from './rows'
import { openBodies, openFresh, openText } from './segments'

/** Where chunks of bodies begin, up to `sealed`. Sealed ranges never change, so it only grows. */
export type Directory = {
  sealed: Seq
  starts: Seq[]
  /** Chunks that were read before anybody asked, see `readAhead`. */
  ahead: Map<Seq, BodiesRow>
  coming: Promise<void> | null
  /** The last chunk of the newest read. */
  last: Seq
}

export const emptyDirectory = (): Directory => ({
  ...{ sealed: 0, starts: [], ahead: new Map(), coming: null, last: -1 },
})

/** Chunks read ahead at once; some more are asked for when half of them are used. */
const AHEAD = 16

/**
 * Reads on where a log is read from one end to the other, so that the next chunks come in while the last
 * ones are parsed. Sealed ranges never change, so what was read early is what would be read later.
 */
function readAhead(tables: Tables, sessionId: string, directory: Directory): void {
  const { starts, ahead, last } = directory
  const from = placeOf(starts, last)
  let next = from
  while (ahead.has(starts[next] ?? -1)) next += 1
  if (directory.coming || next >= starts.length || next - from > AHEAD / 2) return
  const range = [
    [sessionId, starts[next] as Seq],
    [sessionId, directory.sealed],
  ]
  const take = async () => {
    const rows = await tables.bodies.where(KEY).between(range[0], range[1]).limit(AHEAD).toArray()
    for (const row of rows) ahead.set(row.seq, row)
  }
  // A read that fails is made again, and told of, when it is asked for.
  directory.coming = take()
    .catch(() => {})
    .finally(() => {
      directory.coming = null
    })
}

/** Notes which chunks a read took, and reads on where it went on from the one before. */
function follow(
  tables: Tables,
  sessionId: string,
  directory: Directory,
  seqs: readonly Seq[],
): void {
  const { starts, ahead, last: to } = directory
  const first = chunkOf(
    starts,
    seqs.reduce((a, b) => Math.min(a, b)),
  )
  const last = chunkOf(
    starts,
    seqs.reduce((a, b) => Math.max(a, b)),
  )
  const next = starts[placeOf(starts, to) + 1]
  directory.last = last
  if (first === to && last === to) return
  const goesOn = to >= 0 && last > to && (first === to || first === next)
  if (!goesOn) {
    ahead.clear()
    return
  }
  for (const start of ahead.keys()) if (start < last) ahead.delete(start)
  readAhead(tables, sessionId, directory)
}

/** Sealed events that were read ahead; null where not all of them were. */
async function readKept(
  sessionId: string,
  seqs: readonly Seq[],
  directory: Directory,
): Promise<Map<Seq, SessionEvent> | null> {
  const { ahead, starts, sealed } = directory
  if (ahead.size === 0 && !directory.coming) return null
  if (!seqs.every((seq) => Number.isInteger(seq) && seq >= 0 && seq < sealed)) return null
  const wanted = byChunk(starts, seqs)
  const has = () => [...wanted.keys()].every((start) => ahead.has(start))
  if (!has()) await directory.coming
  return has() ? openWanted(sessionId, wanted, (start) => ahead.get(start)) : null
}

async function refresh(
  tables: Tables,
  { sessionId, sealed }: WriterRow,
  directory: Directory,
): Promise<void> {
  if (directory.sealed === sealed) return
  const grown = directory.sealed < sealed ? directory : emptyDirectory()
  if (grown !== directory) directory.ahead.clear()
  const keys = await tables.bodies
    .where(KEY)
    .between([sessionId, grown.sealed], [sessionId, sealed])
    .primaryKeys()
  directory.starts = [...grown.starts, ...keys.map(([, seq]) => seq)]
  directory.sealed = sealed
}

/** Where the chunk that holds a seq stands: the last start not above it; -1 before the first. */
function placeOf(starts: readonly Seq[], seq: Seq): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] as Seq) <= seq) low = middle + 1
    else high = middle
  }
  return low - 1
}

const chunkOf = (starts: readonly Seq[], seq: Seq): Seq => starts[placeOf(starts, seq)] ?? seq

/** Seqs by the chunk that holds them. */
function byChunk(starts: readonly Seq[], seqs: readonly Seq[]): Map<Seq, Seq[]> {
  const wanted = new Map<Seq, Seq[]>()
  for (const seq of new Set(seqs)) {
    const start = chunkOf(starts, seq)
    const inChunk = wanted.get(start)
    if (inChunk) inChunk.push(seq)
    else wanted.set(start, [seq])
  }
  return wanted
}

/** Lines of chunks that are kept: where two reads meet in one it is checked and cut once. */
const opened = new WeakMap<BodiesRow, string[]>()

/** Opens the wanted events of the chunks that `rowOf` knows. Throws `DamagedRow`. */
function openWanted(
  sessionId: string,
  wanted: ReadonlyMap<Seq, readonly Seq[]>,
  rowOf: (start: Seq) => BodiesRow | undefined,
): Map<Seq, SessionEvent> {
  const events = new Map<Seq, SessionEvent>()
  for (const [start, asked] of wanted) {
    const row = rowOf(start)
    const here = row !== undefined && asked.every((seq) => seq < row.end)
    const known = here ? opened.get(row) : undefined
    const lines =
      known ?? openBodies(sessionId, here ? start : (asked[0] as Seq), here ? row : undefined)
    if (here) opened.set(row, lines)
    for (const seq of asked) events.set(seq, openText(sessionId, seq, lines[seq - start] as string))
  }
  return events
}

async function readSealed(
  tables: Tables,
  sessionId: string,
  seqs: readonly Seq[],
  directory: Directory,
): Promise<Map<Seq, SessionEvent>> {
  const wanted = byChunk(directory.starts, seqs)
  const starts = [...wanted.keys()]
  const rows = await tables.bodies.bulkGet(
    starts.map((start): [string, number] => [sessionId, start]),
  )
  const found = new Map(starts.map((start, at) => [start, rows[at]]))
  return openWanted(sessionId, wanted, (start) => found.get(start))
}

/**
 * Events by seq, in the order asked for; an error instead where the log does not hold one of them, which
 * is the caller's mistake and no failure of storage. Rejects with `DamagedRow` for one that is damaged.
 */
export async function readEvents(
  tables: Tables,
  sessionId: string,
  seqs: readonly Seq[],
  directory: Directory,
): Promise<SessionEvent[] | RangeError> {
  const kept = await readKept(sessionId, seqs, directory)
  const events = kept
    ? seqs.map((seq) => kept.get(seq) as SessionEvent)
    : await readAsked(tables, sessionId, seqs, directory)
  const isSealed = seqs.every((seq) => seq < directory.sealed)
  if (isSealed && !(events instanceof RangeError)) follow(tables, sessionId, directory, seqs)
  return events
}

const readAsked = (
  tables: Tables,
  sessionId: string,
  seqs: readonly Seq[],
  directory: Directory,
): Promise<SessionEvent[] | RangeError> =>
  tables.transaction('r', [tables.writers, tables.bodies, tables.fresh], async () => {
    const writer = await readWriter(tables, sessionId)
    const inside = seqs.filter((seq) => seq < writer.sealed && seq >= 0 && Number.isInteger(seq))
    const outside = seqs.filter((seq) => !(seq < writer.sealed && seq >= 0))
    if (inside.length > 0) await refresh(tables, writer, directory)
    const [sealed, rows] = await Promise.all([
      readSealed(tables, sessionId, inside, directory),
      tables.fresh.bulkGet(outside.map((seq): [string, number] => [sessionId, seq])),
    ])
    const fresh = new Map(outside.map((seq, at) => [seq, rows[at]]))
    if (rows.includes(undefined) || inside.length + outside.length < seqs.length) {
      const length = await readLength(tables, writer)
      const missing = seqs.find((seq) => !(seq >= 0 && seq < length && Number.isInteger(seq)))
      if (missing !== undefined) {
        return new RangeError(`session ${sessionId} of ${length} events has no event ${missing}`)
      }
    }
    // A structured clone for one asked twice is not needed: each is parsed from its text.
    return seqs.map((seq) => sealed.get(seq) ?? openFresh(sessionId, seq, fresh.get(seq)))
  })
