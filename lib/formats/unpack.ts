/** Packed files: zstd frames one after another, gzip, and zip archives of many files. */

import { Gunzip, Unzip, UnzipInflate } from 'fflate'
import { Decompress } from 'fzstd'
import { firstBytes, type LineOptions, type Source } from './lines'

export type Packing = 'zstd' | 'gzip' | 'zip'

const MAGIC: [Packing, number[]][] = [
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['gzip', [0x1f, 0x8b]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
]

export async function packingOf(source: Source): Promise<Packing | null> {
  const head = await firstBytes(source, 4)
  return MAGIC.find(([, magic]) => magic.every((byte, at) => head[at] === byte))?.[0] ?? null
}

const blobOf = (source: Source): Blob =>
  source instanceof Blob ? source : new Blob([source as BlobPart])

export type Unpacked = {
  source: Blob
  /** Why not all of it could be unpacked. */
  problem: string | null
}

type Push = (chunk: Uint8Array, isLast: boolean) => void

/** Collected chunks join a Blob now and then: the browser may move those to disk. */
const CHUNK = 8 << 20

function createCollector() {
  let parts: BlobPart[] = []
  let size = 0
  let blob = new Blob([])
  const settle = () => {
    blob = new Blob([blob, ...parts])
    parts = []
    size = 0
  }
  return {
    add(chunk: Uint8Array) {
      parts.push(chunk.slice() as Uint8Array<ArrayBuffer>)
      size += chunk.length
      if (size > CHUNK) settle()
    },
    blob() {
      settle()
      return blob
    },
  }
}

async function pump(source: Source, { signal }: LineOptions, push: Push): Promise<void> {
  const reader = blobOf(source).stream().getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      signal?.throwIfAborted()
      push(next.value, false)
    }
    push(new Uint8Array(), true)
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** The content of a zstd or gzip file. A torn one gives what stands before the tear. */
export async function unpack(
  source: Source,
  packing: 'zstd' | 'gzip',
  options: LineOptions,
): Promise<Unpacked> {
  const collector = createCollector()
  const take = (chunk: Uint8Array) => collector.add(chunk)
  const stream = packing === 'zstd' ? new Decompress(take) : new Gunzip(take)
  try {
    await pump(source, options, (chunk, isLast) => stream.push(chunk, isLast))
  } catch (error) {
    options.signal?.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    return {
      source: collector.blob(),
      problem: `the ${packing} data ends in the middle (${reason})`,
    }
  }
  return { source: collector.blob(), problem: null }
}

export type ArchiveFile = { name: string; source: Blob; problem: string | null }

/** Names in archives that no transcript has: folders, and what macOS adds. */
const isNoise = (name: string): boolean => name.endsWith('/') || /(^|\/)(__MACOSX\/|\.)/.test(name)

/** The files of a zip archive in order; what cannot be unpacked has a `problem`. */
export async function unzip(source: Source, options: LineOptions): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = []
  const archive = new Unzip((file) => {
    if (isNoise(file.name)) return
    const collector = createCollector()
    const entry: ArchiveFile = { name: file.name, source: new Blob([]), problem: null }
    files.push(entry)
    file.ondata = (error, chunk, isLast) => {
      if (error) entry.problem = error.message
      else collector.add(chunk)
      if (error || isLast) entry.source = collector.blob()
    }
    try {
      file.start()
    } catch (error) {
      entry.problem = error instanceof Error ? error.message : String(error)
    }
  })
  archive.register(UnzipInflate)
  try {
    await pump(source, options, (chunk, isLast) => archive.push(chunk, isLast))
  } catch (error) {
    options.signal?.throwIfAborted()
    const problem = error instanceof Error ? error.message : String(error)
    files.push({ name: 'the rest of the archive', source: new Blob([]), problem })
  }
  return files
}
