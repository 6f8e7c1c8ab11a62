/**
 * Originals of imported files (T1): kept byte for byte in deflated pieces, once for each file whatever came
 * of it, and a side table for each session that says where its events stood. An original that no session
 * uses is deleted.
 */

import { createSha256 } from '../core/sha256'
import { JournalError } from '../ports'
import { type Database, type Tables, within } from './db'
import { DamagedRow, guarded } from './failure'
import { type RawFileRow, type RawMapRow, rawMapRow, reasonOf } from './rows'

type Locks = Pick<LockManager, 'request'>

/** Bytes of a piece before it is deflated (T1). */
const PIECE = 1 << 20

export type KeptFile = {
  id: string
  sha256: string
  /** The file begins with the whole of these originals: it is one of them, grown (T4). */
  grownFrom: RawFileRow[]
  /** The same bytes were here already. */
  isKnown: boolean
}

export type KeepOptions = {
  signal?: AbortSignal
  onProgress?(progress: { bytes: number; total: number }): void
}

/** Written and read by hand: a blob and a response around it cost more than the packing. */
async function pass(
  bytes: Uint8Array,
  { writable, readable }: GenericTransformStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const write = async () => {
    const writer = (writable as WritableStream<Uint8Array>).getWriter()
    await writer.write(bytes)
    await writer.close()
  }
  const read = async () => {
    const pieces: Uint8Array<ArrayBuffer>[] = []
    const reader = (readable as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read())
      pieces.push(next.value)
    return joined(pieces)
  }
  const [packed] = await Promise.all([read(), write()])
  return packed
}

/**
 * Lets go of bytes nobody reads again. A collector does not hurry for them: a worker that keeps a large file and does
 * little else would hold dozens of megabytes of them until it looks.
 */
function release(bytes: Uint8Array<ArrayBuffer>): void {
  const buffer: ArrayBuffer & { transfer?(length: number): ArrayBuffer } = bytes.buffer
  // Beside a part there may be others, which somebody else still reads.
  if (bytes.length === buffer.byteLength) buffer.transfer?.(0)
}

/** The pieces as one; they are gone then. */
function joined(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
    release(piece)
  }
  return whole
}
const deflate = (bytes: Uint8Array) => pass(bytes, new CompressionStream('deflate-raw'))
const inflate = (bytes: Uint8Array) => pass(bytes, new DecompressionStream('deflate-raw'))

/** A reader that fills what it is given; null where a browser's blobs have none. */
function byteReader(file: Blob): ReadableStreamBYOBReader | null {
  try {
    return file.stream().getReader({ mode: 'byob' })
  } catch {
    return null
  }
}

/**
 * The file in pieces of the same size, but for the last. A piece holds until the next is asked for: all are read
 * into the same memory. Slices of a blob cost three times as much, and are for browsers that know no better.
 */
async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = byteReader(file)
  let buffer = new ArrayBuffer(Math.min(PIECE, file.size))
  try {
    for (let at = 0; at < file.size; at += PIECE) {
      const size = Math.min(PIECE, file.size - at)
      if (!reader) yield new Uint8Array(await file.slice(at, at + size).arrayBuffer())
      else {
        for (let filled = 0; filled < size; ) {
          const { value } = await reader.read(new Uint8Array(buffer, filled, size - filled))
          if (!value?.length) throw new JournalError('failed', 'The file ended while it was read.')
          filled += value.length
          buffer = value.buffer
        }
        yield new Uint8Array(buffer, 0, size)
      }
    }
  } finally {
    await reader?.cancel()
  }
}

/** Hashes bytes and answers at which of the given lengths the hash was the one asked for. */
function createWatch(files: readonly RawFileRow[]) {
  const hash = createSha256()
  const marks = [...files].sort((a, b) => a.bytes - b.bytes)
  const met: RawFileRow[] = []
  let at = 0
  return {
    met,
    hash,
    update(bytes: Uint8Array) {
      let from = 0
      for (let mark = marks[0]; mark && mark.bytes <= at + bytes.length; mark = marks[0]) {
        const to = mark.bytes - at
        hash.update(bytes.subarray(from, to))
        from = to
        if (hash.hex() === mark.sha256) met.push(mark)
        marks.shift()
      }
      hash.update(bytes.subarray(from))
      at += bytes.length
    },
  }
}

/**
 * Keeps a file under `id`, streaming. Nothing uses it until `mapRaw`; call `dropRaw` when nothing will.
 * Rejects with `JournalError` or the signal's reason, and leaves nothing behind then.
 */
export async function keepRaw(
  db: Database,
  id: string,
  name: string,
  file: Blob,
  { signal, onProgress }: KeepOptions = {},
): Promise<KeptFile> {
  const tables = db.relaxed
  const smaller = await guarded('look for earlier imports', () =>
    tables.rawFiles.filter(({ bytes }) => bytes > 0 && bytes < file.size).toArray(),
  )
  const watch = createWatch(smaller)
  let pieces = 0
  let bytes = 0
  // One piece is written while the next is hashed and packed.
  let writing: Promise<unknown> = Promise.resolve()
  try {
    for await (const piece of piecesOf(file)) {
      signal?.throwIfAborted()
      watch.update(piece)
      const packed = await deflate(piece)
      const row = { id, index: pieces, bytes: piece.length, packed }
      await writing
      writing = guarded('keep the original', async () => {
        await tables.rawPieces.put(row)
        release(packed)
      })
      // A failure is met at the next piece or at the end.
      writing.catch(() => {})
      pieces += 1
      bytes += piece.length
      onProgress?.({ bytes, total: file.size })
    }
    await writing
    const sha256 = watch.hash.hex()
    const known = await guarded('keep the original', () =>
      tables.rawFiles.where('sha256').equals(sha256).first(),
    )
    if (known) await dropRaw(db, id)
    else {
      const row = { id, sha256, name, bytes, pieces }
      await guarded('keep the original', () => tables.rawFiles.add(row))
    }
    return {
      id: known?.id ?? id,
      sha256,
      grownFrom: watch.met.reverse(),
      isKnown: known !== undefined,
    }
  } catch (error) {
    await writing.catch(() => {})
    await dropRaw(db, id)
    throw error
  }
}

