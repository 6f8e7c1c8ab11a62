/**
 * A line of JSON without what its long texts say: enough to place a row in its tree. Where order is known
 * only once all of a file is, it is read twice, and the first time most of it need not be parsed.
 */

const [QUOTE, BACKSLASH, SPACE, U] = [0x22, 0x5c, 0x20, 0x75]
/** What may follow a backslash, `u` aside. */
const ESCAPED = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)))
/** Texts beyond this become empty: ids, types and times are shorter. */
const LONG = 512

const isHex = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)

/** Bytes a text cannot simply hold: one look a byte is what this pass costs. */
const SPECIAL = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
)

/** Where the text that begins at `from` ends: the place of its closing quote; -1 where it is not sound. */
function endOfText(bytes: Uint8Array, from: number): number {
  const { length } = bytes
  for (let at = from; at < length; at += 1) {
    while (at < length && SPECIAL[bytes[at] as number] === 0) at += 1
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) return at
    if (byte < SPACE) return -1
    if (byte !== BACKSLASH) continue
    at += 1
    const mark = bytes[at] ?? 0
    if (mark === U) {
      for (let digit = 1; digit <= 4; digit += 1) if (!isHex(bytes[at + digit] ?? 0)) return -1
      at += 4
    } else if (!ESCAPED.has(mark)) return -1
  }
  return -1
}

/**
 * The line with its long texts emptied: JSON exactly where the line is, of the same shape. Null where a
 * text of it is not sound. The same bytes where nothing was long.
 */
export function outlineOf(bytes: Uint8Array): Uint8Array | null {
  const pieces: Uint8Array[] = []
  let size = 0
  let from = 0
  const take = (to: number) => {
    pieces.push(bytes.subarray(from, to))
    size += to - from
  }
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== QUOTE) continue
    const end = endOfText(bytes, at + 1)
    if (end < 0) return null
    if (end - at > LONG) {
      take(at + 1)
      from = end
    }
    at = end
  }
  if (from === 0) return bytes
  take(bytes.length)
  const whole = new Uint8Array(size)
  let to = 0
  for (const piece of pieces) {
    whole.set(piece, to)
    to += piece.length
  }
  return whole
}
