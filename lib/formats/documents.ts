/**
 * JSON documents as records: the elements of a top-level list, or each top-level object of the file. Found
 * by braces outside strings while the file streams, so that an export of any size is read element by element.
 */

import type { ForeignFile, Place, Row } from './foreign'
import { firstBytes, join, type Source } from './lines'
import { parseRecords } from './records'
import { remark } from './report'
import { readRowRuns } from './rows'

const [QUOTE, BACKSLASH, NEWLINE] = [0x22, 0x5c, 0x0a]
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d]

type Found = { at: number; bytes: Uint8Array; line: number; isWhole: boolean }

const chunksOf = (source: Source): ReadableStream<Uint8Array> =>
  (source instanceof Blob ? source : new Blob([source as BlobPart])).stream()

/** Where the scan stands between two bytes. */
type Scan = { depth: number; inString: boolean; escaped: boolean; line: number; isList: boolean }

/** One byte further. Answers whether an element begins or ends with it. */
function step(scan: Scan, byte: number): 'begins' | 'ends' | null {
  if (byte === NEWLINE) scan.line += 1
  if (scan.inString) {
    if (scan.escaped) scan.escaped = false
    else if (byte === BACKSLASH) scan.escaped = true
    else if (byte === QUOTE) scan.inString = false
    return null
  }
  const base = scan.isList ? 1 : 0
  switch (byte) {
    case QUOTE:
      scan.inString = scan.depth > base
      return null
    case OPEN_LIST:
    case OPEN:
      if (scan.depth === 0 && byte === OPEN_LIST && !scan.isList) {
        scan.isList = true
        scan.depth = 1
        return null
      }
      scan.depth += 1
      return scan.depth === base + 1 ? 'begins' : null
    case CLOSE_LIST:
    case CLOSE:
      scan.depth = Math.max(0, scan.depth - 1)
      if (scan.isList && scan.depth === 0) scan.isList = false
      else if (scan.depth === base) return 'ends'
      return null
    default:
      return null
  }
}

const ENDS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === QUOTE || byte === BACKSLASH || byte === NEWLINE ? 1 : 0,
)

/** The bytes by four, which the loop below passes over together; none of a chunk that lies askew in memory. */
const wordsOf = (chunk: Uint8Array): Int32Array =>
  chunk.byteOffset % 4 === 0
    ? new Int32Array(chunk.buffer, chunk.byteOffset, chunk.length >> 2)
    : new Int32Array()

/**
 * The first of the words from `at` on that holds a quote, a backslash or a control. A byte that is zero once it is
 * compared, or less than what is taken from it, borrows its highest bit (Bit Twiddling Hacks: "has zero", "has less").
 */
function skipWords(words: Int32Array, at: number): number {
  const { length } = words
  let next = at
  while (next < length) {
    const word = words[next] as number
    const quote = (word ^ 0x22222222) - 0x01010101
    const backslash = (word ^ 0x5c5c5c5c) - 0x01010101
    const control = word - 0x20202020
    if (((quote | backslash | control) & ~word & 0x80808080) !== 0) return next
    next += 1
  }
  return next
}

/** Where a text may end or a line does: most bytes are passed over here, without a step for each. */
function withinText(scan: Scan, chunk: Uint8Array, words: Int32Array, from: number): number {
  const { length } = chunk
  let at = from
  for (;;) {
    while (at < length && ENDS[chunk[at] as number] === 0) {
      at += 1
      if (at % 4 === 0) at = 4 * skipWords(words, at / 4)
    }
    if (at >= length || chunk[at] !== NEWLINE) return Math.min(at, length)
    scan.line += 1
    at += 1
  }
}

async function* findElements(file: ForeignFile): AsyncGenerator<Found> {
  const { signal, onProgress } = file.lines
  const scan: Scan = { depth: 0, inString: false, escaped: false, line: 1, isList: false }
  const total = file.source instanceof Blob ? file.source.size : file.source.length
  const reader = chunksOf(file.source).getReader()
  let pieces: Uint8Array[] = []
  let begun: { at: number; line: number } | null = null
  let at = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    signal?.throwIfAborted()
    const chunk = next.value
    const words = wordsOf(chunk)
    let from = begun ? 0 : -1
    for (let index = 0; index < chunk.length; index += 1) {
      if (scan.inString && !scan.escaped) index = withinText(scan, chunk, words, index)
      if (index === chunk.length) break
      const found = step(scan, chunk[index] as number)
      if (found === 'begins') {
        begun = { at: at + index, line: scan.line }
        from = index
      } else if (found === 'ends' && begun) {
        const bytes = join([...pieces, chunk.subarray(from, index + 1)])
        yield { ...begun, bytes, isWhole: true }
        pieces = []
        begun = null
        from = -1
      }
    }
    if (from >= 0) pieces.push(chunk.slice(from))
    at += chunk.length
    onProgress?.({ bytes: at, total })
  }
  file.report.lines = scan.line
  file.report.bytes = at
  if (begun) yield { ...begun, bytes: join(pieces), isWhole: false }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** UTF-8 of U+FFFD and of what stands for broken bytes look alike once decoded. */
const isBroken = (text: string): boolean => text.includes('\ufffd')

/** Every element in order, with the place it stands at. Broken ones go to the report. */
async function* readElements(file: ForeignFile): AsyncGenerator<Row> {
  let index = 0
  for await (const { at, bytes, line, isWhole } of findElements(file)) {
    const text = decoder.decode(bytes)
    const { values, repaired, damaged, problem } = parseRecords(text)
    file.report.repaired += repaired
    if (problem) remark(file.report.rejected, line, isWhole ? problem : 'the file is cut off here')
    for (const [nth, value] of values.entries()) {
      const isDamaged = damaged || repaired > 0 || isBroken(text)
      file.seen.push(line)
      yield { index: index++, line, nth, at, bytes: bytes.length, value, damaged: isDamaged }
    }
  }
}

/** Records inside one element, which the report counts apart. */
const INSIDE = 1_000_000

/** The place of the n-th record inside an element: the element's own bytes, a number of its own. */
export const placeInside = (row: Place, n: number): Place => ({
  index: row.index * INSIDE + n + INSIDE,
  line: row.line,
  nth: row.nth,
  at: row.at,
  bytes: row.bytes,
  damaged: row.damaged,
})

const HEAD_BYTES = 256 * 1024

/** Whether each line is a record of its own. A torn line must not swallow the lines after it. */
async function isLines(file: ForeignFile): Promise<boolean> {
  const head = decoder.decode(await firstBytes(file.source, HEAD_BYTES)).replace(/^[\ufeff\s]+/, '')
  const [first = '', second = ''] = head.split('\n', 2).map((line) => line.trim())
  if (!first.startsWith('{') || first === '{') return false
  return second.startsWith('{') || parseRecords(first).problem === null
}

async function* oneByOne(file: ForeignFile): AsyncGenerator<Iterable<Row>> {
  for await (const row of readElements(file)) yield [row]
}

/** The records of a file that may be lines or a document, by runs: take each to its end. */
export async function* readRecordRuns(file: ForeignFile): AsyncGenerator<Iterable<Row>> {
  yield* (await isLines(file)) ? readRowRuns(file) : oneByOne(file)
}

/** The same one by one, for files of few and large records. */
export async function* readRecords(file: ForeignFile): AsyncGenerator<Row> {
  for await (const run of readRecordRuns(file)) yield* run
}
