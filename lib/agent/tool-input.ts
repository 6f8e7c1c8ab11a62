/** The argument text of a tool call as the object a tool gets. */

import type { Json, JsonObject } from '../core/message'
import { repairText } from '../core/text'

export type ToolInput = {
  input: JsonObject
  /** The text itself, where parsing it lost something or failed. */
  raw?: string
  /** Why the tool cannot run, in words for the model. */
  problem?: string
}

/** Deeper than any tool's schema; bounds every walk over the value. */
const MAX_DEPTH = 200

/**
 * Parses argument text. Empty text is `{}`. Numbers a double cannot hold, negative zeros, repeated keys and
 * lone surrogates (repaired, L5) keep the text in `raw`.
 */
export function parseToolInput(text: string): ToolInput {
  if (text.trim() === '') return { input: {} }
  const raw = repairText(text).text
  const bare = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/gs, '""')
  if (depthOf(bare) > MAX_DEPTH) return broken(raw, `nested deeper than ${MAX_DEPTH} levels`)
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (error) {
    return broken(raw, `not valid JSON (${(error as Error).message})`)
  }
  if (!isObject(value)) return broken(raw, 'not a JSON object')
  const numbers = bare.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? []
  if (numbers.some((number) => !Number.isFinite(Number(number))))
    return broken(raw, 'out of range: they hold a number that is too large')
  const repaired = repairJson(value)
  const lossy =
    repaired.repaired > 0 ||
    raw !== text ||
    numbers.some((number) => losesDigits(number) || isMinusZero(Number(number))) ||
    keysOf(value) !== (bare.match(/""\s*:/g) ?? []).length
  const input = repaired.value as JsonObject
  return lossy ? { input, raw } : { input }
}

const broken = (raw: string, why: string): ToolInput => ({
  input: {},
  raw,
  problem: `The arguments are ${why}. Call the tool again with one JSON object.`,
})

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function depthOf(bare: string): number {
  let depth = 0
  let deepest = 0
  for (const char of bare) {
    if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth)
    else if (char === '}' || char === ']') depth--
  }
  return deepest
}

/** Digits without sign, leading and trailing zeros, and the power of ten of the first of them. */
function decimal(number: string): string {
  const [mantissa = '', exponent = '0'] = number.replace('-', '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const lead = (whole + fraction).length - digits.length
  const significant = digits.replace(/0+$/, '')
  return significant === '' ? '0' : `${significant}e${whole.length - lead + Number(exponent)}`
}

const losesDigits = (number: string): boolean => decimal(number) !== decimal(String(Number(number)))

const isMinusZero = (value: Json): boolean => Object.is(value, -0)

function keysOf(value: Json): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + keysOf(item), 0)
  if (!isObject(value)) return 0
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + keysOf(item), 0)
}

/**
 * The value with every string and key well-formed, and how many places that took (L5). A negative zero, which
 * stored text would lose, becomes a plain one uncounted.
 */
export function repairJson(value: Json): { value: Json; repaired: number } {
  let repaired = 0
  let hasMinusZero = false
  const text = (string: string) => {
    const result = repairText(string)
    repaired += result.repaired
    return result.text
  }
  const walk = (node: Json): Json => {
    if (typeof node === 'string') return text(node)
    if (Array.isArray(node)) return node.map(walk)
    if (isMinusZero(node)) {
      hasMinusZero = true
      return 0
    }
    if (!isObject(node)) return node
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [text(key), walk(item)]))
  }
  const result = walk(value)
  return { value: repaired > 0 || hasMinusZero ? result : value, repaired }
}
