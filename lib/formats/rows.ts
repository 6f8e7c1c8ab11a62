/** The records of a JSONL file with their places, and again by place where a file is read out of order. */

import type { Json } from '../core/message'
import type { ForeignFile, Place, Row } from './foreign'
import { decodeLine, type Line, readLines, type Source } from './lines'
import { parseRecords } from './records'
import { remark } from './report'

const NEWLINE_BYTES = 1
const [SPACE, TAB, RETURN] = [0x20, 0x09, 0x0d]
const countBroken = (text: string): number => text.match(/\ufffd/g)?.length ?? 0

/**
 * Every record of the file in order. Broken lines go to the report, blank ones nowhere; a line may hold
 * several records. Counts lines, bytes and repairs; never throws for what the file holds.
 */
export async function* readRows(file: ForeignFile): AsyncGenerator<Row> {
  const { report } = file
  let at = 0
  let index = 0
  let lastLine = 0
  for await (const line of readLines(file.source, file.lines)) {
    const bytes = line.bytes.length
    report.lines = line.number
    for (const row of rowsOfLine(file, line)) {
      file.seen.push(row.line)
      yield { ...row, index: index++, at, bytes }
    }
    at += bytes + (line.last ? 0 : NEWLINE_BYTES)
    report.bytes = at
    if (!isBlank(line)) lastLine = line.number
  }
  const torn = report.rejected.at(-1)
  // A line that was cut off may have got a line end since.
  if (torn && (torn.toLine ?? torn.line) === lastLine) {
    if (torn.toLine === undefined) report.rejected.pop()
    else if (torn.toLine === torn.line + 1) delete torn.toLine
    else torn.toLine -= 1
    remark(report.rejected, lastLine, 'the last line is cut off')
  }
}

const isBlank = ({ bytes }: Line): boolean =>
  bytes.every((byte) => byte === SPACE || (byte >= TAB && byte <= RETURN))

type Parsed = Pick<Row, 'line' | 'value' | 'damaged'>

function rowsOfLine({ report }: ForeignFile, line: Line): Parsed[] {
  const { text, broken } = decodeLine(line)
  if (text.trim() === '') return []
  const { values, repaired, damaged, problem } = parseRecords(text)
  report.repaired += repaired + (broken ? countBroken(text) : 0)
  if (problem)
    remark(report.rejected, line.number, line.last ? 'the last line is cut off' : problem)
  return values.map((value) => ({
    line: line.number,
    value,
    damaged: damaged || broken || repaired > 0,
  }))
}

async function bytesAt(source: Source, at: number, length: number): Promise<Uint8Array> {
  if (source instanceof Blob) {
    return new Uint8Array(await source.slice(at, at + length).arrayBuffer())
  }
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  return bytes.subarray(at, at + length)
}

/** Bytes of parsed rows that are held; what is beyond is parsed again when it is asked for. */
const HELD_BYTES = 48 * 1024 * 1024
/** A parsed row takes about this many times its bytes, and never less than a small object does. */
const weightOf = (bytes: number): number => bytes + 256

export type Shelf = {
  /** Puts a row away; its value may be let go. */
  put(row: Row): void
  get(place: Place): Promise<Json>
}

/** Rows by place, for formats whose order is known only once all of the file is. */
export function createShelf(file: ForeignFile): Shelf {
  const held = new Map<number, Json>()
  let weight = 0
  // A text would be encoded again for every row.
  const source =
    typeof file.source === 'string' ? new TextEncoder().encode(file.source) : file.source

  async function again({ line, at, bytes, index }: Place): Promise<Json> {
    const found = await bytesAt(source, at, bytes)
    const { text } = decodeLine({ number: line, bytes: found, last: false })
    const { values } = parseRecords(text)
    const first = firstOnLine.get(line) ?? index
    return values[index - first] ?? null
  }
  /** Index of a line's first record, for lines that hold several. */
  const firstOnLine = new Map<number, number>()
  let lastLine = 0

  return {
    put(row) {
      if (row.line === lastLine && !firstOnLine.has(row.line))
        firstOnLine.set(row.line, row.index - 1)
      lastLine = row.line
      if (weight > HELD_BYTES) return
      held.set(row.index, row.value)
      weight += weightOf(row.bytes)
    },
    async get(place) {
      const value = held.get(place.index)
      return value === undefined ? again(place) : value
    },
  }
}
