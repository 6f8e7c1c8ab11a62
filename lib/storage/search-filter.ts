/**
 * Filters of segments: a search passes over those that cannot hold what it looks for. A filter holds, as a
 * Bloom filter, the words of what can be read in a segment, beginnings of them, pairs of characters of
 * scripts without spaces, kinds and tools. It may say yes for nothing, never no for something. Pure.
 */

import type { SessionEvent } from '../core/event'
import { checksum } from './checksum'
import type { FilterRow } from './rows'
import { foldText, kindsWanted, type SearchQuery, type Term, UNSPACED } from './search-query'
import { readableOf } from './search-text'

/** Raised when a filter would hold something else for the same events: older ones are made anew. */
export const FILTER_FORM = 1

/** Bits for each thing held, and how many of them it sets: 2.4 % of what is not there looks as if it were. */
const BITS = 8
const SET = 4
/** Whole words of this many bytes: the checksum takes them at once. */
const WORD = 4
/** A filter of more bytes than this, and than a quarter of the characters, is not worth it and left empty. */
const FEW = 4_096
/** Lengths of beginnings held: a query that is being typed is a beginning. */
const BEGINNINGS = [3, 5, 8]

const WORDS = /[\p{L}\p{N}_]+/gu
/** Beyond the basic plane nothing is held: `matchText` sees halves of such characters, and so no words. */
const ASTRAL = /[\u{10000}-\u{10ffff}]/gu

const wordsOf = (text: string): string[] => text.replace(ASTRAL, ' ').match(WORDS) ?? []

const SEED = 0x811c9dc5
const PRIME = 0x01000193
const step = (hash: number, unit: number): number => Math.imul(hash ^ unit, PRIME)
/** The tag tells a word from a beginning with the same letters. */
function end(hash: number, tag: number): number {
  const mixed = Math.imul(step(hash, tag) ^ (hash >>> 15), 0x85ebca6b)
  return (mixed ^ (mixed >>> 13)) >>> 0
}

const WHOLE = 0x10001
const NAME = 0x10002
const PAIR = 0x10003

function hashOf(text: string, tag: number, length = text.length): number {
  let hash = SEED
  for (let at = 0; at < length; at++) hash = step(hash, text.charCodeAt(at))
  return end(hash, tag)
}

function takeWord(word: string, things: Set<number>): void {
  let hash = SEED
  for (let at = 0; at < word.length; at++) {
    hash = step(hash, word.charCodeAt(at))
    if (BEGINNINGS.includes(at + 1)) things.add(end(hash, at + 1))
  }
  things.add(end(hash, WHOLE))
  if (!UNSPACED.test(word)) return
  for (const pair of pairsOf(word)) things.add(hashOf(pair, PAIR))
}

/** Characters of scripts without spaces, single and two by two. */
function pairsOf(word: string): string[] {
  const pairs: string[] = []
  let before = ''
  for (const unit of word) {
    const isUnspaced = UNSPACED.test(unit)
    if (isUnspaced) pairs.push(unit)
    if (isUnspaced && before !== '') pairs.push(before + unit)
    before = isUnspaced ? unit : ''
  }
  return pairs
}

/** Collects what the filter of a segment holds, event by event. */
export function createFilter() {
  const things = new Set<number>()
  const seen = new Set<string>()
  let chars = 0
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  return {
    add(event: SessionEvent) {
      first = Math.min(first, event.time)
      last = Math.max(last, event.time)
      const readable = readableOf(event)
      if (!readable) return
      const { kind, tool, text } = readable
      chars += text.length
      things.add(hashOf(kind, NAME))
      if (tool !== undefined) things.add(hashOf(tool.toLowerCase(), NAME))
      for (const word of wordsOf(foldText(text))) {
        if (seen.has(word)) continue
        seen.add(word)
        takeWord(word, things)
      }
    },
    /** Of the events `seq` to `end` (exclusive). */
    row: (sessionId: string, seq: number, end: number): FilterRow =>
      pack({ sessionId, seq, end, form: FILTER_FORM, first, last, bits: bitsOf(things, chars) }),
  }
}

function bitsOf(things: ReadonlySet<number>, chars: number): Uint8Array<ArrayBuffer> {
  const size = Math.max(WORD, Math.ceil((things.size * BITS) / 8 / WORD) * WORD)
  if (size > Math.max(FEW, chars / 4)) return new Uint8Array(0)
  const bits = new Uint8Array(size)
  for (const thing of things)
    for (const bit of placesOf(thing, size * 8)) bits[bit >>> 3]! |= 1 << (bit & 7)
  return bits
}

function placesOf(thing: number, count: number): number[] {
  const other = (Math.imul(thing, 0x9e3779b1) >>> 0) | 1
  return Array.from({ length: SET }, (_, at) => ((thing + at * other) >>> 0) % count)
}

const sumOf = ({ sessionId, seq, end, form, first, last, bits }: Omit<FilterRow, 'sum'>): number =>
  checksum(
    `filter:${sessionId}/${seq}-${end}/${form}/${first}/${last}`,
    '',
    new Int32Array(bits.buffer, bits.byteOffset, bits.length / WORD),
  )

const pack = (row: Omit<FilterRow, 'sum'>): FilterRow => ({ ...row, sum: sumOf(row) })

/** Whether a stored row is a filter of these very events; what is not is as if it were not there. */
export const isSound = (row: FilterRow | undefined, end: number): row is FilterRow =>
  row !== undefined &&
  row.form === FILTER_FORM &&
  row.end === end &&
  row.bits instanceof Uint8Array &&
  row.bits.length % WORD === 0 &&
  row.bits.byteOffset % WORD === 0 &&
  row.sum === sumOf(row)

/** What must be held if the term is in a text: its words and beginnings, as `matchText` finds them. */
function thingsOf({ text, match }: Term): number[] {
  const words = wordsOf(text)
  if (match === 'anywhere') {
    const pairs = words.flatMap(pairsOf)
    const longer = pairs.filter((pair) => pair.length > 1)
    return (longer.length > 0 ? longer : pairs).map((pair) => hashOf(pair, PAIR))
  }
  const isOpen = match === 'prefix' && /[\p{L}\p{N}_]$/u.test(text)
  return words.flatMap((word, at) => {
    if (!isOpen || at < words.length - 1) return [hashOf(word, WHOLE)]
    const length = BEGINNINGS.findLast((each) => each <= word.length)
    return length === undefined ? [] : [hashOf(word, length, length)]
  })
}

/** A look at a filter: false when no event of its segment can match. */
export function mayHold(query: SearchQuery): (filter: FilterRow) => boolean {
  const terms = query.terms.flatMap(thingsOf)
  const kinds = kindsWanted(query).map((kind) => hashOf(kind, NAME))
  const tools = query.tools.map((tool) => hashOf(tool, NAME))
  return ({ first, last, bits }) => {
    if (query.after !== undefined && last < query.after) return false
    if (query.before !== undefined && first >= query.before) return false
    if (bits.length === 0) return true
    const count = bits.length * 8
    const holds = (thing: number) =>
      placesOf(thing, count).every((bit) => ((bits[bit >>> 3] as number) & (1 << (bit & 7))) !== 0)
    if (!terms.every(holds) || !kinds.some(holds)) return false
    return tools.length === 0 || tools.some(holds)
  }
}
