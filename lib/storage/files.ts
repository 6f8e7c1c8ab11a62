/** The workspace files of a session: what they are now and what they were at the start. */

import type { BlobRef } from '../core/message'
import { putBlob } from './blobs'
import { type Database, type Tables, within } from './db'
import { guarded } from './failure'
import { hashBytes, hashText } from './hash'
import { readImage } from './images'
import { type FileRow, fileRow } from './rows'

type Body = string | Uint8Array

type FileEntry = {
  path: string
  /** UTF-8 bytes; 0 for a deleted file. */
  bytes: number
  text: boolean
  /** Against the start; a deleted file stays listed. */
  changed: 'added' | 'modified' | 'deleted' | null
}

/** Paths come normalised. `read` and `base` answer null for what is not there. */
export type Files = {
  /** By path, deleted ones included. */
  list(): Promise<FileEntry[]>
  read(path: string): Promise<Body | null>
  write(path: string, body: Body): Promise<void>
  remove(path: string): Promise<void>
  base(path: string): Promise<Body | null>
  /** An image file in the blob table; null for any other file. */
  blob(path: string): Promise<BlobRef | null>
}

/** Own bytes, not a view into a larger buffer, which IndexedDB would store whole. */
const owned = (body: Body): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? body : new Uint8Array(body)

const hashBody = (body: string | Uint8Array<ArrayBuffer>): Promise<string> =>
  typeof body === 'string' ? hashText(body) : hashBytes(body)

const sizeOf = (body: Body | null): number =>
  typeof body === 'string' ? new TextEncoder().encode(body).length : (body?.length ?? 0)

const place = (sessionId: string, path: string): [string, string] => [sessionId, path]

const rowsOf = (tables: Tables, sessionId: string) =>
  tables.files.where('[sessionId+path]').between(...within(sessionId))

/** A damaged row counts as a file that is not there: tools then say so, and nothing crashes. */
async function readRow(tables: Tables, sessionId: string, path: string): Promise<FileRow | null> {
  const parsed = fileRow.safeParse(await tables.files.get(place(sessionId, path)))
  return parsed.success ? parsed.data : null
}

/** The start's body: kept apart only once the file is no longer as it was. */
const baseOf = ({ base, body }: FileRow): FileRow['body'] => (base ? (base.body ?? body) : null)

function changeOf({ base, hash }: FileRow): FileEntry['changed'] {
  if (!base) return 'added'
  if (hash === null) return 'deleted'
  return hash === base.hash ? null : 'modified'
}

const entryOf = (row: FileRow): FileEntry => ({
  path: row.path,
  bytes: sizeOf(row.body),
  text: typeof (row.body ?? baseOf(row)) === 'string',
  changed: changeOf(row),
})

/** Puts `body` (null: deleted) in a file's place, keeping the start's body beside it where they differ. */
async function replaceBody(
  tables: Tables,
  sessionId: string,
  path: string,
  body: FileRow['body'],
): Promise<void> {
  // Hashed before the transaction: IndexedDB commits while anything else is awaited.
  const hash = body === null ? null : await hashBody(body)
  await tables.transaction('rw', tables.files, async () => {
    const before = await readRow(tables, sessionId, path)
    if (!before?.base && body === null) return tables.files.delete(place(sessionId, path))
    const same = before?.base?.hash === hash
    const base = before?.base
      ? { hash: before.base.hash, body: same ? null : baseOf(before) }
      : null
    return tables.files.put({ sessionId, path, body, hash, base })
  })
}

/** The files of one session. Satisfies the tools' `Workspace`. Rejects with `JournalError`. */
export function openFiles(db: Database, sessionId: string): Files {
  const tables = db.relaxed
  const row = (path: string) => guarded('read a file', () => readRow(tables, sessionId, path))
  const put = (path: string, body: FileRow['body']) =>
    guarded('write a file', () => replaceBody(tables, sessionId, path, body))
  return {
    list: () =>
      guarded('list the files', async () =>
        (await rowsOf(tables, sessionId).toArray()).flatMap((stored) => {
          const parsed = fileRow.safeParse(stored)
          return parsed.success ? [entryOf(parsed.data)] : []
        }),
      ),
    read: async (path) => (await row(path))?.body ?? null,
    write: (path, body) => put(path, owned(body)),
    remove: (path) => put(path, null),
    async base(path) {
      const found = await row(path)
      return found ? baseOf(found) : null
    },
    async blob(path) {
      const body = (await row(path))?.body ?? null
      if (body === null || typeof body === 'string') return null
      const image = readImage(body)
      return image ? putBlob(db, sessionId, body, image.mediaType) : null
    },
  }
}

/** Replaces all files of a session by those it begins with. */
export async function seedFiles(
  db: Database,
  sessionId: string,
  files: Iterable<{ path: string; body: string | Uint8Array }>,
): Promise<void> {
  const rows: FileRow[] = []
  for (const file of files) {
    const body = owned(file.body)
    const hash = await hashBody(body)
    rows.push({ sessionId, path: file.path, body, hash, base: { hash, body: null } })
  }
  const tables = db.relaxed
  await guarded('keep the workspace', () =>
    tables.transaction('rw', tables.files, async () => {
      await rowsOf(tables, sessionId).delete()
      await tables.files.bulkPut(rows)
    }),
  )
}

/** Copies the workspace as it is now, starts included, into another session (K2). */
export async function copyFiles(db: Database, from: string, to: string): Promise<void> {
  const tables = db.relaxed
  await guarded('copy the workspace', () =>
    tables.transaction('rw', tables.files, async () => {
      const rows = await rowsOf(tables, from).toArray()
      await tables.files.bulkPut(rows.map((row) => ({ ...row, sessionId: to })))
    }),
  )
}

/** Deletes all files of a session. Call inside a transaction. */
export const deleteFiles = (tables: Tables, sessionId: string): Promise<unknown> =>
  rowsOf(tables, sessionId).delete()
