/** Sentences that carry a fact: instructions of the user, decisions, finished side effects. */

import type { Span } from './facts-literals'
import {
  DECISION,
  EFFECT,
  INSTRUCTION,
  NOT_INSTRUCTION,
  PERMISSION,
  RULES_LEAD,
} from './facts-phrases'

const BOUNDARY =
  /\n+|[.!?…]+["'”»)`*_]{0,3}(?=\s|$)|[。！？]+[」』）]?|:\s+(?!\w{2,8}:\/\/)(?=[\p{L}`*])/gu
const ABBREVIATIONS =
  /(?:^|[\s(])(?:e\.g|i\.e|cf|etc|vs|z\.\s?B|d\.\s?h|u\.\s?a|bzw|ggf|usw|ca|Nr|Std|p\.\s?ej|c\.-à-d|т\.\s?е|т\.\s?д|No|approx)$/i
/** A line that no person writes: a prompt, a frame of a stack, a diff, a log. */
const PASTED = /^\s*(?:[$>#|+]\s|at \S+ ?\(|File "|@@ |diff --git|\d{4}-\d\d-\d\d[T ]|\[\d)/
const SHORTEST = 6
const LONGEST = 600

/** Sentences outside fenced code, trimmed; clauses after a colon or semicolon count as sentences. */
function* sentences(text: string): Generator<Span> {
  let from = 0
  let fenced = false
  const ends = [...text.matchAll(BOUNDARY), null]
  for (const end of ends) {
    const to = end?.index ?? text.length
    const piece = text.slice(from, to)
    if (end?.[0].startsWith('.') && ABBREVIATIONS.test(piece.slice(-12))) continue
    const mark = end !== null && /^[!?！？]/.test(end[0])
    if (/^\s*```/.test(piece)) fenced = !fenced
    else if (
      !fenced &&
      to - from >= SHORTEST &&
      to - from <= LONGEST &&
      !(mark && /^[?？]/.test(end[0])) &&
      !PASTED.test(piece)
    )
      yield trimmedSpan(text, from, to)
    from = to + (end?.[0].length ?? 0)
  }
}

function trimmedSpan(text: string, from: number, to: number): Span {
  const head =
    /^[\s>*_"“„«»•·–—・-]*(?:\(?\d{1,2}[.)、]\s*)?/.exec(text.slice(from, to))?.[0].length ?? 0
  const tail = /[\s*_»”]*$/.exec(text.slice(Math.max(from + head, to - 8), to))?.[0].length ?? 0
  return { from: from + head, to: Math.max(from + head, to - tail) }
}

/** The clause up to a comma, when another main clause follows that only explains. */
function firstClause(text: string, { from, to }: Span): Span {
  const sentence = text.slice(from, to)
  const cut =
    /,\s(?=(?:the|it|its|that|this|they|we|he|she|I|you|because|since|as|so|otherwise|[A-Z]\p{L}+ (?:owns|needs|uses|is|has)|es|das|weil|denn|sonst|il|elle|car|parce|porque|ya que|es|потому|иначе|он|она|это)\s)/u.exec(
      sentence,
    )
  return cut === null || cut.index < 16 ? { from, to } : { from, to: from + cut.index }
}

const SUBORDINATE =
  /^(?:if|when(?:ever)?|before|after|unless|once|until|while|wenn|bevor|falls|sobald|solange|si|avant|quand|lorsque|tant que|antes|cuando|mientras|se|quando|prima|prima di|finché|если|перед|прежде|когда|пока|als|voordat|zodra|jeśli|gdy|zanim)(?!\p{L})/iu

const isInstruction = (sentence: string): boolean =>
  INSTRUCTION.some((pattern) => pattern.test(sentence)) && !NOT_INSTRUCTION.test(sentence)

/** The part of a sentence that instructs: all of it, one side of a semicolon, or one of its clauses. */
function instructingPart(text: string, sentence: Span): Span | undefined {
  const isOne = ({ from, to }: Span) => isInstruction(text.slice(from, to))
  const at = text.slice(sentence.from, sentence.to).indexOf('; ')
  if (at >= 0) {
    const sides = [
      { from: sentence.from, to: sentence.from + at },
      trimmedSpan(text, sentence.from + at + 2, sentence.to),
    ].filter(isOne)
    return sides.length === 2 ? sentence : sides[0]
  }
  const clause = firstClause(text, sentence)
  // What comes first may only say when the rest holds.
  if (SUBORDINATE.test(text.slice(clause.from, clause.to)))
    return isOne(sentence) ? sentence : undefined
  if (isOne(clause)) return clause
  const rest = trimmedSpan(text, clause.to + 1, sentence.to)
  return clause.to < sentence.to && isOne(rest) ? rest : undefined
}

const ITEM = /^[ \t]{0,4}(?:[-*•·–—・‣]|\(?\d{1,2}[.)、])\s{0,3}(?=\S)/
const RULE_END = /[.!?]["”)`]{0,2}(?=\s)|[。！]/

/** First sentences of the items of a list of rules: what a line such as `House rules:` leads is a rule without more words. */
function* listedRules(text: string): Generator<Span> {
  let at = 0
  let led: 'no' | 'maybe' | 'yes' = 'no'
  for (const line of text.split('\n')) {
    const item = ITEM.exec(line)
    if (item && led !== 'no') {
      led = 'yes'
      const end = RULE_END.exec(line.slice(item[0].length))
      const to = end === null ? line.length : item[0].length + end.index
      const rule = firstClause(text, trimmedSpan(text, at, at + to))
      if (rule.to - rule.from >= SHORTEST && !isNoRule(text.slice(rule.from, at + line.length)))
        yield {
          from: rule.from,
          to: rule.to - (/[.。]$/.test(text.slice(rule.from, rule.to)) ? 1 : 0),
        }
    } else if (RULES_LEAD.test(line.slice(-120)) && !/[?？]\s*$/.test(line)) led = 'maybe'
    else if (/\S/.test(line) || led === 'yes') led = 'no'
    at += line.length + 1
  }
}

const isNoRule = (item: string): boolean => /[?？:：]\s*$/.test(item) || PERMISSION.test(item)

/** Prohibitions, obligations and limits (user texts only). */
export function* instructions(text: string): Generator<Span> {
  const listed = [...listedRules(text)]
  yield* listed
  let next = 0
  for (const sentence of sentences(text)) {
    while (next < listed.length && (listed[next] as Span).to <= sentence.from) next++
    if (sentence.to > (listed[next]?.from ?? Number.POSITIVE_INFINITY)) continue
    if (text[sentence.to - 1] === ':') continue
    const part = instructingPart(text, sentence)
    if (part) yield part
  }
}

/** Sentences that state a decision. */
export function* decisions(text: string): Generator<Span> {
  for (const span of sentences(text)) if (DECISION.test(text.slice(span.from, span.to))) yield span
}

/** Sentences that report a finished side effect. */
export function* effects(text: string): Generator<Span> {
  for (const span of sentences(text)) if (EFFECT.test(text.slice(span.from, span.to))) yield span
}
