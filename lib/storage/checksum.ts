/** Checksums of stored text: they find damage and mix-ups, not malice. */

const FIRST = 2654435761
const SECOND = 1597334677
const NO_WORDS = new Int32Array(0)

/** Ends each part, so that nothing can move from one to the other unseen. */
const endFirst = (a: number, length: number) => Math.imul(a ^ length, 2246822507)
const endSecond = (b: number, length: number) => Math.imul(b ^ length, 3266489909)

/** 53 bits of two times 32. */
function mix(first: number, second: number): number {
  const a =
    Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909)
  const b = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

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
      a = Math.imul(a ^ unit, FIRST)
      b = Math.imul(b ^ unit, SECOND)
    }
    a = endFirst(a, part.length)
    b = endSecond(b, part.length)
  }
  // By index: walking a typed array by its iterator took ten times as long.
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as number
    a = Math.imul(a ^ word, FIRST)
    b = Math.imul(b ^ word, SECOND)
  }
  return mix(a, b)
}

/** Multiplying carries a difference upwards only; turned half way round, it goes on everywhere. */
const turn = (word: number) => (word << 15) | (word >>> 17)

/** The same of a long text, four units a step: half the time of one at a time. */
export function longChecksum(place: string, text: string): number {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (const part of [place, text]) {
    const end = part.length & ~3
    for (let at = 0; at < end; at += 4) {
      const first = part.charCodeAt(at) | (part.charCodeAt(at + 1) << 16)
      const second = part.charCodeAt(at + 2) | (part.charCodeAt(at + 3) << 16)
      a = turn(Math.imul(a ^ first, FIRST))
      b = turn(Math.imul(b ^ second, SECOND))
    }
    for (let at = end; at < part.length; at += 1) a = Math.imul(a ^ part.charCodeAt(at), FIRST)
    a = endFirst(a, part.length)
    b = endSecond(b, part.length)
  }
  return mix(a, b)
}
