/** Checksums of stored text: they find damage and mix-ups, not malice. */

const NO_WORDS = new Int32Array(0)

/**
 * 53 bits of two multiplicative hashes over the UTF-16 units of `place` and `text`, then over `words`. The place (session
 * and seq) is part of it, so that a sound row under another row's key is found too.
 */
export function checksum(place: string, text: string, words: Int32Array = NO_WORDS): number {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (const part of [place, text]) {
    for (let at = 0; at < part.length; at += 1) {
      const unit = part.charCodeAt(at)
      a = Math.imul(a ^ unit, 2654435761)
      b = Math.imul(b ^ unit, 1597334677)
    }
    // Ends each part, so that units cannot move from one to the other unseen.
    a = Math.imul(a ^ part.length, 2246822507)
    b = Math.imul(b ^ part.length, 3266489909)
  }
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    a = Math.imul(a ^ word, 2654435761)
    b = Math.imul(b ^ word, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}
