/**
 * Python objects as their `repr`, which `json.dumps(…, default=str)` leaves where it meets one:
 * `TextBlock(text='…', type='text')`. Read back as objects of their keyword arguments.
 */

import type { Json, JsonObject } from '../core/message'

type Cursor = { text: string; at: number }

const NAME = /[A-Za-z_][A-Za-z0-9_.]*/y
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y
const WORDS: Record<string, Json> = { None: null, True: true, False: false }
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0', b: '\b', f: '\f' }
/** Deeper reprs are no messages. */
const MAX_DEPTH = 100

const skip = (cursor: Cursor): void => {
  while (/\s/.test(cursor.text[cursor.at] ?? '')) cursor.at += 1
}
function take(cursor: Cursor, wanted: string): boolean {
  skip(cursor)
  if (!cursor.text.startsWith(wanted, cursor.at)) return false
  cursor.at += wanted.length
  return true
}
function match(cursor: Cursor, pattern: RegExp): string | null {
  skip(cursor)
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0] ?? null
  if (found !== null) cursor.at += found.length
  return found
}

/** `\xhh`, `\uhhhh` and `\Uhhhhhhhh`. */
const HEX_LENGTH: Record<string, number> = { x: 2, u: 4, U: 8 }

function readString(cursor: Cursor, quote: string): string {
  let said = ''
  for (;;) {
    const character = cursor.text[cursor.at]
    if (character === undefined) throw new SyntaxError('a text does not end')
    cursor.at += 1
    if (character === quote) return said
    if (character !== '\\') {
      said += character
      continue
    }
    const mark = cursor.text[cursor.at] ?? ''
    cursor.at += 1
    const length = HEX_LENGTH[mark]
    if (length === undefined) said += ESCAPES[mark] ?? mark
    else {
      const code = Number.parseInt(cursor.text.slice(cursor.at, cursor.at + length), 16)
      cursor.at += length
      said += code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
    }
  }
}

function readList(cursor: Cursor, close: string, depth: number): Json[] {
  const items: Json[] = []
  while (!take(cursor, close)) {
    items.push(readValue(cursor, depth))
    if (!take(cursor, ',') && !cursor.text.startsWith(close, cursor.at)) {
      throw new SyntaxError('a list does not go on')
    }
  }
  return items
}

function readMembers(
  cursor: Cursor,
  close: string,
  separator: string,
  key: () => string,
  depth: number,
): JsonObject {
  const members: [string, Json][] = []
  while (!take(cursor, close)) {
    const name = key()
    if (!take(cursor, separator)) throw new SyntaxError('a member has no value')
    members.push([name, readValue(cursor, depth)])
    skip(cursor)
    if (!take(cursor, ',') && !cursor.text.startsWith(close, cursor.at)) {
      throw new SyntaxError('an object does not go on')
    }
  }
  return Object.fromEntries(members)
}

function readValue(cursor: Cursor, depth: number): Json {
  if (depth > MAX_DEPTH) throw new SyntaxError('too deep')
  for (const quote of ["'", '"']) if (take(cursor, quote)) return readString(cursor, quote)
  if (take(cursor, '[')) return readList(cursor, ']', depth + 1)
  if (take(cursor, '(')) return readList(cursor, ')', depth + 1)
  if (take(cursor, '{')) {
    const key = () => String(readValue(cursor, depth + 1))
    return readMembers(cursor, '}', ':', key, depth + 1)
  }
  const number = match(cursor, NUMBER)
  if (number !== null) return Number(number)
  const name = match(cursor, NAME)
  if (name === null) throw new SyntaxError('no value')
  if (Object.hasOwn(WORDS, name)) return WORDS[name] as Json
  if (!take(cursor, '(')) return name
  const key = () => match(cursor, NAME) ?? ''
  return readMembers(cursor, ')', '=', key, depth + 1)
}

/** The value of a repr; null for a text that is none. */
export function parseRepr(text: string): Json {
  if (!/^\[?[A-Z][A-Za-z]*\(/.test(text.trim())) return null
  const cursor = { text, at: 0 }
  try {
    const value = readValue(cursor, 0)
    skip(cursor)
    return cursor.at === text.length ? value : null
  } catch {
    return null
  }
}
