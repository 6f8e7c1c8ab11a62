/** Text as the log holds it: well-formed Unicode (L5), counted in the three units that rules use. */

const LONE_SURROGATES = /\p{Surrogate}/gu

/** Of ES2024, which every supported browser and Node have and this folder's library does not name yet. */
declare global {
  interface String {
    isWellFormed(): boolean
  }
}

export const isWellFormed = (text: string): boolean => text.isWellFormed()

/** Replaces each lone surrogate by U+FFFD and says how many there were (L5). */
export function repairText(text: string): { text: string; repaired: number } {
  if (isWellFormed(text)) return { text, repaired: 0 }
  let repaired = 0
  const fixed = text.replace(LONE_SURROGATES, () => {
    repaired++
    return '\uFFFD'
  })
  return { text: fixed, repaired }
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Whether a surrogate pair begins at `index`. */
export const isPairAt = (text: string, index: number): boolean =>
  isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))

// Most text is ASCII, which a search settles many times faster than a loop over its units.
const HIGH_SURROGATE = /[\ud800-\udbff]/
const BEYOND_ASCII = /[\u0080-\uffff]/

/** Unicode code points; a lone surrogate counts as one. */
export function codePoints(text: string): number {
  if (!HIGH_SURROGATE.test(text)) return text.length
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    if (isPairAt(text, i)) {
      count--
      i++
    }
  }
  return count
}

/** Bytes of the text in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  if (!BEYOND_ASCII.test(text)) return text.length
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (isPairAt(text, i)) {
      bytes += 4
      i++
    } else bytes += 3
  }
  return bytes
}

/** JSON with keys sorted by UTF-16 units and undefined members left out: equal data, equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}
