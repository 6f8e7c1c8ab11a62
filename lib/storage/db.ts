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
  DraftRow,
  EventRow,
  FileRow,
  QueueRow,
  SessionRow,
  SettingRow,
  StoredStreamRow,
} from './rows'

const DATABASE_NAME = 'palimpsest'

export type Tables = Dexie & {
  sessions: Table<SessionRow, string>
  /** Reached through events.ts alone, so that rows may become segments. */
  events: Table<EventRow, [string, number]>
  blobs: Table<BlobRow, string>
  /** Which session uses which blob; a blob without users is deleted. */
  blobUses: Table<BlobUseRow, [string, string]>
  drafts: Table<DraftRow, string>
  queue: Table<QueueRow, [string, string]>
  streams: Table<StoredStreamRow, string>
  files: Table<FileRow, [string, string]>
  settings: Table<SettingRow, string>
}

const SCHEMA: Record<Exclude<keyof Tables, keyof Dexie>, string> = {
  sessions: 'id, updatedAt',
  events: '[sessionId+seq]',
  blobs: 'hash',
  blobUses: '[hash+sessionId], sessionId',
  drafts: 'sessionId',
  queue: '[sessionId+id]',
  streams: 'sessionId',
  files: '[sessionId+path]',
  settings: 'key',
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
  close(): void
}

const connect = (name: string, durability: 'relaxed' | 'strict'): Tables => {
  const tables = new Dexie(name, {
    chromeTransactionDurability: durability,
    cache: 'disabled',
  }) as Tables
  tables.version(1).stores(SCHEMA)
  return tables
}

/**
 * Opens the database, creating it when it is not there. Rejects with a `JournalError` whose message is
 * fit for people: no IndexedDB, storage refused, or data written by a newer version of the program.
 */
export async function openDatabase(name: string = DATABASE_NAME): Promise<Database> {
  if (typeof indexedDB === 'undefined') {
    throw new JournalError('failed', 'This browser has no IndexedDB, so nothing can be kept here.')
  }
  const relaxed = connect(name, 'relaxed')
  const strict = connect(name, 'strict')
  try {
    await relaxed.open()
    await strict.open()
  } catch (error) {
    relaxed.close()
    strict.close()
    if (error instanceof Error && error.name === 'VersionError') {
      const message = 'The data here was written by a newer version of Palimpsest. Reload the page.'
      throw new JournalError('failed', message, { cause: error })
    }
    throw toJournalError(error, 'open the database')
  }
  const feed = createFeed(name)
  const close = () => {
    feed.close()
    relaxed.close()
    strict.close()
  }
  return { name, relaxed, strict, feed, close }
}

/** Every table, for work that clears or counts all of them. */
export const allTables = (tables: Tables): Table[] => tables.tables

/** The key range of one session in a table keyed `[sessionId+…]`. */
export const within = (sessionId: string): [unknown[], unknown[]] => [
  [sessionId, Dexie.minKey],
  [sessionId, Dexie.maxKey],
]
