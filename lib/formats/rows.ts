/** The records of a JSONL file with their places, and again by place where a file is read out of order. */

import type { Json, JsonObject } from '../core/message'
import type { ForeignFile, Place, Row } from './foreign'
import { isRow } from './json'
import { decodeLine, type Line, readLineRuns } from './lines'
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
  for await (const run of readLineRuns(file.source, file.lines)) {
    for (const line of run) {
      const bytes = line.bytes.length
      report.lines = line.number
      for (const { value, damaged, isWide } of rowsOfLine(file, line)) {
        file.seen.push(line.number)
        yield { index: index++, line: line.number, at, bytes, value, damaged, isWide }
      }
      at += bytes + (line.last ? 0 : NEWLINE_BYTES)
      report.bytes = at
      if (!isBlank(line)) lastLine = line.number
    }
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

type Parsed = Pick<Row, 'value' | 'damaged' | 'isWide'>

function rowsOfLine({ report }: ForeignFile, line: Line): Parsed[] {
  const { text, broken } = decodeLine(line)
  if (text.trim() === '') return []
  const { values, repaired, damaged, problem } = parseRecords(text)
  report.repaired += repaired + (broken ? countBroken(text) : 0)
  if (problem)
    remark(report.rejected, line.number, line.last ? 'the last line is cut off' : problem)
  return values.map((value) => ({
    value,
    damaged: damaged || broken || repaired > 0,
    isWide: text.length < line.bytes.length - 4,
  }))
}

/** Bytes read around a row that was let go: rows are asked for in order, nearly always. */
const WINDOW = 4 << 20

type Window = { at: number; bytes: Uint8Array }

async function windowAt(source: Blob | Uint8Array, at: number, length: number): Promise<Window> {
  if (!(source instanceof Blob)) return { at: 0, bytes: source }
  const end = at + Math.max(WINDOW, length)
  return { at, bytes: new Uint8Array(await source.slice(at, end).arrayBuffer()) }
}

/** Memory that values may take while they are held; what is beyond is parsed again when it is asked for. */
const HELD_BYTES = 48 << 20
/** Rough bytes of an object, a list or a number with the member that holds it. */
const VALUE_BYTES = 40

/** Rough bytes a value takes in memory. Texts beyond ASCII take two a unit, which `isWide` says of all. */
function weightOf(root: Json, isWide: boolean): number {
  const left: Json[] = [root]
  let weight = 0
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    weight += VALUE_BYTES
    if (typeof value === 'string') weight += isWide ? value.length * 2 : value.length
    else if (typeof value === 'object' && value !== null) {
      for (const key in value) left.push((value as JsonObject)[key] ?? null)
    }
  }
  return weight
}

export type Shelf = {
  /** Puts a row away; its value may be let go. `without`: a member that nobody will ask for. */
  put(row: Row, without?: string): void
  get(place: Place): Promise<Json>
}

/** Rows by place, for formats whose order is known only once all of the file is. */
export function createShelf(file: ForeignFile): Shelf {
  const held = new Map<number, Json>()
  let weight = 0
  // A text would be encoded again for every row.
  const source =
    typeof file.source === 'string' ? new TextEncoder().encode(file.source) : file.source
  let window: Window = { at: 0, bytes: new Uint8Array() }
  /** Index of a line's first record, for lines that hold several. */
  const firstOnLine = new Map<number, number>()
  let lastLine = 0

  async function again({ line, at, bytes, index }: Place): Promise<Json> {
    const isInside = at >= window.at && at + bytes <= window.at + window.bytes.length
    if (!isInside) window = await windowAt(source, at, bytes)
    const from = at - window.at
    const found = window.bytes.subarray(from, from + bytes)
    const { text } = decodeLine({ number: line, bytes: found, last: false })
    const { values } = parseRecords(text)
    const first = firstOnLine.get(line) ?? index
    return values[index - first] ?? null
  }

  return {
    put(row, without) {
      const { line, index, value, isWide } = row
      if (line === lastLine && !firstOnLine.has(line)) firstOnLine.set(line, index - 1)
      lastLine = line
      if (weight > HELD_BYTES) return
      // Not deleted: that would make a slower, larger object of it.
      if (without !== undefined && isRow(value) && without in value) value[without] = null
      held.set(index, value)
      weight += weightOf(value, isWide)
    },
    async get(place) {
      const value = held.get(place.index)
      return value === undefined ? again(place) : value
    },
  }
}
