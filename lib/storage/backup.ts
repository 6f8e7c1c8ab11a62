/**
 * Everything this browser keeps as one zip, streamed: `manifest.json` first, then a file of JSON lines for
 * each table. Rows go out as they are stored, with their checksums; bytes as `{"$bytes": base64}`.
 */

import type { IndexableType } from 'dexie'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { z } from 'zod'
import type { Database, Tables } from './db'
import { guarded } from './failure'

const BACKUP_FORMAT = 'palimpsest-backup'

export const manifest = z.object({
  format: z.literal(BACKUP_FORMAT),
  /** IndexedDB's number of the schema the rows are of. */
  version: z.int().positive(),
  createdAt: z.number(),
  /** Keys and indexes of each table, as Dexie writes them. */
  stores: z.record(z.string(), z.string()),
})
export type Manifest = z.infer<typeof manifest>

/** Rows read at once. */
const PAGE = 50

/**
 * Fresh rows before the rows that say what is sealed, and those before the segments: what moves between
 * the reads is then there twice, never missing, and `sealed` says which one counts.
 */
const ORDER = ['settings', 'sessions', 'fresh', 'writers', 'segments', 'bodies']

const inOrder = (names: readonly string[]): string[] => [
  ...ORDER.filter((name) => names.includes(name)),
  ...names.filter((name) => !ORDER.includes(name)),
]

/** How many characters `btoa` is given at once. */
const BASE64_STEP = 0x8000

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += BASE64_STEP)
    binary += String.fromCharCode(...bytes.subarray(at, at + BASE64_STEP))
  return btoa(binary)
}

const replace = (_key: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { $bytes: toBase64(value) } : value

const storesOf = (tables: Tables): Record<string, string> =>
  Object.fromEntries(
    tables.tables.map(({ name, schema }) => [
      name,
      [schema.primKey.src, ...schema.indexes.map((index) => index.src)].join(', '),
    ]),
  )

/** The primary key of a row: keys are inline in every table. */
function keyOf(path: string | string[] | null | undefined, row: unknown): IndexableType {
  const fields = row as Record<string, string | number>
  const parts = [path ?? ''].flat().map((part) => fields[part] as string | number)
  return Array.isArray(path) ? parts : (parts[0] as string | number)
}

/** The rows of a table as lines, page by page. A half-written import is no one's yet and stays here. */
async function* linesOf(tables: Tables, name: string): AsyncGenerator<string> {
  const table = tables.table<unknown, IndexableType>(name)
  const { keyPath } = table.schema.primKey
  for (let after: IndexableType | null = null; ; ) {
    const last: IndexableType | null = after
    const page = await guarded('read the data', () =>
      (last === null ? table.toCollection() : table.where(':id').above(last)).limit(PAGE).toArray(),
    )
    const lines = page
      .filter((row) => (row as { importing?: unknown }).importing !== true)
      .map((row) => `${JSON.stringify(row, replace)}\n`)
    if (lines.length > 0) yield lines.join('')
    if (page.length < PAGE) return
    after = keyOf(keyPath, page.at(-1))
  }
}

/** All of it, read as the stream is taken. What is written meanwhile may be missing, and nothing else. */
export function writeBackup(db: Database, createdAt: number): ReadableStream<Uint8Array> {
  const tables = db.relaxed
  const names = inOrder(tables.tables.map((table) => table.name))
  const encoder = new TextEncoder()
  let chunks: Uint8Array[] = []
  let failure: Error | null = null
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    else chunks.push(chunk)
  })

  async function* work(): AsyncGenerator<void> {
    const about = new ZipPassThrough('manifest.json')
    zip.add(about)
    const version = tables.backendDB().version
    const said: Manifest = { format: BACKUP_FORMAT, version, createdAt, stores: storesOf(tables) }
    about.push(encoder.encode(JSON.stringify(said)), true)
    for (const name of names) {
      const file = new ZipDeflate(`tables/${name}.jsonl`, { level: 1 })
      zip.add(file)
      for await (const lines of linesOf(tables, name)) {
        file.push(encoder.encode(lines))
        yield
      }
      file.push(new Uint8Array(0), true)
    }
    zip.end()
  }

  const steps = work()
  return new ReadableStream({
    async pull(controller) {
      while (chunks.length === 0) {
        const { done } = await steps.next()
        if (failure) throw failure
        if (done) {
          for (const chunk of chunks) controller.enqueue(chunk)
          return controller.close()
        }
      }
      for (const chunk of chunks) controller.enqueue(chunk)
      chunks = []
    },
  })
}
