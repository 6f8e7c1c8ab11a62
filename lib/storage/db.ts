/**
 * The database: every table, its keys and indexes. The only file that names them; the rest of the room
 * goes through `Tables`. Shapes of rows, and the door they are read through, are in rows.ts.
 */

import { Dexie, type Table } from 'dexie'
import { JournalError } from '../ports'
import { toJournalError } from './failure'
import { createFeed, type Feed } from './feed'
import type {
  BlobRow,
  BlobUseRow,
  BodiesRow,
  DraftRow,
  FileRow,
  FilterRow,
  FreshRow,
  QueueRow,
  RawFileRow,
  RawMapRow,
  RawPieceRow,
  SegmentRow,
  SessionRow,
  SettingRow,
  StoredStreamRow,
  WriterRow,
} from './rows'
import { upgradeEvents } from './upgrade'

const DATABASE_NAME = 'palimpsest'

export type Tables = Dexie & {
  sessions: Table<SessionRow, string>
  writers: Table<WriterRow, string>
  /** Events not sealed yet. This and the next two are reached through events.ts alone. */
  fresh: Table<FreshRow, [string, number]>
  segments: Table<SegmentRow, [string, number]>
  bodies: Table<BodiesRow, [string, number]>
  /** Of segments; made from them, and never missed. Reached through search-filter.ts and filters.ts alone. */
  filters: Table<FilterRow, [string, number]>
  blobs: Table<BlobRow, string>
  /** Which session uses which blob; a blob without users is deleted. */
  blobUses: Table<BlobUseRow, [string, string]>
  drafts: Table<DraftRow, string>
  queue: Table<QueueRow, [string, string]>
  streams: Table<StoredStreamRow, string>
  files: Table<FileRow, [string, string]>
  settings: Table<SettingRow, string>
  /** Originals of imported files. This and the next two are reached through raw.ts alone. */
  rawFiles: Table<RawFileRow, string>
  rawPieces: Table<RawPieceRow, [string, number]>
  /** Which session came from which original, and its side table (T1). */
  rawMaps: Table<RawMapRow, string>
}

/** The newest version of the schema below. IndexedDB's own number is ten times this, as Dexie has it. */
export const SCHEMA_VERSION = 5

/**
 * Every version ever released, oldest first, none of them ever changed: each has a stored database in
 * testing/ that a test upgrades. A new version says only what differs.
 */
function declareVersions(tables: Dexie): void {
  tables.version(1).stores({
    sessions: 'id, updatedAt',
    events: '[sessionId+seq]',
    blobs: 'hash',
    blobUses: '[hash+sessionId], sessionId',
    drafts: 'sessionId',
    queue: '[sessionId+id]',
    streams: 'sessionId',
    files: '[sessionId+path]',
    settings: 'key',
  })
  tables
    .version(2)
    .stores({
      events: null,
      writers: 'sessionId',
      fresh: '[sessionId+seq]',
      segments: '[sessionId+seq]',
      bodies: '[sessionId+seq]',
    })
    .upgrade(upgradeEvents)
  tables.version(3).stores({
    rawFiles: 'id, sha256',
    rawPieces: '[id+index]',
    rawMaps: 'sessionId, rawId',
  })
  tables.version(4).stores({ filters: '[sessionId+seq]' })
  // The tables stay; chunks of bodies say their form from here on, whose checksum an older build takes for damage.
  tables.version(5).stores({})
}

/**
 * One database over two connections, because durability is a property of a connection: `strict` commits
 * wait for the disk, `relaxed` ones do not (they survive a crash of the tab, not always of the machine).
 * IndexedDB orders overlapping transactions across both.
 */
export type Database = {
  readonly name: string
  readonly relaxed: Tables
  readonly strict: Tables
  /** What changed, told to all tabs. */
  readonly feed: Feed
  /** Says once why nothing can be kept any more: a newer tab upgrades, or the browser closed the database. */
  onEnd(listener: (why: DatabaseEnd) => void): void
  close(): void
}

export type DatabaseEnd = 'newer-version' | 'deleted' | 'closed-by-browser'

const NEWER = 'The data here was written by a newer version of Palimpsest. Reload the page.'
const newer = () => new JournalError('failed', NEWER)
const isNewer = (nativeVersion: number) => Math.floor(nativeVersion / 10) > SCHEMA_VERSION

/**
 * Dexie opens a newer database without a word and adds to it what it misses, so it must not get to see
 * one. Where the browser cannot tell, the check after opening is the only one.
 */
async function refuseNewer(name: string): Promise<void> {
  const known = (await indexedDB.databases?.().catch(() => [])) ?? []
  const found = known.find((database) => database.name === name)
  if (found?.version !== undefined && isNewer(found.version)) throw newer()
}

function connect(name: string, durability: 'relaxed' | 'strict'): Tables {
  const tables = new Dexie(name, {
    autoOpen: false,
    chromeTransactionDurability: durability,
    cache: 'disabled',
  }) as Tables
  declareVersions(tables)
  return tables
}

/** Tells why the database went away; a tab of an older build must not keep a newer one waiting. */
function watchEnd(connections: readonly Tables[]) {
  const listeners = new Set<(why: DatabaseEnd) => void>()
  let ended: DatabaseEnd | null = null
  let meant = false
  const close = () => {
    for (const tables of connections) tables.close({ disableAutoOpen: true })
  }
  const end = (why: DatabaseEnd) => {
    if (ended || meant) return
    ended = why
    close()
    for (const listener of listeners) listener(why)
  }
  for (const tables of connections) {
    // Returning false keeps Dexie from closing by itself and opening again behind our back.
    tables.on('versionchange', ({ newVersion }) => {
      if (newVersion === null) end('deleted')
      else if (isNewer(newVersion)) end('newer-version')
      return false
    })
    tables.on('close', () => end('closed-by-browser'))
  }
  return {
    onEnd(listener: (why: DatabaseEnd) => void) {
      if (ended) listener(ended)
      else listeners.add(listener)
    },
    close() {
      meant = true
      close()
    },
  }
}

/**
 * Opens the database, creating or upgrading it. `onBlocked` is called while a tab of an older build keeps
 * an upgrade waiting. Rejects with a `JournalError` whose message is fit for people: no IndexedDB,
 * storage refused, or data written by a newer version of the program.
 */
export async function openDatabase(
  name: string = DATABASE_NAME,
  onBlocked: () => void = () => {},
): Promise<Database> {
  if (typeof indexedDB === 'undefined') {
    throw new JournalError('failed', 'This browser has no IndexedDB, so nothing can be kept here.')
  }
  const [relaxed, strict] = [connect(name, 'relaxed'), connect(name, 'strict')]
  const { onEnd, close: closeBoth } = watchEnd([relaxed, strict])
  relaxed.on('blocked', onBlocked)
  try {
    await refuseNewer(name)
    await relaxed.open()
    await strict.open()
    if (isNewer(relaxed.backendDB().version)) throw newer()
  } catch (error) {
    closeBoth()
    throw toJournalError(error, 'open the database')
  }
  const feed = createFeed(name)
  const close = () => {
    feed.close()
    closeBoth()
  }
  return { name, relaxed, strict, feed, onEnd, close }
}

/** Every table, for work that clears or counts all of them. */
export const allTables = (tables: Tables): Table[] => tables.tables

/** The key range of one session in a table keyed `[sessionId+…]`. */
export const within = (sessionId: string): [unknown[], unknown[]] => [
  [sessionId, Dexie.minKey],
  [sessionId, Dexie.maxKey],
]
