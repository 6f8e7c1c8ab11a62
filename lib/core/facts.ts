/** Literals worth keeping over a compaction, in the order they were said. Deterministic, linear in the text. */

import { errors } from './facts-errors'
import { flags, hashes, numbers, type Span, urls, versions } from './facts-literals'
import { identifiers } from './facts-names'
import { paths } from './facts-paths'
import { decisions, effects, instructions } from './facts-sentences'

/** Classes found by spelling; the bench gates them. */
export const LEXICAL_KINDS = [
  'instruction',
  'error',
  'path',
  'url',
  'identifier',
  'number',
  'version',
  'flag',
  'hash',
] as const
/** Classes that need meaning; what is found of them is a hint. */
export const MEANING_KINDS = ['decision', 'effect'] as const

export type FactKind = (typeof LEXICAL_KINDS)[number] | (typeof MEANING_KINDS)[number]

/** `text` stands at `offset` (UTF-16 units) of the source with this `seq`. */
export type Fact = {
  kind: FactKind
  text: string
  seq: number
  offset: number
  /** What a version is the version of. */
  name?: string
}

/** One text of the log: what a user or an assistant wrote, or what a tool returned. */
export type FactSource = { seq: number; role: 'user' | 'assistant' | 'result'; text: string }

/** A line longer than this is data (minified code, base64), and no fact is looked for in it. */
const LONGEST_LINE = 20_000

const QUOTES = /[`*"'“”„«»‘’「」『』]/g

/** One form for all spellings of a literal: NFC, without quotes and Markdown, single spaces. */
export const normalise = (text: string): string =>
  text.normalize('NFC').replace(QUOTES, '').replace(/\s+/g, ' ').trim()

/** The classes whose literals never overlap, in the order of their claims. */
const CLAIMS: readonly [FactKind, (text: string, prose: boolean) => Iterable<Span>][] = [
  ['error', errors],
  ['flag', flags],
  ['url', urls],
  ['hash', hashes],
  ['path', paths],
  ['number', numbers],
  ['version', versions],
  ['identifier', identifiers],
]

/** Blanks of the same length in place of overlong lines, so that offsets stay. */
function withoutData(text: string): string {
  if (text.length <= LONGEST_LINE) return text
  return text
    .split('\n')
    .map((line) => (line.length > LONGEST_LINE ? ' '.repeat(line.length) : line))
    .join('\n')
}

const partsPair = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '')

function factsOfSource({ seq, role, text: whole }: FactSource): Fact[] {
  const text = withoutData(whole)
  const prose = role !== 'result'
  const taken = new Uint8Array(text.length)
  const facts: Fact[] = []
  const add = (kind: FactKind, { from, to, name }: Span) => {
    // A span that was cut at its longest may part a surrogate pair, and no log would take it (L5).
    const offset = partsPair(text, from) ? from + 1 : from
    const literal = text.slice(offset, partsPair(text, to) ? to - 1 : to)
    facts.push({ kind, text: literal, seq, offset, ...(name && { name }) })
  }
  for (const [kind, find] of CLAIMS)
    for (const span of find(text, prose)) {
      if (span.to <= span.from || taken.subarray(span.from, span.to).includes(1)) continue
      taken.fill(1, span.from, span.to)
      add(kind, span)
    }
  // Sentences lie over the literals in them: both are worth keeping.
  if (role === 'user') for (const span of instructions(text)) add('instruction', span)
  if (prose) {
    for (const span of decisions(text)) add('decision', span)
    for (const span of effects(text)) add('effect', span)
  }
  return facts.sort((a, b) => a.offset - b.offset || b.text.length - a.text.length)
}

/**
 * Facts of some texts, in order of place; of equal ones (same kind, same normalised text) the first.
 * Where classes overlap the first claim wins; instructions, decisions and effects claim nothing.
 */
export function extractFacts(sources: readonly FactSource[]): Fact[] {
  const seen = new Set<string>()
  return sources.flatMap(factsOfSource).filter((fact) => {
    const key = `${fact.kind}\n${normalise(fact.text)}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
