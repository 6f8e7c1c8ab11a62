/** JSON records of one line: usually one; several where a writer lost a line end between them. */

import type { Json } from '../core/message'
import { repairText } from '../core/text'

export type Records = {
  values: Json[]
  /** Lone surrogates that became U+FFFD (L5). */
  repaired: number
  /** More than one record stood on the line, or something on it was not JSON. */
  damaged: boolean
  /** Why a part of the line could not be read. */
  problem: string | null
}

const parse = (text: string): { value: Json } | null => {
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return null
  }
}

/** Top-level `{…}` objects of a text, found by braces outside strings. What is left over is `rest`. */
export function splitObjects(text: string): { objects: string[]; rest: string } {
  const objects: string[] = []
  const left: string[] = []
  let depth = 0
  let inString = false
  /** Where the object, or what lies between two, begins. */
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at += 1
      else if (character === '"') inString = false
    } else if (character === '"' && depth > 0) inString = true
    else if (character === '{') {
      if (depth === 0) {
        left.push(text.slice(from, at))
        from = at
      }
      depth += 1
    } else if (character === '}' && depth > 0) {
      depth -= 1
      if (depth > 0) continue
      objects.push(text.slice(from, at + 1))
      from = at + 1
    }
  }
  left.push(text.slice(from))
  return { objects, rest: left.join('').trim() }
}

/** A surrogate written as an escape: the only way one reaches JSON text that came from UTF-8. */
const mayHoldSurrogate = (text: string): boolean =>
  text.includes('\\u') && (text.includes('\\ud') || text.includes('\\uD'))

/** The value with every string well-formed; the same value where nothing was to be done. */
function repairValue(value: Json, count: (repaired: number) => void): Json {
  if (typeof value === 'string') {
    const { text, repaired } = repairText(value)
    count(repaired)
    return text
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => repairValue(item, count))
  const entries = Object.entries(value).map(([key, item]) => [
    repairValue(key, count),
    repairValue(item, count),
  ])
  return Object.fromEntries(entries)
}

/**
 * Levels of nesting a record may have. Deeper JSON parses, but what writes, hashes and stores it again
 * recurses; a thousand is far beyond any tool's input and far within every stack.
 */
const MAX_DEPTH = 1_000

/** Whether a value is nested deeper than `levels`. Walks no deeper than that. */
function isDeeper(value: Json, levels: number): boolean {
  if (levels < 0) return true
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeper(item, levels - 1)) return true
    return false
  }
  for (const key in value) if (isDeeper(value[key] as Json, levels - 1)) return true
  return false
}

/** A sound text opens and closes every level, so that short ones need not be looked at. */
const isTooDeep = (value: Json, text: string): boolean =>
  text.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH)

/** Never throws: what cannot be read is a `problem`. */
export function parseRecords(text: string): Records {
  const whole = parse(text)
  // Nearly every line: one sound record, in which there is nothing to look for.
  if (whole && !mayHoldSurrogate(text) && !isTooDeep(whole.value, text)) {
    return { values: [whole.value], repaired: 0, damaged: false, problem: null }
  }
  const { objects, rest } = whole ? { objects: [], rest: '' } : splitObjects(text)
  const parts = whole ? [whole] : objects.map(parse)
  const parsed = parts.flatMap((part) => (part ? [part.value] : []))
  const shallow = parsed.filter((value) => !isTooDeep(value, text))
  let repaired = 0
  const repair = (value: Json) =>
    repairValue(value, (count) => {
      repaired += count
    })
  const values = mayHoldSurrogate(text) ? shallow.map(repair) : shallow
  const readAll = rest === '' && parsed.length === parts.length && parts.length > 0
  const tooDeep = shallow.length < parsed.length ? 'it is nested too deeply' : null
  return { values, repaired, damaged: !whole, problem: readAll ? tooDeep : 'it is not JSON' }
}
