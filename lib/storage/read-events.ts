/** Events by seq: sealed ones out of the chunks that hold them, fresh ones singly. */

import type { Seq, SessionEvent } from '../core/event'
import type { Tables } from './db'
import { KEY, readLength, readWriter } from './events'
import type { BodiesRow, WriterRow } from './rows'
import { missingRow, openBodies, openFresh, openLine } from './segments'

/** Where chunks of bodies begin, up to `sealed`. Sealed ranges never change, so it only grows. */
export type Directory = {
  sealed: Seq
  starts: Seq[]
  /** Chunks asked for before anybody wants them, see `readAhead`; undefined where that failed. */
  ahead: Map<Seq, Promise<BodiesRow | undefined>>
  /** The last chunk of the newest read. */
  last: Seq
}

export const emptyDirectory = (): Directory => ({
  ...{ sealed: 0, starts: [], ahead: new Map(), last: -1 },
})

/** Chunks read ahead, and how many a request asks for: those of one come one after the other, requests side by side. */
const AHEAD = 32
const REQUEST = 8

/**
 * Reads on where a log is read from one end to the other, so that the next chunks come in while the last
 * ones are parsed. Sealed ranges never change, so what was read early is what would be read later.
 */
function readAhead(tables: Tables, sessionId: string, directory: Directory): void {
  const { starts, ahead, last } = directory
  const from = placeOf(starts, last)
  let next = from
  while (ahead.has(starts[next] ?? -1)) next += 1
  for (; next < starts.length && next - from <= AHEAD - REQUEST; next += REQUEST) {
    const asked = starts.slice(next, next + REQUEST)
    // A read that fails is made again, and told of, when it is asked for.
    const rows = tables.bodies
      .where(KEY)
      .between([sessionId, asked[0]], [sessionId, asked.at(-1)], true, true)
      .toArray()
      .catch((): BodiesRow[] => [])
    const rowAt = async (start: Seq) => (await rows).find(({ seq }) => seq === start)
    for (const start of asked) ahead.set(start, rowAt(start))
  }
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
  { ahead, starts, sealed }: Directory,
): Promise<SessionEvent[] | null> {
  if (ahead.size === 0) return null
  if (!seqs.every((seq) => Number.isInteger(seq) && seq >= 0 && seq < sealed)) return null
  const wanted = chunksOf(starts, seqs)
  if (!wanted.every((start) => ahead.has(start))) return null
  const rows = new Map<Seq, BodiesRow>()
  for (const start of wanted) {
    const row = await ahead.get(start)
    if (!row) return null
    rows.set(start, row)
  }
  return openSealed(sessionId, seqs, starts, rows)
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

/** Where the chunks that hold these begin, each once. */
function chunksOf(starts: readonly Seq[], seqs: readonly Seq[]): Seq[] {
  const found = new Set<Seq>()
  let place = -1
  for (const seq of seqs) {
    const isSame = place >= 0 && seq >= starts[place]! && !(seq >= starts[place + 1]!)
    if (isSame) continue
    place = placeOf(starts, seq)
    found.add(starts[place] ?? seq)
  }
  return [...found]
}

/** Lines of chunks that are kept: where two reads meet in one it is checked and cut once. */
const opened = new WeakMap<BodiesRow, string[]>()

function linesOf(sessionId: string, row: BodiesRow): string[] {
  const lines = opened.get(row) ?? openBodies(sessionId, row.seq, row)
  opened.set(row, lines)
  return lines
}

/** Sealed events in the order asked for, out of the rows of their chunks. Throws `DamagedRow`. */
function openSealed(
  sessionId: string,
  seqs: readonly Seq[],
  starts: readonly Seq[],
  rows: ReadonlyMap<Seq, BodiesRow | undefined>,
): SessionEvent[] {
  const rowOf = (seq: Seq): BodiesRow => {
    const row = rows.get(chunkOf(starts, seq))
    if (row && seq < row.end) return row
    throw missingRow(sessionId, seq)
  }
  let row: BodiesRow | null = null
  let lines: string[] = []
  return seqs.map((seq) => {
    if (!row || seq < row.seq || seq >= row.end) {
      row = rowOf(seq)
      lines = linesOf(sessionId, row)
    }
    return openLine(sessionId, seq, lines[seq - row.seq] as string, row)
  })
}

async function readSealed(
  tables: Tables,
  sessionId: string,
  seqs: readonly Seq[],
  { starts }: Directory,
): Promise<SessionEvent[]> {
  const wanted = chunksOf(starts, seqs)
  const rows = await tables.bodies.bulkGet(
    wanted.map((start): [string, number] => [sessionId, start]),
  )
  return openSealed(sessionId, seqs, starts, new Map(wanted.map((start, at) => [start, rows[at]])))
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
  const events =
    (await readKept(sessionId, seqs, directory)) ??
    (await readAsked(tables, sessionId, seqs, directory))
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
    if (rows.includes(undefined) || inside.length + outside.length < seqs.length) {
      const length = await readLength(tables, writer)
      const missing = seqs.find((seq) => !(seq >= 0 && seq < length && Number.isInteger(seq)))
      if (missing !== undefined) {
        return new RangeError(`session ${sessionId} of ${length} events has no event ${missing}`)
      }
    }
    const fresh = outside.map((seq, at) => openFresh(sessionId, seq, rows[at]))
    if (fresh.length === 0) return sealed
    const found = [sealed.values(), fresh.values()] as const
    return seqs.map((seq) => found[seq < writer.sealed ? 0 : 1].next().value as SessionEvent)
  })
