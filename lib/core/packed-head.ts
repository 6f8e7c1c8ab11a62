/** A head as a view of one row of a table (columns.ts): its fields are read where they lie, when they are asked for. */

import {
  BLANK,
  EXTRA,
  FIELD,
  FIELDS,
  type HeadColumns,
  HIGH,
  ODD,
  OP,
  OP_SHIFT,
  PREFACE,
  TYPES,
} from './columns'
import type { EventHead, EventType, Range, RestoreOp, Seq, SurfaceOp } from './event'
import type { Usage } from './message'

/** Words that many heads share, once each, so that comparing them compares places. */
const shared = new Map<string, string>()

function share(text: string): string {
  const known = shared.get(text)
  if (known !== undefined) return known
  shared.set(text, text)
  return text
}

/** A table with its parts found. */
class Table {
  readonly words: Int32Array
  readonly length: number
  readonly from: Seq
  private readonly text: string
  private readonly lists: number
  private readonly ends: number
  /** Strings read so far. */
  private readonly strings: (string | undefined)[] = []

  constructor({ words, text }: HeadColumns) {
    this.words = words
    this.text = text
    this.length = words[0]!
    this.from = words[1]!
    this.lists = PREFACE + FIELDS * this.length
    this.ends = this.lists + words[2]!
  }

  /** The word at `index` of the lists. */
  listed(index: number): number {
    return this.words[this.lists + index]!
  }

  list(at: number): number[] {
    const first = this.lists + at + 1
    const values = new Array<number>(this.words[first - 1]!)
    for (let index = 0; index < values.length; index += 1)
      values[index] = this.words[first + index]!
    return values
  }

  string(index: number): string {
    const end = this.ends + index
    return this.text.slice(index === 0 ? 0 : this.words[end - 1]!, this.words[end]!)
  }

  /** The same, cut out once: ids are looked up again and again, and hashed when they are new. */
  kept(index: number): string {
    const known = this.strings[index]
    if (known !== undefined) return known
    const text = this.string(index)
    this.strings[index] = text
    return text
  }

  /** The same where it is one of few, and asked for often. */
  word(index: number): string {
    const known = this.strings[index]
    if (known !== undefined) return known
    const text = share(this.string(index))
    this.strings[index] = text
    return text
  }
}

const bitsOf = (mask: number): number => {
  let bits = 0
  for (let left = mask; left !== 0; left &= left - 1) bits += 1
  return bits
}

class PackedHead implements EventHead {
  readonly seq: Seq
  private readonly table: Table
  /** Where its row begins. */
  private readonly at: number
  /** Made once: every fold asks for them. */
  private ids: readonly string[] | undefined = undefined

  constructor(table: Table, row: number) {
    this.seq = table.from + row
    this.table = table
    this.at = PREFACE + FIELDS * row
  }

  private field(field: number): number {
    return this.table.words[this.at + field]!
  }

  private present(field: number): number | undefined {
    const value = this.field(field)
    return value < 0 ? undefined : value
  }

  private word(field: number): string | undefined {
    const index = this.field(field)
    return index < 0 ? undefined : this.table.word(index)
  }

  private extra(bit: number): number | undefined {
    const at = this.field(FIELD.extra)
    if (at < 0) return undefined
    const mask = this.table.listed(at)
    return mask & bit ? this.table.listed(at + 1 + bitsOf(mask & (bit - 1))) : undefined
  }

  private list(bit: number): number[] | undefined {
    const at = this.extra(bit)
    return at === undefined ? undefined : this.table.list(at)
  }

  get time(): number {
    return this.field(FIELD.timeHigh) * HIGH + (this.field(FIELD.timeLow) >>> 0)
  }

  get type(): EventType {
    return TYPES[this.field(FIELD.meta) & 0xff]!
  }

  get op(): SurfaceOp | RestoreOp | undefined {
    const op = (this.field(FIELD.meta) >> OP_SHIFT) & 3
    if (op === OP.none) return undefined
    if (op === OP.append) return 'append'
    const start = this.field(FIELD.start)
    return op === OP.restore
      ? { op: 'restore', seq: start }
      : { op: 'replace', start, end: this.field(FIELD.end) }
  }

