/** Media and very large bodies, once each by content hash; a session's uses keep them alive. */

import type { BlobRef } from '../core/message'
import { type Database, type Tables, within } from './db'
import { guarded } from './failure'
import { hashBytes } from './hash'
import { readImage } from './images'
import { blobRow } from './rows'

export type StoredBlob = { bytes: Uint8Array<ArrayBuffer>; mediaType: string }

/**
 * Keeps bytes for a session and names them for a block. An image's real kind and size win over
 * `mediaType`. The same bytes cost once, whoever puts them. Rejects with `JournalError`.
 */
export async function putBlob(
  db: Database,
  sessionId: string,
  bytes: Uint8Array<ArrayBuffer>,
  mediaType: string,
): Promise<BlobRef> {
  const hash = await hashBytes(bytes)
  const image = readImage(bytes)
  const size = image ? { width: image.width, height: image.height } : {}
  const kind = image?.mediaType ?? mediaType
  const tables = db.relaxed
  await guarded('keep the attachment', () =>
    tables.transaction('rw', tables.blobs, tables.blobUses, async () => {
      if ((await tables.blobs.where('hash').equals(hash).count()) === 0) {
        await tables.blobs.add({ hash, mediaType: kind, bytes, ...size })
      }
      await tables.blobUses.put({ hash, sessionId })
    }),
  )
  return { type: 'blob', hash, media_type: kind, bytes: bytes.length, ...size }
}

/** Bytes by hash; null when they are not here or their row is damaged. */
export async function getBlob(db: Database, hash: string): Promise<StoredBlob | null> {
  const row = await guarded('read the attachment', () => db.relaxed.blobs.get(hash))
  const parsed = blobRow.safeParse(row)
  return parsed.success ? { bytes: parsed.data.bytes, mediaType: parsed.data.mediaType } : null
}

/** Another session uses these too (a fork copies blocks, not bytes). Hashes without bytes are passed over. */
export async function shareBlobs(
  db: Database,
  sessionId: string,
  hashes: readonly string[],
): Promise<void> {
  const tables = db.relaxed
  await guarded('keep the attachments', () =>
    tables.transaction('rw', tables.blobs, tables.blobUses, async () => {
      const here = await tables.blobs
        .where('hash')
        .anyOf([...hashes])
        .primaryKeys()
      await tables.blobUses.bulkPut(here.map((hash) => ({ hash, sessionId })))
    }),
  )
}

/** All blobs a session uses. */
export const blobsOf = (db: Database, sessionId: string): Promise<string[]> =>
  guarded('read the attachments', async () => {
    const uses = await db.relaxed.blobUses.where('sessionId').equals(sessionId).toArray()
    return uses.map(({ hash }) => hash)
  })

/**
 * Ends an owner's uses, but for those of the blobs named `except`, and deletes what nobody uses any more. Call
 * inside a transaction.
 */
export async function releaseUses(
  tables: Tables,
  owner: string,
  except: readonly string[] = [],
): Promise<void> {
  const all = await tables.blobUses.where('sessionId').equals(owner).toArray()
  const uses = all.filter(({ hash }) => !except.includes(hash))
  await tables.blobUses.bulkDelete(uses.map(({ hash, sessionId }) => [hash, sessionId]))
  for (const { hash } of uses) {
    const others = await tables.blobUses
      .where('[hash+sessionId]')
      .between(...within(hash))
      .count()
    if (others === 0) await tables.blobs.delete(hash)
  }
}
