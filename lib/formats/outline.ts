/**
 * A line of JSON without what its long texts say: enough to place a row in its tree. Where order is known
 * only once all of a file is, it is read twice, and the first time most of it need not be parsed.
 */

const [QUOTE, BACKSLASH, SPACE, U] = [0x22, 0x5c, 0x20, 0x75]
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA, COLON] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a]

function setOf(characters: string): Uint8Array {
  const set = new Uint8Array(256)
  for (const character of characters) set[character.charCodeAt(0)] = 1
  return set
}
/** What may follow a backslash, `u` aside. */
const ESCAPED = setOf('"\\/bfnrt')
/** What says outside texts where a member ends. */
const MARKS = setOf('{}[],')
/** Texts beyond this become empty: ids, types and times are shorter. */
const LONG = 512

const isHex = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)

/** Bytes a text cannot simply hold. */
const SPECIAL = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
)

/** The same for two bytes at once: one look a byte is what this pass costs otherwise. */
function specialPairs(): Uint8Array {
  const pairs = new Uint8Array(0x10000)
  for (let pair = 0; pair < 0x10000; pair += 1) {
    pairs[pair] = (SPECIAL[pair & 0xff] as number) | (SPECIAL[pair >> 8] as number)
  }
  return pairs
}
let pairsOf: Uint8Array | null = null

/** A line with the same bytes by twos: from its second on where memory begins it at an odd place. */
type Bytes = { bytes: Uint8Array; pairs: Uint16Array; odd: number }

function byTwos(bytes: Uint8Array): Bytes {
  const odd = bytes.byteOffset & 1
  const count = Math.max(0, bytes.length - odd) >> 1
  return { bytes, pairs: new Uint16Array(bytes.buffer, bytes.byteOffset + odd, count), odd }
}

/** The first special byte from `from` on; the end where there is none. */
function nextSpecial({ bytes, pairs, odd }: Bytes, from: number, special: Uint8Array): number {
  const { length } = bytes
  let at = from
  if (((at - odd) & 1) !== 0) {
    if (at >= length || SPECIAL[bytes[at] as number] !== 0) return at
    at += 1
  }
  const count = pairs.length
  let pair = (at - odd) >> 1
  while (pair < count && special[pairs[pair] as number] === 0) pair += 1
  at = pair * 2 + odd
  while (at < length && SPECIAL[bytes[at] as number] === 0) at += 1
  return at
}

/** Where the text that begins at `from` ends: the place of its closing quote; -1 where it is not sound. */
function endOfText(line: Bytes, from: number): number {
  pairsOf ??= specialPairs()
  const { bytes } = line
  const { length } = bytes
  for (let at = nextSpecial(line, from, pairsOf); at < length; ) {
    const byte = bytes[at] as number
    if (byte === QUOTE) return at
    if (byte !== BACKSLASH) return -1
    const mark = bytes[at + 1] ?? 0
    if (mark === U) {
      for (let digit = 2; digit <= 5; digit += 1) if (!isHex(bytes[at + digit] ?? 0)) return -1
      at += 6
    } else if (ESCAPED[mark] === 1) at += 2
    else return -1
    at = nextSpecial(line, at, pairsOf)
  }
  return -1
}

/** Bytes of a line, `to` not among them. */
export type Cut = { from: number; to: number }

/** `cut`: the member that was to be left out, with a comma beside it; null where it is not there or short. */
export type Outline = { bytes: Uint8Array; cut: Cut | null }

/** Finds a member of a line's object by its name, told of every text and mark outside texts. */
function createFinder(bytes: Uint8Array, name: Uint8Array) {
  let depth = 0
  let from = -1
  let cut: Cut | null = null
  const isName = (at: number, end: number) =>
    end - at - 1 === name.length && name.every((byte, n) => bytes[at + 1 + n] === byte)
  const endAt = (to: number) => {
    if (to - from > LONG) cut = { from, to }
    from = -1
  }
  return {
    text(at: number, end: number) {
      if (depth === 1 && from < 0 && !cut && bytes[end + 1] === COLON && isName(at, end)) from = at
    },
    mark(at: number, byte: number) {
      if (byte === OPEN || byte === OPEN_LIST) depth += 1
      else if (byte === COMMA) {
        if (depth === 1 && from >= 0) endAt(at + 1)
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        depth -= 1
        if (depth > 0 || from < 0) return
        // The last member: the comma before it goes instead.
        if (bytes[from - 1] === COMMA) from -= 1
        else if (bytes[from - 1] !== OPEN) return
        endAt(at)
      }
    },
    found: () => cut,
  }
}

/**
 * The line with its long texts emptied: JSON exactly where the line is, of the same shape. Null where a
 * text of it is not sound. The same bytes where nothing was long. `without`: in UTF-8, the name of a member
 * nobody will ask for, whose place is answered too.
 */
export function outlineOf(bytes: Uint8Array, without: Uint8Array | null = null): Outline | null {
  const line = byTwos(bytes)
  const finder = without ? createFinder(bytes, without) : null
  const pieces: Uint8Array[] = []
  let size = 0
  let from = 0
  const take = (to: number) => {
    pieces.push(bytes.subarray(from, to))
    size += to - from
  }
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    if (byte !== QUOTE) {
      if (finder && MARKS[byte] === 1) finder.mark(at, byte)
      continue
    }
    const end = endOfText(line, at + 1)
    if (end < 0) return null
    finder?.text(at, end)
    if (end - at > LONG) {
      take(at + 1)
      from = end
    }
    at = end
  }
  const cut = finder?.found() ?? null
  if (from === 0) return { bytes, cut }
  take(bytes.length)
  const whole = new Uint8Array(size)
  let to = 0
  for (const piece of pieces) {
    whole.set(piece, to)
    to += piece.length
  }
  return { bytes: whole, cut }
}
