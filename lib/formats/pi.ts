/**
 * pi and OpenClaw, versions 1 to 3: JSONL whose entries form a tree by id and parentId (version 1: a line).
 * The leaf is the last entry. A compaction names the first entry it kept, which need not be a message.
 */

import type { JsonObject } from '../core/message'
import { type ForeignFile, type Part, type Place, type Row, UnreadableFile } from './foreign'
import { isRow, rowOf, textOf, timeOf } from './json'
import { type Entry, FORMAT, takeEntry, type Writing } from './pi-take'
import type { Remark } from './report'
import { createShelf, readRowRuns, type Shelf } from './rows'
import { createSessions } from './session'
import { NotStraight, readStraight } from './straight'
import { planTree } from './tree'

const NEWEST = 3

const SPEAKS = new Set(['message', 'custom_message', 'branch_summary'])

function entryOf(row: Row, value: JsonObject): Entry {
  const { index, line, nth, at, bytes, damaged } = row
  const speaks = SPEAKS.has(textOf(value.type) ?? '')
  return {
    index,
    line,
    nth,
    at,
    bytes,
    damaged,
    id: textOf(value.id),
    parent: textOf(value.parentId),
    speaks,
  }
}

/** What is known of a file by its rows: its header, and what each entry is, and where. */
type Catalogue = {
  header: JsonObject
  readonly entries: Entry[]
  /** Index of the row of every id; the last one, where it comes again. */
  readonly indexOf: Map<string, number>
  /** Another entry had the id of one before. */
  repeats: boolean
  /** Null for a row that is no entry. */
  take(row: Row): Entry | null
}

function createCatalogue(keep: (at: Place, reason: string) => void): Catalogue {
  const catalogue: Catalogue = {
    header: {},
    entries: [],
    indexOf: new Map(),
    repeats: false,
    take(row) {
      const { entries, indexOf } = catalogue
      if (!isRow(row.value)) {
        keep(row, 'it is no row of this format')
        return null
      }
      if (row.value.type === 'session') {
        takeHeader(row, row.value)
        return null
      }
      const entry = entryOf(row, row.value)
      if (entry.id !== undefined) {
        catalogue.repeats ||= indexOf.has(entry.id)
        indexOf.set(entry.id, entry.index)
      }
      entries.push(entry)
      return entry
    },
  }
  function takeHeader(row: Row, value: JsonObject): void {
    if (catalogue.entries.length === 0) catalogue.header = value
    keep(row, 'the header of the session')
    const { version } = value
    if (typeof version === 'number' && version > NEWEST) {
      const message = `This looks like a pi session, but of version ${version}; versions up to ${NEWEST} can be read.`
      throw new UnreadableFile('L6', message)
    }
  }
  return catalogue
}

async function* write(
  writing: Writing,
  shelf: Shelf,
  entries: readonly Entry[],
): AsyncGenerator<Part> {
  for (const entry of entries) {
    const found = shelf.get(entry)
    await takeEntry(writing, entry, rowOf(found instanceof Promise ? await found : found))
    if (writing.builder.isFull()) yield* writing.builder.drain()
  }
  yield* writing.builder.finish()
}

/** Parents as positions; broken links go to the entry before, which is said in `mended`. */
function linked(entries: readonly Entry[], mended: Remark[]) {
  const byId = new Map<string, number>()
  return entries.map((entry, at) => {
    const found = entry.parent === undefined ? undefined : byId.get(entry.parent)
    if (found === undefined && entry.parent !== undefined) {
      mended.push({
        line: entry.line,
        reason: 'its parent is not in the file before it: it follows the entry before',
      })
    }
    if (entry.id !== undefined) byId.set(entry.id, at)
    return { parent: found ?? at - 1, speaks: entry.speaks, bytes: entry.bytes }
  })
}

const planOf = (entries: readonly Entry[], mended: Remark[]) =>
  planTree(linked(entries, mended), entries.length - 1)

