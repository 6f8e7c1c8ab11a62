/** A backup's zip, read as a stream into a database of its own. */

import { Unzip, UnzipInflate, UnzipPassThrough } from 'fflate'
import { type Manifest, manifest } from './backup'
import { SCHEMA_VERSION } from './db'

export const REFUSED = 'This file is no backup of Palimpsest, or it was cut off.'
const LINE_FEED = 10
const BATCH = 100

const revive = (_key: string, value: unknown): unknown => {
  const base64 = (value as { $bytes?: unknown } | null)?.$bytes
  if (typeof base64 !== 'string') return value
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))
}

/** Whole lines out of chunks of bytes. */
function createLines(take: (line: string) => void) {
  let rest: Uint8Array[] = []
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const join = (last: Uint8Array): string => {
    if (rest.length === 0) return decoder.decode(last)
    const all = new Uint8Array([...rest, last].reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of [...rest, last]) {
      all.set(part, at)
      at += part.length
    }
    rest = []
    return decoder.decode(all)
  }
  return {
    push(chunk: Uint8Array) {
      let from = 0
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        const line = join(chunk.subarray(from, at))
        from = at + 1
        if (line !== '') take(line)
      }
      if (from < chunk.length) rest.push(chunk.slice(from))
    },
    get unfinished() {
      return rest.length > 0
    },
  }
}

type Row = { table: string; row: unknown }

/** Rows of a zip, a batch at a time, the manifest before them. Throws when the file is no whole backup. */
async function* readZip(file: Blob): AsyncGenerator<{ about: Manifest } | { rows: Row[] }> {
  let rows: Row[] = []
  let about: Manifest | null = null
  const ended = new Set<string>()
  const unzip = new Unzip((entry) => {
    const table = /^tables\/(\w+)\.jsonl$/.exec(entry.name)?.[1]
    const lines = createLines((line) => {
      if (table) rows.push({ table, row: JSON.parse(line, revive) as unknown })
      else about = manifest.parse(JSON.parse(line))
    })
    entry.ondata = (error, chunk, final) => {
      if (error) throw error
      lines.push(chunk)
      if (!final) return
      if (!table) lines.push(new Uint8Array([LINE_FEED]))
      if (lines.unfinished) throw new Error(REFUSED)
      ended.add(table ?? entry.name)
    }
    entry.start()
  })
  unzip.register(UnzipInflate)
  unzip.register(UnzipPassThrough)
  const reader = file.stream().getReader()
  let told = false
  for (;;) {
    const { done, value } = await reader.read()
    unzip.push(value ?? new Uint8Array(0), done)
    if (about && !told) {
      told = true
      yield { about }
    }
    if (rows.length >= BATCH || done) {
      if (!told && rows.length > 0) throw new Error(REFUSED)
      yield { rows }
      rows = []
    }
    if (done) break
  }
  const expected = Object.keys((about as Manifest | null)?.stores ?? { nothing: '' })
  if (expected.some((name) => !ended.has(name))) throw new Error(REFUSED)
}

/** `[a+b]` is the path of a compound key. */
const pathOf = (source: string): string | string[] =>
  source.startsWith('[') ? source.slice(1, -1).split('+') : source

export const asPromise = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })

function createStores(name: string, { version, stores }: Manifest): Promise<IDBDatabase> {
  const asked = indexedDB.open(name, version)
  asked.onupgradeneeded = () => {
    for (const [store, source] of Object.entries(stores)) {
      const [key = '', ...indexes] = source.split(', ')
      const made = asked.result.createObjectStore(store, { keyPath: pathOf(key) })
      for (const index of indexes) made.createIndex(index, pathOf(index))
    }
  }
  return asPromise(asked)
}

const putRows = (connection: IDBDatabase, rows: readonly Row[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const stores = [...new Set(rows.map(({ table }) => table))]
    const transaction = connection.transaction(stores, 'readwrite', { durability: 'relaxed' })
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    for (const { table, row } of rows) transaction.objectStore(table).put(row)
  })

/** Makes the database `name` of the rows in a backup, of the version they were written by. Throws when it is none. */
export async function fillFromZip(name: string, file: Blob): Promise<Manifest> {
  let about: Manifest | null = null
  let connection: IDBDatabase | null = null
  try {
    for await (const part of readZip(file)) {
      if ('about' in part) {
        about = part.about
        if (Math.floor(about.version / 10) > SCHEMA_VERSION) {
          throw new Error('This backup was made by a newer version of Palimpsest.')
        }
        connection = await createStores(name, about)
      } else if (connection && part.rows.length > 0) await putRows(connection, part.rows)
    }
  } finally {
    connection?.close()
  }
  if (!about) throw new Error(REFUSED)
  return about
}
