/** The records of a JSONL file with their places, and again by place where a file is read out of order. */

import type { Json } from '../core/message'
import type { ForeignFile, Place, Row } from './foreign'
import { decodeLine, type Line, readLineRuns } from './lines'
import { outlineOf } from './outline'
import { parseRecords } from './records'
import { remark } from './report'

const NEWLINE_BYTES = 1
const [SPACE, TAB, RETURN] = [0x20, 0x09, 0x0d]
const countBroken = (text: string): number => text.match(/\ufffd/g)?.length ?? 0

/**
 * Every record of the file in order. Broken lines go to the report, blank ones nowhere; a line may hold
 * several records. Counts lines, bytes and repairs; never throws for what the file holds. `outline`: rows
 * come without what their long texts say, and a shelf has them whole; it counts their repairs.
 */
export async function* readRows(file: ForeignFile, { outline = false } = {}): AsyncGenerator<Row> {
  const { report } = file
  let at = 0
  let index = 0
  let lastLine = 0
  for await (const run of readLineRuns(file.source, file.lines)) {
    for (const line of run) {
      const bytes = line.bytes.length
      report.lines = line.number
      const records = outlined(line, outline) ?? rowsOfLine(file, line)
      for (const [nth, { value, damaged }] of records.entries()) {
        file.seen.push(line.number)
        yield { index: index++, line: line.number, nth, at, bytes, value, damaged }
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

type Parsed = Pick<Row, 'value' | 'damaged'>

/** The one record of a sound line in outline; null where the line must be read whole. */
function outlined(line: Line, isWanted: boolean): Parsed[] | null {
  const bytes = isWanted ? outlineOf(line.bytes) : null
  if (!bytes) return null
  const { values, damaged, problem } = parseRecords(decodeLine({ ...line, bytes }).text)
  const [value] = values
  return value === undefined || damaged || problem ? null : [{ value, damaged: false }]
}

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
  }))
}

/** Bytes read around a row that was let go: rows are asked for in order, nearly always. */
const WINDOW = 1 << 20

type Window = { at: number; bytes: Uint8Array }

async function windowAt(source: Blob | Uint8Array, at: number, length: number): Promise<Window> {
  if (!(source instanceof Blob)) return { at: 0, bytes: source }
  const end = at + Math.max(WINDOW, length)
  return { at, bytes: new Uint8Array(await source.slice(at, end).arrayBuffer()) }
}

export type Shelf = {
  /** The row's value, whole. Says in the report, and of the place, what had to be repaired. */
  get(place: Place): Promise<Json>
}

/** Rows by place, for formats whose order is known only once all of the file is: read again, not held. */
export function createShelf(file: ForeignFile): Shelf {
  // A text would be encoded again for every row.
  const source =
    typeof file.source === 'string' ? new TextEncoder().encode(file.source) : file.source
  let window: Window = { at: 0, bytes: new Uint8Array() }
  return {
    async get(place) {
      const { line, at, bytes } = place
      const isInside = at >= window.at && at + bytes <= window.at + window.bytes.length
      if (!isInside) window = await windowAt(source, at, bytes)
      const from = at - window.at
      const found = window.bytes.subarray(from, from + bytes)
      const { text, broken } = decodeLine({ number: line, bytes: found, last: false })
      const { values, repaired } = parseRecords(text)
      const mended = repaired + (broken ? countBroken(text) : 0)
      if (mended > 0 && !place.damaged) {
        place.damaged = true
        file.report.repaired += mended
      }
      return values[place.nth] ?? null
    },
  }
}
