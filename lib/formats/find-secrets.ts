/** Finding secrets before an export: by pattern or from a list, with every place they stand in. */

import type { Seq, SessionEvent, SessionHeader } from '../core/event'
import { mediaBlocks } from './blob-refs'
import type { BlobOf, Many } from './native'
import { createMatcher, type Matcher, textIn, valuesInBytes } from './redact-match'
import { SECRET_PATTERNS, type SecretKind, secretsIn } from './redact-patterns'
import { walk } from './redact-walk'

export type RedactionRules = {
  kinds: readonly SecretKind[]
  /** The user's own words, whatever their case. */
  words: readonly string[]
}

export type SecretPlace = { seq: Seq | null; field: string; before: string; after: string }

/** One secret and where it stands. `places` holds the first of them; `count` is all. */
export type Secret = { label: string; value: string; count: number; places: SecretPlace[] }

/** `unread`: attachments that are no text, so that only their names and comments could be searched. */
export type SecretSearch = { secrets: Secret[]; unread: number }

/** What is searched. Attachments and files only where they are given. */
export type Searched = {
  header: SessionHeader
  read(): Many<SessionEvent>
  blobOf?: BlobOf
  files?(): Many<{ path: string; content: string | Uint8Array }>
}

const MOST_PLACES = 1000
const AROUND = 30

/** A text and where it stands; bytes where it is none. */
type Found =
  | { seq: Seq | null; field: string; text: string }
  | { seq: Seq | null; field: string; bytes: Uint8Array }

async function* attachments(
  event: SessionEvent,
  blobOf: BlobOf,
  seen: Set<string>,
): AsyncGenerator<Found> {
  for (const { source, name } of mediaBlocks(event)) {
    if (seen.has(source.hash)) continue
    seen.add(source.hash)
    const blob = await blobOf(source.hash)
    if (!blob) continue
    const text = textIn(blob.bytes)
    const place = { seq: event.seq, field: `attachment ${name}` }
    yield text === null ? { ...place, bytes: blob.bytes } : { ...place, text }
  }
}

/** Everything that an export of these could hold. */
async function* everything({ header, read, blobOf, files }: Searched): AsyncGenerator<Found> {
  const texts = (value: unknown, seq: Seq | null, top: string): Found[] => {
    const list: Found[] = []
    const visit = (text: string, field: string) => {
      list.push({ seq, field, text })
      return text
    }
    walk(value, visit, top, false)
    return list
  }
  yield* texts(header, null, 'header')
  const seen = new Set<string>()
  for await (const event of read()) {
    yield* texts(event, event.seq, '')
    if (blobOf) yield* attachments(event, blobOf, seen)
  }
  for await (const { path, content } of files?.() ?? []) {
    yield { seq: null, field: 'file name', text: path }
    const text = typeof content === 'string' ? content : textIn(content)
    const field = `file ${path}`
    yield text === null
      ? { seq: null, field, bytes: content as Uint8Array }
      : { seq: null, field, text }
  }
}

const cleanWords = (words: readonly string[]): string[] => [
  ...new Set(words.map((word) => word.trim()).filter((word) => word.length > 1)),
]

/** Values by what they are called. A secret known by its form in one place stands bare in another. */
async function collect(searched: Searched, { kinds, words }: RedactionRules) {
  const found = new Map<string, string>(cleanWords(words).map((word) => [word, 'your list']))
  const patterns = SECRET_PATTERNS.filter(({ kind }) => kinds.includes(kind))
  let unread = 0
  for await (const one of everything(searched)) {
    if ('bytes' in one) unread += 1
    else
      for (const { value, label } of secretsIn(one.text, patterns))
        if (!found.has(value)) found.set(value, label)
  }
  return { found, unread }
}

function note(secret: Secret, place: SecretPlace): void {
  secret.count += 1
  if (secret.places.length < MOST_PLACES) secret.places.push(place)
}

function look(one: Found, secrets: readonly Secret[], matcher: Matcher): void {
  const { seq, field } = one
  if ('bytes' in one) {
    const values = secrets.map(({ value }) => value)
    for (const index of valuesInBytes(one.bytes, values))
      note(secrets[index]!, { seq, field, before: '', after: '' })
    return
  }
  const { text } = one
  for (const { index, start, end } of matcher.hits(text)) {
    const before = text.slice(Math.max(0, start - AROUND), start)
    note(secrets[index]!, { seq, field, before, after: text.slice(end, end + AROUND) })
  }
}

/** Every secret the rules find, with the places it stands in: what `redact` will take out. Reads all twice. */
export async function findSecrets(
  searched: Searched,
  rules: RedactionRules,
): Promise<SecretSearch> {
  const { found, unread } = await collect(searched, rules)
  const secrets = [...found].map(
    ([value, label]): Secret => ({ label, value, count: 0, places: [] }),
  )
  const matcher = createMatcher(secrets.map(({ value }) => value))
  if (!matcher) return { secrets: [], unread }
  for await (const one of everything(searched)) look(one, secrets, matcher)
  return { secrets: secrets.filter(({ count }) => count > 0), unread }
}
