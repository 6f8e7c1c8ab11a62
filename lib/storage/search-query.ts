/** What a person types to search all sessions, and whether a text is meant by it. Pure. */

export type SearchKind = 'user' | 'assistant' | 'result' | 'call' | 'summary'

export type Term = {
  /** Folded, see `foldText`. */
  text: string
  /** A whole word, the beginning of one, or these characters wherever they stand. */
  match: 'word' | 'prefix' | 'anywhere'
}

export type SearchQuery = {
  terms: Term[]
  kinds: SearchKind[]
  tools: string[]
  /** Unix ms; events from `after` on and before `before`. */
  after?: number
  before?: number
  /** Only nodes the model no longer sees. */
  shadowed: boolean
}

const KINDS: Record<string, SearchKind> = {
  user: 'user',
  assistant: 'assistant',
  result: 'result',
  call: 'call',
  summary: 'summary',
}

/** Scripts written without spaces: a word may begin anywhere in them. */
export const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u
const WORD = /[\p{L}\p{N}_]/u

/** Case does not matter; nor does where in its word a Greek sigma stands, which lower case depends on. */
export const foldText = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ')

const TOKEN = /(?:(\w+):)?(?:"([^"]*)"?|(\S+))/gu

function day(value: string): number | undefined {
  if (!/^\d{4}(-\d{2}(-\d{2})?)?$/.test(value)) return undefined
  const time = Date.parse(value.length === 4 ? `${value}-01-01` : value)
  return Number.isNaN(time) ? undefined : time
}

/** Takes one filter; false when it is none, and then it is a word like any other. */
function takeFilter(query: SearchQuery, name: string, value: string): boolean {
  const kind = KINDS[value]
  const time = day(value)
  if (name === 'kind' && kind) query.kinds.push(kind)
  else if (name === 'tool' && value !== '') query.tools.push(value.toLowerCase())
  else if (name === 'after' && time !== undefined) query.after = time
  else if (name === 'before' && time !== undefined) query.before = time
  else if (name === 'in' && value === 'summaries') query.kinds.push('summary')
  else if (name === 'in' && value === 'shadowed') query.shadowed = true
  else return false
  return true
}

/**
 * `two words`, `"a phrase"`, `beg*`, `kind:user|assistant|result|call|summary`, `tool:bash`,
 * `after:2026-11-01`, `before:2026`, `in:summaries`, `in:shadowed`. The last word may still be being
 * typed and counts as a beginning.
 */
export function parseQuery(typed: string): SearchQuery {
  const query: SearchQuery = { terms: [], kinds: [], tools: [], shadowed: false }
  for (const found of typed.matchAll(TOKEN)) {
    const [whole, name, phrase, bare = ''] = found
    if (name && takeFilter(query, name.toLowerCase(), phrase ?? bare)) continue
    const isLast = found.index + whole.length === typed.length
    const text = foldText(phrase ?? (name ? `${name}:${bare}` : bare)).trim()
    const beginning = phrase === undefined && (text.endsWith('*') || isLast)
    const clean = phrase === undefined ? text.replace(/\*+$/, '') : text
    if (clean === '') continue
    const match = UNSPACED.test(clean) ? 'anywhere' : beginning ? 'prefix' : 'word'
    query.terms.push({ text: clean, match })
  }
  return query
}

const DEFAULT_KINDS: SearchKind[] = ['user', 'assistant', 'result', 'summary']
const TOOL_KINDS: SearchKind[] = ['call', 'result']

/** A call is found in the reply that made it, unless calls or tools are what is asked for. */
export function kindsWanted({ kinds, tools }: SearchQuery): SearchKind[] {
  if (kinds.length > 0) return kinds
  return tools.length > 0 ? TOOL_KINDS : DEFAULT_KINDS
}

/** Nothing to look for: filters alone do not search. */
export const isEmptyQuery = (query: SearchQuery): boolean => query.terms.length === 0

/** Where a term is first met in a folded text; -1. */
function find(low: string, { text, match }: Term): number {
  for (let at = low.indexOf(text); at >= 0; at = low.indexOf(text, at + 1)) {
    if (match === 'anywhere') return at
    const starts = at === 0 || !WORD.test(low[at - 1] as string) || !WORD.test(text[0] as string)
    const after = low[at + text.length]
    const ends = match === 'prefix' || after === undefined || !WORD.test(after)
    if (starts && ends) return at
  }
  return -1
}

/** Where the first term is met in `text` if all are; -1. */
export function matchText(query: SearchQuery, text: string): number {
  const low = foldText(text)
  let first = -1
  for (const term of query.terms) {
    const at = find(low, term)
    if (at < 0) return -1
    if (first < 0) first = at
  }
  return first
}

/**
 * A cheap look at the stored JSON of one or many events: false when no event in it can match. It knows
 * nothing of words, and escapes terms as JSON does.
 */
export function mayMatch(query: SearchQuery): (stored: string) => boolean {
  const literals = query.terms.map(({ text }) => JSON.stringify(text).slice(1, -1))
  return (stored) => {
    const low = foldText(stored)
    return literals.every((literal) => low.includes(literal))
  }
}

const AROUND = 60

/** A line of text around `at`, cut at spaces where there are some near. */
export function snippetOf(text: string, at: number): string {
  const from = Math.max(0, at - AROUND / 2)
  const piece = text.slice(from, from + AROUND * 2).replace(/\s+/g, ' ')
  return `${from > 0 ? '…' : ''}${piece.trim()}${from + AROUND * 2 < text.length ? '…' : ''}`
}
