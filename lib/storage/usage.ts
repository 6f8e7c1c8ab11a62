/** How much this site keeps in the browser, of what, and whether the browser may throw it away. */

import { type Database, within } from './db'
import { guarded } from './failure'
import { listSessions } from './sessions'

export type StorageUsage = {
  /** Bytes, as the browser estimates; absent where it does not say. */
  usage?: number
  quota?: number
  /** The browser has promised not to evict the data. */
  persisted: boolean
}

type Storage = Partial<Pick<StorageManager, 'estimate' | 'persist' | 'persisted'>>

/** Never rejects: a browser that refuses to say is one that does not say. */
export async function readUsage(
  storage: Storage | undefined = globalThis.navigator?.storage,
): Promise<StorageUsage> {
  const estimate = await storage?.estimate?.().catch(() => ({}) as StorageEstimate)
  const persisted = await storage?.persisted?.().catch(() => false)
  return { usage: estimate?.usage, quota: estimate?.quota, persisted: persisted ?? false }
}

/** Asks the browser to keep the data; false when it will not promise that. */
export const persistStorage = async (
  storage: Storage | undefined = globalThis.navigator?.storage,
): Promise<boolean> => (await storage?.persist?.().catch(() => false)) ?? false

/** Bytes of one session; what it shares with others (attachments, an original) counts in full. */
export type SessionUse = {
  id: string
  title: string
  trashed: boolean
  /** Characters of the log's JSON; its structure and filters come on top, about a tenth. */
  log: number
  attachments: number
  /** Workspace files as they are, and as they were where that is kept apart. */
  files: number
  /** The imported file, as it is kept: deflated. */
  original: number
}

type Sized = string | Uint8Array | null | undefined
const sizeOf = (body: Sized): number => body?.length ?? 0

/** Log bytes of a session whose row does not say. */
async function logSize({ relaxed: tables }: Database, id: string): Promise<number> {
  let size = 0
  for (const table of [tables.fresh, tables.bodies])
    await table
      .where('[sessionId+seq]')
      .between(...within(id))
      .each((row) => {
        size += sizeOf((row as { text?: string }).text)
      })
  return size
}

async function fileSize({ relaxed: tables }: Database, id: string): Promise<number> {
  let size = 0
  await tables.files
    .where('[sessionId+path]')
    .between(...within(id))
    .each(({ body, base }) => {
      size += sizeOf(body) + sizeOf(base?.body)
    })
  return size
}

async function blobSize({ relaxed: tables }: Database, id: string): Promise<number> {
  let size = 0
  for (const { hash } of await tables.blobUses.where('sessionId').equals(id).toArray())
    size += sizeOf((await tables.blobs.get(hash))?.bytes)
  return size
}

async function originalSize({ relaxed: tables }: Database, id: string): Promise<number> {
  const map = await tables.rawMaps.get(id)
  if (!map) return 0
  let size = 0
  await tables.rawPieces
    .where('[id+index]')
    .between(...within(map.rawId))
    .each(({ packed }) => {
      size += packed.length
    })
  return size
}

/** What each session keeps, the largest first. Reads every attachment and file once; for a settings page. */
export const measureSessions = (db: Database): Promise<SessionUse[]> =>
  guarded('measure the sessions', async () => {
    const { sessions, trash } = await listSessions(db)
    const uses: SessionUse[] = []
    for (const { id, title, size, trashedAt } of [...sessions, ...trash]) {
      uses.push({
        id,
        title,
        trashed: trashedAt !== undefined,
        log: size ?? (await logSize(db, id)),
        attachments: await blobSize(db, id),
        files: await fileSize(db, id),
        original: await originalSize(db, id),
      })
    }
    return uses.sort((a, b) => totalOf(b) - totalOf(a))
  })

export const totalOf = ({ log, attachments, files, original }: SessionUse): number =>
  log + attachments + files + original
