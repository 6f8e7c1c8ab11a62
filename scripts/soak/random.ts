/** Chance that can be repeated: one seed, one soak. */

export interface Chance {
  /** From 0 up to 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  /** True that often. */
  odds(share: number): boolean
  one<T>(items: readonly T[]): T
  /** About that many characters of words, some of them not Latin. */
  words(length: number): string
}

const WORDS =
  'harbour ledger tide 42 /src/index.ts v1.2.3 crane README.md 0x1f berth buoy ☃ 港 Кран lantern "quoted" must never'.split(
    ' ',
  )

/** mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const one = <T>(items: readonly T[]): T => items[whole(0, items.length - 1)] as T
  return {
    next,
    whole,
    odds: (share) => next() < share,
    one,
    words(length) {
      const words: string[] = []
      for (let left = length; left > 0; ) {
        const word = one(WORDS)
        words.push(word)
        left -= word.length + 1
      }
      return words.join(' ')
    },
  }
}
