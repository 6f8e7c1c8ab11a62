/**
 * Taking secrets out of a log: they are found by pattern or from a list, and every copy of each is
 * replaced wherever it stands, whole or escaped, in messages, summaries, arguments and names alike.
 * Request hashes of what was sent after the first change no longer hold and are dropped (Q5).
 */

import type { Seq, SessionEvent, SessionHeader } from '../core/event'
import { type Block, isKnown } from '../core/message'
import type { Many } from './native'
import { SECRET_PATTERNS, type SecretKind, secretsIn } from './redact-patterns'

export type RedactionRules = {
  kinds: readonly SecretKind[]
  /** The user's own words, whatever their case. */
  words: readonly string[]
}

export type SecretPlace = { seq: Seq | null; field: string; before: string; after: string }

/** One secret and where it stands. `places` holds the first of them; `count` is all. */
export type Secret = { label: string; value: string; count: number; places: SecretPlace[] }

const MOST_PLACES = 200
const AROUND = 30

/** Words of the log's own shape at these keys; content below `FREE` keys may have the same keys. */
const SHAPE = new Set([
  ...[
    'type',
    'op',
    'kind',
    'reason',
    'trigger',
    'cause',
    'certainty',
    'preset',
    'when',
    'keepTail',
  ],
  ...['effort', 'hash', 'requestHash', 'stopReason', 'code', 'media_type', 'sha256', 'source'],
  ...['signature', 'data'],
  ...['surfaceOp'],
])
const FREE = new Set(['input', 'input_schema'])

type Visit = (text: string, field: string) => string

/** Every string of a value that is content, its keys too, passed through `visit`; the same value if none changed. */
function walk(value: unknown, visit: Visit, field: string, isFree: boolean): unknown {
  if (typeof value === 'string') return visit(value, field)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value.map((one) => walk(one, visit, field, isFree))
    return list.every((one, index) => one === value[index]) ? value : list
  }
  // Of a block no one knows, everything but its type is content.
  const isForeign = !isFree && /content$/.test(field) && 'type' in value && !isKnown(value as Block)
  let changed = false
  const entries = Object.entries(value).map(([key, one]) => {
    const isShape = isForeign ? key === 'type' : !isFree && SHAPE.has(key)
    if (isShape && typeof one === 'string') return [key, one]
    const name = isFree ? visit(key, field) : key
    const at = field === '' ? key : `${field}.${key}`
    const walked = walk(one, visit, at, isFree || isForeign || FREE.has(key))
    changed ||= name !== key || walked !== one
    return [name, walked]
  })
  return changed ? Object.fromEntries(entries) : value
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** A value as it stands, and as it stands in JSON, and in JSON in JSON. */
function spellings(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1)
  const twice = JSON.stringify(once).slice(1, -1)
  return [...new Set([value, once, twice])]
}

type Matcher = { pattern: RegExp; indexOf(found: string): number }

/** Longest first, so that no part of a longer secret is left standing. */
function matcherOf(values: readonly string[]): Matcher | null {
  const places = new Map<string, number>()
  for (const [index, value] of values.entries())
    for (const spelling of spellings(value)) {
      const key = spelling.toLowerCase()
      if (spelling.trim() !== '' && !places.has(key)) places.set(key, index)
    }
  if (places.size === 0) return null
  const longest = [...places.keys()].sort((a, b) => b.length - a.length)
  return {
    pattern: new RegExp(longest.map(escapeRegExp).join('|'), 'gi'),
    indexOf: (found) => places.get(found.toLowerCase()) ?? 0,
  }
}

const cleanWords = (words: readonly string[]): string[] => [
  ...new Set(words.map((word) => word.trim()).filter((word) => word.length > 1)),
]

async function collect(
  header: SessionHeader,
  read: () => Many<SessionEvent>,
  { kinds, words }: RedactionRules,
): Promise<Map<string, string>> {
  const found = new Map<string, string>(cleanWords(words).map((word) => [word, 'your list']))
  const patterns = SECRET_PATTERNS.filter(({ kind }) => kinds.includes(kind))
  const visit: Visit = (text) => {
    for (const { value, label } of secretsIn(text, patterns))
      if (!found.has(value)) found.set(value, label)
    return text
  }
  walk(header, visit, 'header', false)
  for await (const event of read()) walk(event, visit, '', false)
  return found
}

/**
 * Every secret the rules find, with the places it stands in: what `redact` will take out. `read` is asked
 * twice, since a secret known by its form in one place stands bare in another. Media are not searched.
 */
export async function findSecrets(
  header: SessionHeader,
  read: () => Many<SessionEvent>,
  rules: RedactionRules,
): Promise<Secret[]> {
  const found = await collect(header, read, rules)
  const secrets = [...found].map(
    ([value, label]): Secret => ({ label, value, count: 0, places: [] }),
  )
  const matcher = matcherOf(secrets.map(({ value }) => value))
  if (!matcher) return []
  const look = (value: unknown, seq: Seq | null, top: string) =>
    walk(
      value,
      (text, field) => {
        for (const match of text.matchAll(matcher.pattern)) {
          const secret = secrets[matcher.indexOf(match[0])]!
          const end = match.index + match[0].length
          secret.count += 1
          if (secret.places.length >= MOST_PLACES) continue
          const before = text.slice(Math.max(0, match.index - AROUND), match.index)
          secret.places.push({ seq, field, before, after: text.slice(end, end + AROUND) })
        }
        return text
      },
      top,
      false,
    )
  look(header, null, 'header')
  for await (const event of read()) look(event, event.seq, '')
  return secrets.filter(({ count }) => count > 0)
}

/** Thinking that was changed no longer has its signature, and is then never sent (Q3). */
function unsign(before: SessionEvent, after: SessionEvent): SessionEvent {
  if (after.type !== 'assistant/message' || before.type !== 'assistant/message') return after
  const content = after.data.content.map((block, index) =>
    block.type === 'thinking' && block !== before.data.content[index]
      ? { ...block, signature: '' }
      : block,
  )
  return { ...after, data: { ...after.data, content } }
}

function withoutHash(event: SessionEvent): SessionEvent {
  if (!('requestHash' in event.data)) return event
  const { requestHash: _, ...data } = event.data
  return { ...event, data } as SessionEvent
}

export type Redacted = {
  header: SessionHeader
  read(): AsyncGenerator<SessionEvent>
  /** A text of the session that stands outside its log. */
  textOf(text: string): string
}

/** The session without these values. One value has one substitute, so ids that held it still join. */
export function redact(
  header: SessionHeader,
  read: () => Many<SessionEvent>,
  values: readonly string[],
): Redacted {
  const matcher = matcherOf(values)
  const visit: Visit = (text) =>
    matcher
      ? text.replace(matcher.pattern, (found) => `REDACTED-${matcher.indexOf(found) + 1}`)
      : text
  return {
    header: walk(header, visit, 'header', false) as SessionHeader,
    textOf: (text) => visit(text, ''),
    async *read() {
      let isChanged = false
      for await (const event of read()) {
        const walked = walk(event, visit, '', false) as SessionEvent
        if (isChanged || walked !== event) yield withoutHash(unsign(event, walked))
        else yield event
        isChanged ||= walked !== event
      }
    },
  }
}