const beginningOf = ({ header }: Catalogue, id: string | undefined) => ({
  format: FORMAT,
  id,
  createdAt: timeOf(header.timestamp),
  toolVersion: `session version ${String(header.version ?? 1)}`,
})

/** Any file: once for its outlines, once for what is said. */
async function* readPlanned(file: ForeignFile): AsyncGenerator<Part> {
  const sessions = createSessions(file)
  const catalogue = createCatalogue(sessions.keep)
  const shelf = createShelf(file)
  for await (const run of readRowRuns(file, { outline: true })) {
    for (const row of run) catalogue.take(row)
  }
  const { header, entries, indexOf } = catalogue
  const plan = planOf(entries, file.report.mended)
  const pick = (path: number[]) => path.flatMap((at) => entries[at] ?? [])
  const main = sessions.begin(beginningOf(catalogue, textOf(header.id)))
  yield main.opened
  const common = { file, indexOf, entries }
  yield* write({ ...common, builder: main.builder, first: null }, shelf, pick(plan.shown))
  const onPath = new Set(pick(plan.shown))
  for (const branch of plan.branches.map(pick)) {
    const fork = branch.findIndex((entry) => !onPath.has(entry))
    const own = branch[fork]
    if (!own) continue
    const shared = new Set(branch.slice(0, fork).map(({ index }) => index))
    const end = main.builder.rows.findIndex(
      ({ first, last }) => !shared.has(first) || !shared.has(last),
    )
    const seq = (end < 0 ? main.builder.rows.length : end) - 1
    const id = `${main.header.id}-${own.id ?? own.index}`
    const parent = seq < 0 ? undefined : { id: main.header.id, seq }
    const made = sessions.begin({ ...beginningOf(catalogue, id), parent })
    yield made.opened
    yield* write({ ...common, builder: made.builder, first: null }, shelf, branch)
  }
  for (const entry of entries)
    sessions.keep(entry, 'it belongs to none of the conversations that were read')
}

/** What a compaction kept stands before it in nearly every file; where it comes later is known at the end. */
const namesLater = ({ type, firstKeptEntryId }: JsonObject, { indexOf }: Catalogue): boolean =>
  type === 'compaction' && typeof firstKeptEntryId === 'string' && !indexOf.has(firstKeptEntryId)

/** A file that is one line of entries, in one pass: that it is one is known at its end. */
async function* readEntries(file: ForeignFile): AsyncGenerator<Part> {
  const { report } = file
  const { repaired } = report
  const sessions = createSessions(file)
  const kept: Remark[] = []
  const catalogue = createCatalogue((at, reason) => sessions.keep(at, reason, kept))
  const { entries, indexOf } = catalogue
  let writing: Writing | null = null
  const begin = () => sessions.begin(beginningOf(catalogue, textOf(catalogue.header.id)))
  for await (const run of readRowRuns(file)) {
    for (const row of run) {
      const value = rowOf(row.value)
      if (value.type === 'session' && writing) throw new NotStraight()
      const entry = catalogue.take(row)
      if (!entry) continue
      if (!writing) {
        const { builder, opened } = begin()
        writing = { file, builder, indexOf, entries, first: null }
        yield opened
      }
      if (namesLater(value, catalogue)) throw new NotStraight()
      const taking = takeEntry(writing, entry, value)
      if (taking instanceof Promise) await taking
      if (writing.builder.isFull()) yield* writing.builder.drain()
    }
    // What a shelf would not ask for is not repaired, and which of two entries an id means is known at the end.
    if (report.repaired > repaired || catalogue.repeats) throw new NotStraight()
  }
  const mended: Remark[] = []
  if (planOf(entries, mended).shown.length < entries.length) throw new NotStraight()
  report.kept = [...kept, ...report.kept]
  report.mended = [...mended, ...report.mended]
  if (writing) return yield* writing.builder.finish()
  const { builder, opened } = begin()
  yield opened
  yield* builder.finish()
}

export const readPi = (file: ForeignFile): AsyncGenerator<Part> =>
  readStraight(file, readEntries, readPlanned)
