/**
 * Heads as a table of numbers and one text: what is stored of a run of events, and copied in one piece.
 * A head read out of it is a view of a row (packed-head.ts), so opening a log makes no objects but one
 * small one for each event.
 *
 * `words` holds, one after the other: how long the parts are; a row of `FIELDS` words for each head, less
 * than a line of the processor's cache; lists (sources, calls, what few heads have); the ends of the
 * strings in `text`.
 */

import type { EventHead, EventType, Seq } from './event'
import type { Usage } from './message'

export type HeadColumns = { words: Int32Array<ArrayBuffer>; text: string }

/** Every type has its number for good: it is stored. */
const CODES: Readonly<Record<EventType, number>> = {
  'session/open': 0,
  'session/title': 1,
  'request/header': 2,
  'turn/start': 3,
  'turn/end': 4,
  'step/start': 5,
  'step/end': 6,
  'request/failed': 7,
  'user/message': 8,
  'assistant/message': 9,
  'tool/call': 10,
  'tool/result': 11,
  'compact/start': 12,
  'compact/window': 13,
  'compact/draft': 14,
  'compact/summary': 15,
  'compact/end': 16,
  'compact/prune': 17,
  'pin/set': 18,
  'surface/restore': 19,
}
export const TYPES = Object.keys(CODES) as readonly EventType[]
/** A head no row can hold (a foreign type, a huge number) is kept as JSON. */
export const ODD = 255

/** Fields that every head has a word for. `META`: type, op and `BLANK`. Absent is -1. */
export const FIELD = {
  meta: 0,
  timeLow: 1,
  timeHigh: 2,
  start: 3,
  end: 4,
  tokens: 5,
  bytes: 6,
  turn: 7,
  step: 8,
  kind: 9,
  name: 10,
  bracket: 11,
  calls: 12,
  extra: 13,
} as const
export const FIELDS = 14
/** Place of the op in `meta`, and its values. */
export const OP_SHIFT = 8
export const OP = { none: 0, append: 1, replace: 2, restore: 3 } as const
export const BLANK = 1 << 10

/** What few heads have: a list of a mask and one word for each bit set, in this order. */
export const EXTRA = {
  media: 1,
  chars: 2,
  measured: 4,
  cites: 8,
  frame: 16,
  names: 32,
  sources: 64,
  seqs: 128,
  range: 256,
  usage: 512,
  limits: 1024,
} as const

/** Words before the fields: heads, first seq, length of the lists, strings. */
export const PREFACE = 4
export const HIGH = 2 ** 32

const isWord = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && (value | 0) === value

const KNOWN = new Set<keyof EventHead>([
  ...(['seq', 'time', 'type', 'op', 'sources', 'calls', 'names', 'tokens', 'bytes'] as const),
  ...(['media', 'frame', 'chars', 'blank', 'turn', 'step', 'compactionId', 'kind'] as const),
  ...(['name', 'seqs', 'range', 'cites', 'measured', 'usage', 'limits'] as const),
])
const USAGE_KEYS: readonly (keyof Usage)[] = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
]

const areWords = (values: readonly unknown[]): boolean => values.every(isWord)
const maybe = (value: unknown): boolean => value === undefined || isWord(value)

/** Whether a row gives back exactly this head, an object of its own. */
function isRegular(head: EventHead): boolean {
  const { op, usage, range } = head
  const seqs = [...(head.sources ?? []), ...(head.seqs ?? [])]
  if (typeof op === 'object') seqs.push(...(op.op === 'replace' ? [op.start, op.end] : [op.seq]))
  if (range) seqs.push(range.start, range.end)
  const knows = (key: string) => KNOWN.has(key as keyof EventHead)
  const isUsage = (key: string) => USAGE_KEYS.includes(key as keyof Usage)
  return (
    CODES[head.type] !== undefined &&
    Number.isSafeInteger(head.time) &&
    areWords([head.tokens, head.bytes, head.media, ...seqs]) &&
    [head.turn, head.step, head.chars, head.measured, head.cites].every(maybe) &&
    (usage === undefined ||
      (Object.keys(usage).every(isUsage) && areWords(Object.values(usage)))) &&
    Object.keys(head).every(knows)
  )
}