async function deleteRaw(tables: Tables, id: string): Promise<void> {
  const keys = await tables.rawPieces
    .where('[id+index]')
    .between(...within(id))
    .primaryKeys()
  await tables.rawPieces.bulkDelete(keys)
  await tables.rawFiles.delete(id)
}

/** Deletes an original that no session uses. */
export const dropRaw = (db: Database, id: string): Promise<void> => {
  const tables = db.relaxed
  return guarded('let the original go', () =>
    tables.transaction('rw', tables.rawFiles, tables.rawPieces, tables.rawMaps, async () => {
      if ((await tables.rawMaps.where('rawId').equals(id).count()) === 0)
        await deleteRaw(tables, id)
    }),
  )
}

export type Origin = { line: number; toLine?: number; at: number; bytes: number }
export type Remark = { line: number; toLine?: number; reason: string }

export type SideTable = {
  /** Path inside an archive or folder; the file's own name otherwise. */
  path: string
  origins: readonly Origin[]
  kept: Remark[]
  rejected: Remark[]
  mended: Remark[]
}

/** Says which original a session came from. Replaces what was said before, for a session that grew (T4). */
export async function mapRaw(
  db: Database,
  sessionId: string,
  rawId: string,
  { path, origins, kept, rejected, mended }: SideTable,
): Promise<void> {
  const tables = db.relaxed
  const { length } = origins
  const row: RawMapRow = {
    sessionId,
    rawId,
    path,
    length,
    line: new Uint32Array(length),
    toLine: new Uint32Array(length),
    at: new Float64Array(length),
    bytes: new Float64Array(length),
    ...{ kept, rejected, mended },
  }
  origins.forEach(({ line, toLine, at, bytes }, seq) => {
    row.line[seq] = line
    row.toLine[seq] = toLine ?? line
    row.at[seq] = at
    row.bytes[seq] = bytes
  })
  const before = await guarded('keep the side table', () => tables.rawMaps.get(sessionId))
  await guarded('keep the side table', () => tables.rawMaps.put(row))
  if (before && before.rawId !== rawId) await dropRaw(db, before.rawId)
}

/** A session's use of its original ends; the original goes with its last use. Call inside a transaction. */
export async function releaseRaw(tables: Tables, sessionId: string): Promise<void> {
  const row = await tables.rawMaps.get(sessionId)
  if (!row) return
  await tables.rawMaps.delete(sessionId)
  if ((await tables.rawMaps.where('rawId').equals(row.rawId).count()) === 0) {
    await deleteRaw(tables, row.rawId)
  }
}

/** A session's side table and the original it came from; null for one that was not imported. */
export const readSideTable = (
  db: Database,
  sessionId: string,
): Promise<{ map: RawMapRow; file: RawFileRow } | null> =>
  guarded('read the side table', async () => {
    const found = await db.relaxed.rawMaps.get(sessionId)
    if (!found) return null
    const parsed = rawMapRow.safeParse(found)
    if (!parsed.success) throw new DamagedRow(sessionId, null, reasonOf(parsed.error))
    const file = await db.relaxed.rawFiles.get(parsed.data.rawId)
    return file ? { map: parsed.data, file } : null
  })

/** The original, byte for byte, a piece at a time. The stream errors where a piece is missing or damaged. */
export function readRaw(db: Database, file: RawFileRow): ReadableStream<Uint8Array<ArrayBuffer>> {
  let index = 0
  return new ReadableStream(
    {
      async pull(controller) {
        if (index >= file.pieces) return controller.close()
        const row = await guarded('read the original', () =>
          db.relaxed.rawPieces.get([file.id, index]),
        )
        const piece = row ? await inflate(row.packed).catch(() => null) : null
        if (!piece || piece.length !== row?.bytes) {
          throw new JournalError('failed', `Piece ${index} of the original cannot be read.`)
        }
        index += 1
        controller.enqueue(piece)
      },
    },
    { highWaterMark: 1 },
  )
}

/** Held while files are kept, so that no other tab takes them for leftovers. */
export const RAW_LOCK = 'palimpsest:raw'

/** Deletes originals that imports of tabs that died left without a session. */
export async function sweepRaw(
  db: Database,
  locks: Locks | undefined = globalThis.navigator?.locks,
): Promise<void> {
  if (!locks) return
  await locks.request(RAW_LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    const tables = db.relaxed
    await guarded('look for unused originals', () =>
      tables.transaction('rw', tables.rawFiles, tables.rawPieces, tables.rawMaps, async () => {
        const used = new Set(await tables.rawMaps.orderBy('rawId').uniqueKeys())
        const pieces = await tables.rawPieces.toCollection().primaryKeys()
        const ids = new Set([
          ...(await tables.rawFiles.toCollection().primaryKeys()),
          ...pieces.map(([id]) => id),
        ])
        for (const id of ids) if (!used.has(id)) await deleteRaw(tables, id)
      }),
    )
  })
}
