/** What a summary did with the facts of its span: kept, changed or lost. */

import {
  extractFacts,
  type Fact,
  type FactKind,
  LEXICAL_KINDS,
  MEANING_KINDS,
  normalise,
} from './facts'
import { amountsOf } from './facts-values'
import { estimateText } from './price'

export type Fate = 'kept' | 'changed' | 'lost'
/** `now` is how the summary has it, for a changed fact. */
export type Trace = { fact: Fact; fate: Fate; now?: string }

/** The share of an instruction's content words that must stand together for it to be there at all. */
const ENOUGH = 0.6
/** Characters of a commit that two spellings must share. */
const COMMIT = 7

const WORD_EDGE = /[\p{L}\p{N}_]/u
/** Scripts without spaces, in which every character may begin a word. */
const EAST = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

const isInWord = (edge: string | undefined, beyond: string | undefined): boolean =>
  edge !== undefined &&
  beyond !== undefined &&
  WORD_EDGE.test(edge) &&
  WORD_EDGE.test(beyond) &&
  !EAST.test(edge) &&
  !EAST.test(beyond)

/** What continues a literal of a kind before and after it, beyond letters and digits. */
const CONTINUED: Partial<Record<FactKind, readonly [RegExp, RegExp]>> = {
  path: [/[\w.~-]\/?$|\/$/, /^(?:[/.-]\w)/],
  url: [/[\w.-]$/, /^[/?#=&.-]\w/],
  flag: [/[\w-]$/, /^[-]\w/],
  version: [/[\d][.,]$/, /^(?:[.,]\d|-\w)/],
  number: [/[\d][.,]$/, /^[.,]\d/],
}

/** Whether `literal` stands in `text` as a whole word, both normalised. */
function occurs(text: string, literal: string, kind: FactKind): boolean {
  const [before, after] = CONTINUED[kind] ?? []
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    const end = at + literal.length
    if (isInWord(literal[0], text[at - 1]) || isInWord(literal.at(-1), text[end])) continue
    if (before?.test(text.slice(Math.max(0, at - 2), at))) continue
    if (after?.test(text.slice(end, end + 2))) continue
    return true
  }
  return false
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the of to in on at by for and or is are be it its this that these those with as from i you we they he she please ' +
    'der die das den dem des ein eine einen und oder ist sind zu im am mit von für bitte ich wir sie es ' +
    'le la les un une des du de et ou est sont à au aux en pour il elle nous vous je ' +
    'el los las unos unas y o es son al con por para que se lo ' +
    'и или в на с к по за из для это что как я мы вы он она'
  ).split(' '),
)
const WORDS = /[\p{L}\p{N}_]+/gu

/** Words that carry a sentence, negations among them; of scripts without spaces, pairs of characters. */
function contentWords(text: string): Set<string> {
  const words = new Set<string>()
  for (const [word] of normalise(text).toLowerCase().matchAll(WORDS)) {
    if (!EAST.test(word)) {
      if (!STOP_WORDS.has(word)) words.add(word)
    } else for (let i = 0; i < Math.max(1, word.length - 1); i++) words.add(word.slice(i, i + 2))
  }
  return words
}

/** A summary made ready for many questions. */
type Reading = {
  text: string
  lines: { text: string; words: Set<string> }[]
  facts: Fact[]
  literals: Set<string>
  amounts: Map<string, string>
}

const keyOf = ({ kind, text }: Fact): string => `${kind} ${normalise(text)}`

