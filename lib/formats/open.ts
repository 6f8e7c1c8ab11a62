/** Any file as a stream of sessions: unpacked, recognised by content, read once. */

import type { Refusal } from '../core/result'
import { createSha256 } from '../core/sha256'
import { detectFormat, FORMAT_NAMES, type FormatId } from './detect'
import { type ForeignFile, type KeepBlob, type Part, UnreadableFile } from './foreign'
import { embeddedLog } from './html/embedded'
import type { LineOptions, Source } from './lines'
import { READERS } from './read-foreign'
import { emptyReport, remark } from './report'
import { type ArchiveFile, packingOf, unpack, unzip } from './unpack'

export type OpenOptions = LineOptions & {
  /** Path or name of the file, for the session's origin. */
  name?: string
  /** SHA-256 in hex of the source, where it is known; null where somebody is working it out. */
  sha256?: string | null
  /** Unix milliseconds for records of files that say no time. */
  time?: number
}

/** What is read of a file, and what came along with it. */
export type ReadChoice = Partial<Pick<ForeignFile, 'chosen' | 'besideIt' | 'sha256'>>

/** What a file turned out to be. `archive`: its files are to be opened one by one. */
export type OpenedFile =
  | { kind: 'native'; source: Source }
  | {
      kind: 'foreign'
      format: FormatId
      /** Begins reading, with a report of its own each time. */
      read(keepBlob: KeepBlob, more?: ReadChoice): AsyncGenerator<Part>
    }
  | { kind: 'archive'; files: ArchiveFile[] }
  | { kind: 'refused'; refusal: Refusal }

/** What is said of a file that is none of ours and looks like none we know. */
export const NO_TRANSCRIPT = 'This is no transcript in a format Palimpsest knows.'

const refusalOf = (looksLike: string | null): Refusal => ({
  rule: 'T',
  message: looksLike
    ? `This looks like ${looksLike}. Reading it is not supported yet.`
    : NO_TRANSCRIPT,
})

/** What to say of a file of a known format in which nothing was said. */
export const nothingIn = (format: FormatId): string =>
  `This looks like ${FORMAT_NAMES[format]}, but no conversation could be read from it.`

async function hashOf(source: Source): Promise<string> {
  const hash = createSha256()
  if (source instanceof Blob) {
    const reader = source.stream().getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read())
      hash.update(next.value)
  } else hash.update(typeof source === 'string' ? new TextEncoder().encode(source) : source)
  return hash.hex()
}

const nameOf = (source: Source, { name }: OpenOptions): string =>
  name ?? (source instanceof File ? source.name : '')

async function openPlain(
  given: Source,
  source: Source,
  problem: string | null,
  options: OpenOptions,
): Promise<OpenedFile> {
  const detected = await detectFormat(source)
  if (detected.known === null) return { kind: 'refused', refusal: refusalOf(detected.looksLike) }
  if (detected.known === 'native') return { kind: 'native', source }
  const format = detected.known
  const reader = READERS[format]
  const sha256 = options.sha256 === undefined ? await hashOf(given) : options.sha256
  const { signal, onProgress, time = 0 } = options
  const lines = { signal, onProgress }
  return {
    kind: 'foreign',
    format,
    read: (keepBlob, more = {}) => {
      const report = emptyReport()
      if (problem) remark(report.rejected, 1, problem)
      const file: ForeignFile = {
        source,
        sha256,
        name: nameOf(given, options),
        time,
        keepBlob,
        lines,
        report,
        ...more,
        seen: [],
        counted: new Set(),
      }
      return inOrder(reader(file), file)
    },
  }
}

/** Nothing is dropped unseen: what no reader spoke of is kept and said. */
function keepRest({ seen, counted, report }: ForeignFile): void {
  seen.forEach((line, index) => {
    if (counted.has(index)) return
    report.keptRecords += 1
    remark(report.kept, line, 'it became no event')
  })
}

/** Remarks by line, though conversations of one file are read one after another. */
async function* inOrder(parts: AsyncGenerator<Part>, file: ForeignFile): AsyncGenerator<Part> {
  yield* parts
  keepRest(file)
  const { report } = file
  for (const list of [report.kept, report.rejected, report.mended])
    list.sort((a, b) => a.line - b.line)
}

/** Never throws for what the bytes hold; rejects with the signal's reason. */
export async function openTranscript(
  given: Source,
  options: OpenOptions = {},
): Promise<OpenedFile> {
  options.signal?.throwIfAborted()
  const packing = await packingOf(given)
  if (packing === 'zip') return { kind: 'archive', files: await unzip(given, options) }
  const embedded = packing === null ? await embeddedLog(given, options) : null
  if (packing === null && !embedded) return openPlain(given, given, null, options)
  const { source, problem } = await unpack(embedded ?? given, packing ?? 'gzip', options)
  return openPlain(given, source, problem, options)
}

/** Why reading ended early, for people: what a reader refuses is no crash. */
export function refusalFrom(error: unknown): Refusal | null {
  return error instanceof UnreadableFile ? { rule: error.rule, message: error.message } : null
}
