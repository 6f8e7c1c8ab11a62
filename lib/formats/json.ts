/** Reading foreign JSON: any field may be missing or of another type, and none of that may throw. */

import type { Json, JsonObject, Usage } from '../core/message'
import { parseRecords } from './records'

export const isRow = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value as an object; an empty one where it is none. */
export const rowOf = (value: Json | undefined): JsonObject => (isRow(value) ? value : {})
export const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

/** The value without minus zeros, which JSON cannot write again (L5). The same one where there are none. */
export function withoutMinusZero<T extends Json>(value: T): T {
  if (typeof value === 'number') return (value + 0) as T
  if (typeof value !== 'object' || value === null || !holdsMinusZero(value)) return value
  if (Array.isArray(value)) return value.map(withoutMinusZero) as T
  const members = Object.entries(value).map(([key, member]) => [key, withoutMinusZero(member)])
  return Object.fromEntries(members) as T
}

function holdsMinusZero(value: Json): boolean {
  if (typeof value === 'number') return Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsMinusZero)
}

/** The value as text, where it is text and not empty. */
export const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
export const numberOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined

/** A count as the log takes it: a whole number, not negative. */
export const countOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value + 0 : undefined

/** Times below this are seconds: as milliseconds they would lie in the first weeks of 1973. */
const SECONDS_BELOW = 1e11
/** The last moment a `Date` can hold. */
const LAST_MOMENT = 8.64e15

/** Unix milliseconds of an ISO text, of seconds or of milliseconds. */
export function timeOf(value: Json | undefined): number | undefined {
  const number =
    typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN
  if (!Number.isFinite(number)) return undefined
  const scaled =
    typeof value === 'number' && Math.abs(number) < SECONDS_BELOW ? number * 1000 : number
  return Math.abs(scaled) <= LAST_MOMENT ? Math.round(scaled) + 0 : undefined
}

type UsageNames = { input: string; output: string; read?: string; write?: string }

/** Usage under a program's own names; undefined unless both directions are there. `input` without the cache. */
export function usageOf(value: Json | undefined, names: UsageNames): Usage | undefined {
  const row = rowOf(value)
  const input = countOf(row[names.input])
  const output = countOf(row[names.output])
  if (input === undefined || output === undefined) return undefined
  const read = names.read === undefined ? undefined : countOf(row[names.read])
  const write = names.write === undefined ? undefined : countOf(row[names.write])
  return {
    input_tokens: input,
    output_tokens: output,
    ...(write === undefined ? {} : { cache_creation_input_tokens: write }),
    ...(read === undefined ? {} : { cache_read_input_tokens: read }),
  }
}

export const ANTHROPIC_USAGE: UsageNames = {
  input: 'input_tokens',
  output: 'output_tokens',
  read: 'cache_read_input_tokens',
  write: 'cache_creation_input_tokens',
}

/** Arguments as an object: parsed where they are text; under `arguments` where they are no object. */
export function argumentsOf(value: Json | undefined): JsonObject {
  if (isRow(value)) return withoutMinusZero(value)
  if (typeof value === 'string') {
    const isLikely = value.trimStart().startsWith('{')
    const { values, damaged, problem } = parseRecords(isLikely ? value : 'null')
    // What is no object, whole and sound, is kept as the text it is.
    if (isRow(values[0]) && !damaged && !problem) return withoutMinusZero(values[0])
    return value === '' ? {} : { arguments: value }
  }
  return value === undefined || value === null ? {} : { arguments: withoutMinusZero(value) }
}

/** A value as text for people: text as it is, everything else as JSON. */
export const showJson = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** The text of content that is a text or a list of blocks with texts, joined by line ends. */
export const wordsOf = (content: Json | undefined): string =>
  Array.isArray(content)
    ? content
        .flatMap((part) => (typeof part === 'string' ? part : (textOf(rowOf(part).text) ?? [])))
        .join('\n')
    : content === null
      ? ''
      : isRow(content)
        ? (textOf(content.text) ?? '')
        : showJson(content)