function read(summary: string): Reading {
  const facts = extractFacts([{ seq: 0, role: 'assistant', text: summary }])
  const amounts = new Map<string, string>()
  for (const { kind, text } of facts)
    if (kind === 'number')
      for (const amount of amountsOf(text)) if (!amounts.has(amount)) amounts.set(amount, text)
  const lines = summary
    .split(/\n+|(?<=[.!?])\s+|(?<=[。！？])/)
    .map((line) => line.replace(/^[\s>#*+-]+/, '').trim())
    .filter((line) => line !== '')
    .map((text) => ({ text, words: contentWords(text) }))
  const literals = new Set(facts.map(keyOf))
  return { text: normalise(summary), lines, facts, literals, amounts }
}

/** The line with most of a sentence's content words, and their share. */
function closestLine(sentence: string, { lines }: Reading): { text: string; share: number } {
  const words = [...contentWords(sentence)]
  let best = { text: '', share: 0 }
  for (const line of lines) {
    const share = words.filter((word) => line.words.has(word)).length / Math.max(1, words.length)
    if (share > best.share) best = { text: line.text, share }
  }
  return best
}

const baseOf = (path: string): string =>
  path
    .replace(/[/\\]+$/, '')
    .split(/[/\\]/)
    .at(-1) ?? ''
const squashed = (name: string): string => name.replace(/\(\)$|[_$.:#-]/g, '').toLowerCase()
const addressOf = (url: string): string =>
  url
    .replace(/^[a-z][a-z0-9+.-]*:\/\/(?:www\.)?/i, '')
    .replace(/[?#].*$|\/$/g, '')
    .toLowerCase()
const lastName = (name: string): string =>
  name
    .replace(/\(\)$/, '')
    .split(/\.|::|#/)
    .at(-1) ?? ''
const versionOf = (version: string): string => version.replace(/^v/, '')

/** Whether `now`, a fact of the summary, is `fact` in another value or spelling. */
function isChanged(fact: Fact, now: Fact): boolean {
  if (fact.kind !== now.kind) return false
  switch (fact.kind) {
    case 'path':
      return baseOf(fact.text).length > 1 && baseOf(fact.text) === baseOf(now.text)
    case 'url':
      return addressOf(fact.text) === addressOf(now.text)
    case 'version':
      return (
        versionOf(fact.text) === versionOf(now.text) ||
        (fact.name !== undefined && fact.name.toLowerCase() === now.name?.toLowerCase())
      )
    case 'identifier':
      return (
        squashed(fact.text) === squashed(now.text) ||
        (lastName(fact.text).length > 5 && lastName(fact.text) === lastName(now.text))
      )
    case 'flag':
      return fact.text.split('=', 1)[0] === now.text.split('=', 1)[0]
    case 'hash':
      return sharesStart(hexOf(fact.text), hexOf(now.text))
    default:
      return false
  }
}

const hexOf = (hash: string): string => hash.replace(/^[a-z]+\d*:/, '').toLowerCase()
const sharesStart = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= COMMIT && (a.startsWith(b) || b.startsWith(a))

/** Kinds of whole sentences, which are compared by their words. */
const SENTENCES: ReadonlySet<FactKind> = new Set(['instruction', 'decision', 'effect', 'error'])

function changedTo(fact: Fact, summary: Reading): string | undefined {
  if (fact.kind === 'number') {
    const amount = amountsOf(fact.text).find((one) => summary.amounts.has(one))
    return amount && summary.amounts.get(amount)
  }
  return summary.facts.find((now) => isChanged(fact, now))?.text
}

function traceOne(fact: Fact, summary: Reading): Trace {
  // The second of the two knows what surrounds a literal without being part of it, as git's `a/` does.
  if (occurs(summary.text, normalise(fact.text), fact.kind) || summary.literals.has(keyOf(fact)))
    return { fact, fate: 'kept' }
  if (SENTENCES.has(fact.kind)) {
    const { text, share } = closestLine(fact.text, summary)
    // All words in one line say the same in another order; an error is its letters.
    if (share === 1 && fact.kind !== 'error') return { fact, fate: 'kept' }
    return share >= ENOUGH ? { fact, fate: 'changed', now: text } : { fact, fate: 'lost' }
  }
  const now = changedTo(fact, summary)
  return now === undefined ? { fact, fate: 'lost' } : { fact, fate: 'changed', now }
}

/**
 * The fate of each fact in a summary, in the order given. Kept: the literal stands there as a whole word,
 * quotes and Markdown aside. Changed: the same amount in another unit, another version of the same name,
 * a path with the same last part, another spelling, or a sentence with 0.6 of its content words.
 */
export function traceFacts(facts: readonly Fact[], summary: string): Trace[] {
  const reading = read(summary)
  return facts.map((fact) => traceOne(fact, reading))
}

/** Kinds by what their loss costs, worst first. */
export const KINDS_BY_WORTH: readonly FactKind[] = [...LEXICAL_KINDS, ...MEANING_KINDS]

export type FateCounts = { kind: FactKind; total: number } & Record<Fate, number>

/** Fates by kind, in the order of worth; kinds without facts are left out. */
export function countFates(traces: readonly Trace[]): FateCounts[] {
  return KINDS_BY_WORTH.map((kind) => {
    const counts: FateCounts = { kind, total: 0, kept: 0, changed: 0, lost: 0 }
    for (const { fact, fate } of traces) {
      if (fact.kind !== kind) continue
      counts.total++
      counts[fate]++
    }
    return counts
  }).filter(({ total }) => total > 0)
}

/** What a line of its own costs beside its text: the dash and the end of the line. */
const LINE = 2

/**
 * Literals of lost facts, instructions first, each as one line, as many as `budgetTokens` pays for
 * (`estimateText` and two for the line). What does not fit is left out; a shorter one after it may fit.
 */
export function appendLost(facts: readonly Fact[], budgetTokens: number): string[] {
  const lines = new Set<string>()
  let left = budgetTokens
  for (const kind of KINDS_BY_WORTH)
    for (const fact of facts) {
      if (fact.kind !== kind) continue
      const line = fact.text.replace(/\s+/g, ' ').trim()
      const cost = estimateText(line) + LINE
      if (line === '' || lines.has(line) || cost > left) continue
      lines.add(line)
      left -= cost
    }
  return [...lines]
}
