/** Where a secret stands in a text, however it is spelled there: bare, escaped, percent-encoded, in base64. */

import { encodeBase64 } from './base64'
import { triePattern } from './redact-trie'

export type Hit = { index: number; start: number; end: number }

export type Matcher = {
  /** In order; never overlapping within one kind of spelling. `index` is that of the value. */
  hits(text: string): Hit[]
  /** The text with a substitute for every hit; the same string where there is none. */
  replace(text: string): string
}

/** Shorter runs of base64 are found by chance. A value of six bytes has one of eight characters. */
const LEAST_BASE64 = 8

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const ENTITIES: Record<string, string> = {
  '&': '&(?:amp;|#38;|#x26;)?',
  '<': '(?:<|&(?:lt;|#60;|#x3c;))',
  '>': '(?:>|&(?:gt;|#62;|#x3e;))',
  '"': '(?:"|&(?:quot;|#34;|#x22;))',
  "'": "(?:'|&(?:apos;|#39;|#x27;))",
}
const LETTERS: Record<string, string> = {
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\b': 'b',
  '\f': 'f',
}

/** One character as it is, or escaped however often: JSON in JSON doubles what stands before it. */
function characterPattern(character: string): string {
  const units = [...new Set([character, character.toUpperCase().slice(0, 1)])].map((unit) =>
    unit.charCodeAt(0).toString(16).padStart(4, '0'),
  )
  const code = `\\\\+u(?:${units.join('|')})`
  if (character === '\\') return '\\\\+'
  const letter = LETTERS[character]
  if (letter) return `(?:${escapeRegExp(character)}|\\\\+${letter}|${code})`
  if (character === '"' || character === '/' || character === "'")
    return `\\\\*(?:${ENTITIES[character] ?? '\\/'}|${code.slice(3)})`
  const bare = ENTITIES[character] ?? escapeRegExp(character)
  return /[a-z0-9 ]/i.test(character) ? bare : `(?:${bare}|${code})`
}

/** A value as it is and as an address writes it; what JSON and pages make of either is in the pattern. */
function spellings(value: string): string[] {
  const lower = value.toLowerCase()
  if (!value.isWellFormed()) return [lower]
  return [
    ...new Set([lower, encodeURIComponent(value).toLowerCase(), encodeURI(value).toLowerCase()]),
  ]
}

/** The characters of its base64 that depend on nothing around it, for each of the three alignments. */
function base64Spellings(value: string): string[] {
  const bytes = new TextEncoder().encode(value)
  return [0, 1, 2].flatMap((shift) => {
    const shifted = new Uint8Array(shift + bytes.length)
    shifted.set(bytes, shift)
    const from = Math.ceil((shift * 8) / 6)
    const to = Math.floor(((shift + bytes.length) * 8) / 6)
    const run = encodeBase64(shifted).slice(from, to)
    if (run.length < LEAST_BASE64) return []
    return [run, run.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** How a word may be written where the spelling cannot tell upper from lower case. */
const cases = (value: string): string[] => {
  const lower = value.toLowerCase()
  return [value, lower, value.toUpperCase(), lower.slice(0, 1).toUpperCase() + lower.slice(1)]
}

const filler = (length: number): string => 'REDACTED'.repeat(Math.ceil(length / 8)).slice(0, length)

/** The value of a word as it was found: its own spelling at once, an escaped one by trying. */
function createLookup(spelled: ReadonlyMap<string, number>): (found: string) => number {
  const seen = new Map<string, number>()
  return (found) => {
    const key = found.toLowerCase()
    const known = spelled.get(key) ?? seen.get(key)
    if (known !== undefined) return known
    for (const [word, index] of spelled) {
      if (!triePattern([word], 'iy', characterPattern)?.exec(found)?.[0].includes(found)) continue
      seen.set(key, index)
      return index
    }
    return 0
  }
}

/** Null where there is nothing to look for. One value has one substitute: what it joined still joins. */
export function createMatcher(values: readonly string[]): Matcher | null {
  const plain = new Map<string, number>()
  const coded = new Map<string, number>()
  for (const [index, value] of values.entries()) {
    if (value.trim() === '') continue
    for (const word of spellings(value)) if (!plain.has(word)) plain.set(word, index)
    for (const run of cases(value).flatMap(base64Spellings))
      if (!coded.has(run)) coded.set(run, index)
  }
  const words = triePattern(plain.keys(), 'gi', characterPattern)
  const codes = triePattern(coded.keys(), 'g', escapeRegExp)
  if (!words) return null
  const indexOf = createLookup(plain)
  return {
    hits(text) {
      const hit = (index: number, { 0: found, index: start }: RegExpExecArray): Hit => ({
        index,
        start,
        end: start + found.length,
      })
      const bare = [...text.matchAll(words)].map((match) => hit(indexOf(match[0]), match))
      const encoded = codes
        ? [...text.matchAll(codes)].map((match) => hit(coded.get(match[0]) ?? 0, match))
        : []
      return encoded.length === 0 ? bare : [...bare, ...encoded].sort((a, b) => a.start - b.start)
    },
    replace(text) {
      const bare = text.replace(words, (found) => `REDACTED-${indexOf(found) + 1}`)
      return codes ? bare.replace(codes, (found) => filler(found.length)) : bare
    },
  }
}

/** Bytes as a text, where they are one: UTF-8 without NULs. */
export function textIn(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, 8192).includes(0)) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\u0000') ? null : text
  } catch {
    return null
  }
}

const single = new TextDecoder('latin1')
const utf16 = (text: string): Uint8Array => {
  const units = Uint16Array.from(text, (_, at) => text.charCodeAt(at))
  return new Uint8Array(units.buffer)
}

/** The values that stand in bytes that are no text: names and comments in a picture, say. UTF-8 or UTF-16. */
export function valuesInBytes(bytes: Uint8Array, values: readonly string[]): number[] {
  const text = single.decode(bytes).toLowerCase()
  return values.flatMap((value, index) => {
    const forms = [new TextEncoder().encode(value), utf16(value)].map((one) =>
      single.decode(one).toLowerCase(),
    )
    return forms.some((form) => form !== '' && text.includes(form)) ? [index] : []
  })
}