  get sources(): readonly Seq[] | undefined {
    return this.list(EXTRA.sources)
  }

  get calls(): readonly string[] | undefined {
    const at = this.field(FIELD.calls)
    if (at < 0) return undefined
    this.ids ??= this.table.list(at).map((index) => this.table.kept(index))
    return this.ids
  }

  get names(): readonly string[] | undefined {
    return this.list(EXTRA.names)?.map((index) => this.table.word(index))
  }

  get tokens(): number {
    return this.field(FIELD.tokens)
  }

  get bytes(): number {
    return this.field(FIELD.bytes)
  }

  get media(): number {
    return this.extra(EXTRA.media) ?? 0
  }

  get frame(): string | undefined {
    const index = this.extra(EXTRA.frame)
    return index === undefined ? undefined : this.table.string(index)
  }

  get chars(): number | undefined {
    return this.extra(EXTRA.chars)
  }

  get blank(): true | undefined {
    return this.field(FIELD.meta) & BLANK ? true : undefined
  }

  get turn(): number | undefined {
    return this.present(FIELD.turn)
  }

  get step(): number | undefined {
    return this.present(FIELD.step)
  }

  get compactionId(): string | undefined {
    const index = this.present(FIELD.bracket)
    return index === undefined ? undefined : this.table.kept(index)
  }

  get kind(): string | undefined {
    return this.word(FIELD.kind)
  }

  get name(): string | undefined {
    return this.word(FIELD.name)
  }

  get seqs(): readonly Seq[] | undefined {
    return this.list(EXTRA.seqs)
  }

  get range(): Range | undefined {
    const at = this.extra(EXTRA.range)
    if (at === undefined) return undefined
    return { start: this.table.listed(at + 1), end: this.table.listed(at + 2) }
  }

  get cites(): Seq | undefined {
    return this.extra(EXTRA.cites)
  }

  get measured(): number | undefined {
    return this.extra(EXTRA.measured)
  }

  get usage(): Usage | undefined {
    const at = this.extra(EXTRA.usage)
    if (at === undefined) return undefined
    const [input, output, created, read] = this.table.list(at) as [number, number, number, number]
    const usage: Usage = { input_tokens: input, output_tokens: output }
    if (created >= 0) usage.cache_creation_input_tokens = created
    if (read >= 0) usage.cache_read_input_tokens = read
    return usage
  }

  get limits(): EventHead['limits'] {
    const index = this.extra(EXTRA.limits)
    return index === undefined ? undefined : JSON.parse(this.table.string(index))
  }
}

/** The heads that `packColumns` packed. Constant work and one small object for each. */
export function openColumns(columns: HeadColumns): EventHead[] {
  const table = new Table(columns)
  const heads: EventHead[] = new Array(table.length)
  for (let row = 0; row < table.length; row += 1) {
    const at = PREFACE + FIELDS * row
    const isOdd = (table.words[at + FIELD.meta]! & 0xff) === ODD
    heads[row] = isOdd
      ? (JSON.parse(table.string(table.words[at + FIELD.extra]!)) as EventHead)
      : new PackedHead(table, row)
  }
  return heads
}

const KEYS: readonly (keyof EventHead)[] = [
  ...([
    'seq',
    'time',
    'type',
    'tokens',
    'bytes',
    'media',
    'op',
    'sources',
    'calls',
    'names',
  ] as const),
  ...(['frame', 'chars', 'blank', 'turn', 'step', 'compactionId', 'kind', 'name'] as const),
  ...(['seqs', 'range', 'cites', 'measured', 'usage', 'limits'] as const),
]

/** The head as an object of its own with the keys it has: to compare, and to write. */
export function plainHead(head: EventHead): EventHead {
  if (!(head instanceof PackedHead)) return head
  const entries = KEYS.map((key) => [key, head[key]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as EventHead
}
