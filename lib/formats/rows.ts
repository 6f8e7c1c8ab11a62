/** The records of a JSONL file with their places, and again by place where a file is read out of order. */

import type { Json } from '../core/message'
import type { ForeignFile, Place, Row } from './foreign'
import { decodeLine, join, type Line, readLineRuns } from './lines'
import { type Cut, outlineOf } from './outline'
import { parseRecords } from './records'
import { remark } from './report'

const NEWLINE_BYTES = 1
const LINE_END = new Uint8Array([0x0a])
const NOTHING = new Uint8Array()
const [SPACE, TAB, RETURN] = [0x20, 0x09, 0x0d]
const countBroken = (text: string): number => text.match(/\ufffd/g)?.length ?? 0

type RowOptions = {
  /** Rows come without what their long texts say; a shelf has them whole, and counts their repairs. */
  outline?: boolean
  /** Of outlined rows: the name of a member that a shelf may leave out, because nobody asks for it. */
  without?: string
}

/**
 * Every record of the file in order, by the chunks of the file they end in: take each run to its end, since it
 * is read as it is taken. Broken lines go to the report, blank ones nowhere; a line may hold several records.
 * Counts lines, bytes and repairs; never throws for what the file holds.
 */
export async function* readRowRuns(
  file: ForeignFile,
  { outline = false, without }: RowOptions = {},
): AsyncGenerator<Iterable<Row>> {
  const { report } = file
  const unread = without === undefined ? null : new TextEncoder().encode(without)
  let at = 0
  let index = 0
  let lastLine = 0
  function* rowsOf(run: readonly Line[]): Generator<Row> {
    const sketches = outline ? sketch(run, unread) : []
    for (const [n, line] of run.entries()) {
      const bytes = line.bytes.length
      report.lines = line.number
      const drawn = sketches[n]
      const records = (drawn ? outlined(drawn) : null) ?? rowsOfLine(file, line)
      for (let nth = 0; nth < records.length; nth += 1) {
        const { value, damaged, cut } = records[nth] as Parsed
        file.seen.push(line.number)
        const row: Row = { index, line: line.number, nth, at, bytes, damaged, value }
        if (cut) row.cut = cut
        index += 1
        yield row
      }
      at += bytes + (line.last ? 0 : NEWLINE_BYTES)
      report.bytes = at
      if (records.length > 0 || !isBlank(line)) lastLine = line.number
    }
  }
  for await (const run of readLineRuns(file.source, file.lines)) yield rowsOf(run)
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

type Parsed = Pick<Row, 'value' | 'damaged' | 'cut'>

/** What is known of a line in outline: its text, without what is long. */
type Sketch = { text: string; cut: Cut | null }

/** One call decodes many outlines: for texts so short the call is what costs. */
const SKETCHED = 64 << 10
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Outlines of lines, decoded by groups; none for a line that must be read whole. */
function sketch(lines: readonly Line[], without: Uint8Array | null): (Sketch | null)[] {
  const found = lines.map(({ bytes }) => outlineOf(bytes, without))
  const sketches: (Sketch | null)[] = []
  for (let from = 0; from < found.length; ) {
    const pieces: Uint8Array[] = []
    let size = 0
    let to = from
    for (; to < found.length && size < SKETCHED; to += 1) {
      const bytes = found[to]?.bytes ?? NOTHING
      pieces.push(bytes, LINE_END)
      size += bytes.length + 1
    }
    const group = found.slice(from, to)
    const texts = textsOf(join(pieces)) ?? group.map(() => null)
    group.forEach((outline, n) => {
      const text = texts[n] ?? null
      sketches.push(outline && text !== null ? { text, cut: outline.cut } : null)
    })
    from = to
  }
  return sketches
}

function textsOf(bytes: Uint8Array): string[] | null {
  try {
    return strict.decode(bytes).split('\n')
  } catch {
    return null
  }
}

/** The one record of a sound line in outline; null where the line must be read whole. */
function outlined({ text, cut }: Sketch): Parsed[] | null {
  const { values, damaged, problem } = parseRecords(text)
  const [value] = values
  if (value === undefined || damaged || problem) return null
  return [{ value, damaged: false, ...(cut ? { cut } : {}) }]
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

/** Bytes passed over rather than begin the stream anew. */
const NEAR = 4 << 20

type Bytes = Uint8Array | Promise<Uint8Array>

/**
 * Bytes of a blob by place. A stream of it costs a third of what slices do, and rows are asked for in order
 * nearly always; where they are not, it begins anew.
 */
function createTape(source: Blob): (at: number, length: number) => Bytes {
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  /** What is here of the blob: `held` from `from` on. */
  let held: Uint8Array = NOTHING
  let from = 0

  const begin = async (at: number) => {
    await reader?.cancel()
    reader = source.slice(at).stream().getReader()
    held = NOTHING
    from = at
  }

  async function wind(at: number, length: number): Promise<Uint8Array> {
    if (!reader || at < from || at > from + held.length + NEAR) await begin(at)
    const pieces: Uint8Array[] = []
    let have = 0
    for (;;) {
      const piece = held.subarray(Math.max(0, at + have - from), at + length - from)
      if (piece.length > 0) pieces.push(piece)
      have += piece.length
      if (have === length) break
      const next = await reader?.read()
      if (!next || next.done) break
      from += held.length
      held = next.value
    }
    return join(pieces)
  }

  return (at, length) => {
    const isHere = at >= from && at + length <= from + held.length
    return isHere ? held.subarray(at - from, at - from + length) : wind(at, length)
  }
}

export type Shelf = {
  /** The row's value, whole but for what may be left out. Says in the report, and of the place, what had to be repaired. */
  get(place: Place): Json | Promise<Json>
}

/** Rows by place, for formats whose order is known only once all of the file is: read again, not held. */
export function createShelf({ source, report }: ForeignFile): Shelf {
  // A text would be encoded again for every row.
  const whole = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const tape =
    whole instanceof Blob
      ? createTape(whole)
      : (at: number, length: number): Bytes => whole.subarray(at, at + length)

  function read(place: Place, bytes: Uint8Array): Json {
    const { line, cut } = place
    const kept = cut ? join([bytes.subarray(0, cut.from), bytes.subarray(cut.to)]) : bytes
    const { text, broken } = decodeLine({ number: line, bytes: kept })
    const { values, repaired } = parseRecords(text)
    const mended = repaired + (broken ? countBroken(text) : 0)
    if (mended > 0 && !place.damaged) {
      place.damaged = true
      report.repaired += mended
    }
    return values[place.nth] ?? null
  }

  return {
    get(place) {
      const bytes = tape(place.at, place.bytes)
      return bytes instanceof Uint8Array
        ? read(place, bytes)
        : bytes.then((found) => read(place, found))
    },
  }
}
