/** Databases of released versions, kept as JSON: what an upgrade meets in a browser. */

import type { Tables } from '../db'

/** `stores`: keys and indexes of each in Dexie's words; `version` is IndexedDB's own number. */
export type StoredDump = {
  version: number
  stores: Record<string, string>
  rows: Record<string, unknown[]>
}

const revive = (_key: string, value: unknown): unknown => {
  const bytes = (value as { $bytes?: unknown } | null)?.$bytes
  return typeof bytes === 'string' ? new Uint8Array(Buffer.from(bytes, 'base64')) : value
}
const replace = (_key: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value

export const readDump = (text: string): StoredDump => JSON.parse(text, revive) as StoredDump

/** The JSON of a whole database; how the files beside this one were made. */
export async function writeDump(tables: Tables): Promise<string> {
  const dump: StoredDump = { version: tables.backendDB().version, stores: {}, rows: {} }
  for (const table of tables.tables) {
    const { primKey, indexes } = table.schema
    dump.stores[table.name] = [primKey.src, ...indexes.map((index) => index.src)].join(', ')
    dump.rows[table.name] = await table.toArray()
  }
  return `${JSON.stringify(dump, replace, 2)}\n`
}

/** `[a+b]` is the path of a compound key. */
const pathOf = (source: string): string | string[] =>
  source.startsWith('[') ? source.slice(1, -1).split('+') : source

/** Makes the database as it was, without Dexie and without today's schema. With `hold` it stays open. */
export async function restoreDump(
  name: string,
  { version, stores, rows }: StoredDump,
  { hold = false } = {},
): Promise<IDBDatabase | null> {
  const asked = indexedDB.open(name, version)
  asked.onupgradeneeded = () => {
    for (const [store, source] of Object.entries(stores)) {
      const [key = '', ...indexes] = source.split(', ')
      const made = asked.result.createObjectStore(store, { keyPath: pathOf(key) })
      for (const index of indexes) made.createIndex(index, pathOf(index))
      for (const row of rows[store] ?? []) made.put(row)
    }
  }
  await new Promise((resolve, reject) => {
    asked.onsuccess = resolve
    asked.onerror = () => reject(asked.error)
  })
  if (hold) return asked.result
  asked.result.close()
  return null
}