/** Grows the lists and the strings while heads are packed. */
function createHeap() {
  const lists: number[] = []
  const strings: string[] = []
  const known = new Map<string, number>()
  const once = (text: string): number => strings.push(text) - 1
  const word = (text: string | undefined): number => {
    if (text === undefined) return -1
    const index = known.get(text) ?? once(text)
    known.set(text, index)
    return index
  }
  const list = (values: readonly number[] | undefined): number => {
    if (values === undefined) return -1
    const at = lists.length
    lists.push(values.length, ...values)
    return at
  }
  return { lists, strings, once, word, list }
}
type Heap = ReturnType<typeof createHeap>

/** Place of the head's extras among the lists; -1 where it has none. */
function packExtra(head: EventHead, { lists, once, word, list }: Heap): number {
  const { media, chars, measured, cites, frame, names, sources, seqs, range, usage, limits } = head
  const words: (number | undefined)[] = [
    media === 0 ? undefined : media,
    chars,
    measured,
    cites,
    frame === undefined ? undefined : once(frame),
    names && list(names.map(word)),
    sources && list(sources),
    seqs && list(seqs),
    range && list([range.start, range.end]),
    usage && list(USAGE_KEYS.map((key) => usage[key] ?? -1)),
    limits && once(JSON.stringify(limits)),
  ]
  const mask = words.reduce<number>(
    (all, value, bit) => (value === undefined ? all : all | (1 << bit)),
    0,
  )
  if (mask === 0) return -1
  const at = lists.length
  lists.push(mask, ...words.filter((value) => value !== undefined))
  return at
}

/** The words of one head, in the order of `FIELD`. */
function rowOf(head: EventHead, heap: Heap): number[] {
  const { op, time } = head
  const high = Math.floor(time / HIGH)
  const when = [(time - high * HIGH) | 0, high]
  if (!isRegular(head)) {
    const text = heap.once(JSON.stringify(head))
    return [ODD, ...when, -1, -1, 0, 0, -1, -1, -1, -1, -1, -1, text]
  }
  const kind = op === undefined ? 'none' : op === 'append' ? 'append' : op.op
  const start = typeof op === 'object' ? (op.op === 'replace' ? op.start : op.seq) : -1
  const end = typeof op === 'object' && op.op === 'replace' ? op.end : -1
  return [
    CODES[head.type] | (OP[kind] << OP_SHIFT) | (head.blank ? BLANK : 0),
    ...when,
    start,
    end,
    head.tokens,
    head.bytes,
    head.turn ?? -1,
    head.step ?? -1,
    heap.word(head.kind),
    heap.word(head.name),
    heap.word(head.compactionId),
    heap.list(head.calls?.map(heap.word)),
    packExtra(head, heap),
  ]
}

/** Packs heads that follow each other in a log; `openColumns` gives back the same. */
export function packColumns(
  heads: readonly EventHead[],
  from: Seq = heads[0]?.seq ?? 0,
): HeadColumns {
  const { length } = heads
  const heap = createHeap()
  const rows = heads.map((head) => rowOf(head, heap))
  const { lists, strings } = heap
  const words = new Int32Array(PREFACE + FIELDS * length + lists.length + strings.length)
  words.set([length, from, lists.length, strings.length])
  rows.forEach((row, index) => {
    words.set(row, PREFACE + FIELDS * index)
  })
  words.set(lists, PREFACE + FIELDS * length)
  let end = 0
  strings.forEach((text, index) => {
    end += text.length
    words[PREFACE + FIELDS * length + lists.length + index] = end
  })
  return { words, text: strings.join('') }
}
