/** A request cut into its parts: sentences, "then", "and" before another verb. Each is planned or named as left out. */

import { BEGINNING, bare, type Intent, LONG, plain, readExact, readIntent } from './intent'
import { PRONOUN, RESULT } from './intent-change'
import { leftOf } from './left'
import { exceptIn } from './range'
import { filesIn, isCodeName } from './words'

export type Part = {
  /** As it was asked. */
  words: string
  intent: Intent
  /** The file its result goes to, or null: into the answer only. */
  into: string | null
}

export type Request = {
  /** What can be planned, in order. */
  parts: Part[]
  /** What cannot, as it was asked. */
  left: string[]
}

type Cut = Part & { left: string | null }

const TARGET =
  '(?:to|into|in|as)\\s+(?:a\\s+|the\\s+)?(?:new\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?(\\S+)'
const PUT = '(?:write|save|put|store|copy|export|output|print|dump|note)'
const PUT_INTO = new RegExp(`^${PUT}\\s+(?:down\\s+)?(.+?)\\s+${TARGET}$`, 'is')
const PUTS =
  /^(?:write|save|put|store|copy|export|dump|append|add|insert)\s.*\s(?:to|into|in|as)\s+(?:the\s+)?(?:file\s+)?(\S+)$/is
const FOUND_INTO =
  /^((?:summari[sz]e|list|search|find|grep|read|(?:make|give\s+me|create)\s+(?:a|an)\s+(?:summary|overview))\b.+?)\s+(?:in)?to\s+(?:a\s+|the\s+)?(?:file\s+)?(\S+)$/is

const RESULTS = new Set<Intent['kind']>([
  'read',
  'each',
  'summarise',
  'compare',
  'define',
  'search',
  'list',
  'run',
  'recall',
])
const isPlanned = ({ kind }: Intent) => kind !== 'unknown'

const fileAt = (word: string): string | null => filesIn(word)[0] ?? null

/** "write a summary of a.md to b.md": what is asked for, and where it goes. */
function readInto(text: string): { words: string; into: string } | null {
  const match = PUT_INTO.exec(text) ?? FOUND_INTO.exec(text)
  const into = match ? fileAt(match[2]!) : null
  if (!match || into === null || RESULT.test(match[1]!)) return null
  const inner = match[1]!.replace(/^(?:the|a)\s+list\s+of\b/i, 'list')
  const isFound = /^(?:all|every|each|the|any)\b|["`“]/i.test(inner) || isCodeName(inner)
  const asked = [
    inner,
    `show ${inner}`,
    ...(isFound ? [`find ${inner}`] : []),
    ...(/\bfiles\b/i.test(inner) ? [`list ${inner}`] : []),
  ]
  const words = asked.find((one) => RESULTS.has(readIntent(one).kind))
  return words === undefined ? null : { words, into }
}

/** One part: its exceptions and its target taken off, the rest read by the table of intents. */
function readPart(words: string): Cut {
  const text = plain(words)
  const exact = readExact(text)
  if (exact) return { words, intent: exact, into: null, left: null }
  const target = readInto(text)
  // A change of a file that no rule fits is no wish to read that file.
  const place = target === null ? PUTS.exec(text)?.[1] : undefined
  if (place !== undefined && fileAt(place) !== null)
    return { words, intent: { kind: 'unknown' }, into: null, left: null }
  const asked = target?.words ?? text
  const cut = exceptIn(asked)
  const many = cut ? readIntent(cut.rest) : null
  if (cut && many && 'except' in many) {
    const intent = { ...many, except: cut.except }
    return { words, intent, into: target?.into ?? null, left: leftOf(cut.rest, intent) }
  }
  const intent = readIntent(target?.words ?? words)
  return { words, intent, into: target?.into ?? null, left: leftOf(asked, intent) }
}

const QUOTED =
  /\s*```[\s\S]*?(?:```|$)|`[^`\n]*`|"[^"\n]*"|“[^”\n]*”|(?<=^|\s)'[^'\n]+'(?=[\s.,;:!?]|$)/g

/** The text with all that is quoted made unrecognisable; every character keeps its place. */
const veiled = (text: string): string => text.replace(QUOTED, (part) => 'Q'.repeat(part.length))

const HARD =
  /(?:[.!?]+(?=\s)|;(?=\s)|\n)\s*|[,;]?\s+(?:and\s+)?(?:then|after\s+that|afterwards|finally)\b[,:]?\s+(?=\S)/gi
const NO_STOP = /(?:\b(?:e\.g|i\.e|etc|vs|cf)|(?:^|\n)\s*\d+)$/i
/** From here on every word is content or a command: nothing is cut. */
const VERBATIM =
  /^(?:\$\s|(?:run|execute|exec|try)\s+(?:(?:the\s+|this\s+)?(?:shell\s+|bash\s+)?command:?\s*)?(?:for|while|if)\s)|^(?:create|write|make|add|save|append)\b[^\n.;Q]*(?:\w|\.\w+)\s*:\s/i
const COMMAND = /^(?:run|execute|exec)\s/i

const VERBS =
  '(?:read|show|open|print|quote|view|list|find|search|grep|look|summari[sz]e|compare|diff|tell|run|execute|create|write|make|save|put|store|copy|append|add|replace|change|rename|move|delete|remove|compact|where|which|what|how|count|translate|give)'
const SOFT = new RegExp(
  `(?:,\\s*(?:and\\s+|but\\s+)?|\\s+(?:and|but)\\s+)(?:also\\s+)?(?=${VERBS}\\b)`,
  'gi',
)

/** Parts beyond these are named, not planned. */
const MAX_PARTS = 12
/** Characters above which one sentence is not cut further. */
const LONGEST = 600

/** Sentences and what "then" parts. */
function hardCuts(text: string): string[] {
  const pieces: string[] = []
  let from = 0
  const seen = veiled(text)
  for (const match of seen.matchAll(HARD)) {
    const before = seen.slice(from, match.index)
    const lead = bare(before)
    if (match.index < from || NO_STOP.test(seen.slice(0, match.index))) continue
    if (pieces.length === MAX_PARTS || VERBATIM.test(bare(seen.slice(from)))) break
    if (match[0].startsWith(';') && COMMAND.test(lead)) continue
    pieces.push(text.slice(from, match.index))
    from = match.index + match[0].length
  }
  return [...pieces, text.slice(from)].map((piece) => piece.trim()).filter((piece) => piece !== '')
}

/** "read a.md and list docs/": cut where both sides are requests of their own. */
function softCuts(text: string): string[] {
  if (text.length > LONGEST || VERBATIM.test(bare(veiled(text)))) return [text]
  for (const match of [...veiled(text).matchAll(SOFT)].slice(0, MAX_PARTS)) {
    const before = text.slice(0, match.index)
    const after = text.slice(match.index + match[0].length)
    if (isPart(before) && isPart(after)) return [before, ...softCuts(after)]
  }
  return [text]
}

const isPart = (text: string): boolean =>
  isPlanned(readIntent(text)) ||
  readInto(plain(text)) !== null ||
  targetOf(text) !== null ||
  VERB_IT.test(text) ||
  ITS.test(text)

/** "write it to b.md": where the result of the part before goes. */
function targetOf(words: string): string | null {
  const match = PUT_INTO.exec(plain(words))
  return match && RESULT.test(match[1]!) ? fileAt(match[2]!) : null
}

const ITS = /\bits\s+(.+?)(?=\s+(?:to|into|in|as)\s|[.!?]*$)/i
const IT = /\b(?:it|(?:this|that|the(?:\s+same)?)\s+file)\b/i
/** "read it back": a part, though only the one before says what it is about. */
const VERB_IT = new RegExp(`^${VERBS}\\s+(?:it|them)\\b`, 'i')
const REPLACE_IT = /^(?:replace|change|swap|substitute)\s+(?:it|them)\b/i
const THEM = /\b(?:them|both|these\s+two|the\s+two)\b/i

/** Words like "it" made plain by the files the part before was about. */
function resolved(words: string, subject: readonly string[]): string {
  const [path] = subject
  if (path === undefined || filesIn(words).some((one) => subject.includes(one))) return words
  const seen = veiled(words)
  const swap = (pattern: RegExp, by: (match: RegExpExecArray) => string): string | null => {
    const match = pattern.exec(seen)
    return (
      match && words.slice(0, match.index) + by(match) + words.slice(match.index + match[0].length)
    )
  }
  return (
    swap(ITS, (match) => `the ${match[1]} of ${path}`) ??
    swap(IT, () => path) ??
    (subject.length > 1 ? swap(THEM, () => subject.join(' and ')) : null) ??
    words
  )
}

const OF_IT = /\b(?:in|of|from|its)\s+(?:it|that\s+file|the\s+file)\b|\bits\b/i

/** Whether a part says what it is about only by a word like "it". */
function needsSubject({ intent, left }: Cut, words: string): boolean {
  if (REPLACE_IT.test(bare(words))) return false
  if (VERB_IT.test(bare(words)) || (OF_IT.test(veiled(words)) && left === null)) return true
  if (intent.kind === 'compare') return intent.paths.length < 2
  if (intent.kind === 'summarise') return intent.path === null
  return (
    intent.kind === 'unknown' ||
    intent.kind === 'ask' ||
    (intent.kind === 'edit' && intent.where === null && intent.paths.length === 0)
  )
}

function subjectOf(intent: Intent): string[] {
  if ('paths' in intent) return intent.paths
  return 'path' in intent && intent.path !== null ? [intent.path] : []
}

/** Ends a request, asks for nothing. */
const NOTHING =
  /^(?:and|then|but|(?:and\s+)?(?:stop|done|end|finish|wait)(?:\s+there|\s+here)?|that(?:'s|\s+is|\s+will\s+be)\s+(?:all|it)|nothing\s+(?:else|more)|thanks?.{0,20}|thank\s+you.{0,20}|please|you\s+are\s+done)$/i

const isSmallTalk = ({ intent }: Part) =>
  intent.kind === 'talk' && (intent.topic === 'greeting' || intent.topic === 'thanks')

const BOTH =
  /^(.*\bwhere\s+(?:is|are)\s+(\S+)\s+)(defined|declared|used|mentioned)\s+and\s+(?:where\s+)?(?:is\s+)?(?:it\s+)?(defined|declared|used|mentioned)\b(.*)$/is

/** "a.md and b.md", "TODO and FIXME", "defined and used": one part for each of them. */
function spread(words: string): string[] {
  const both = BOTH.exec(words)
  if (both) return [both[3], both[4]].map((verb) => `${both[1]}${verb}${both[5]}`)
  const intent = readIntent(words)
  const names =
    intent.kind === 'search' ? intent.text.split(/\s*,\s*(?:and\s+)?|\s+(?:and|or)\s+/) : []
  if (
    intent.kind === 'search' &&
    names.length > 1 &&
    names.every(isCodeName) &&
    !/["`“]/.test(words)
  )
    return names.map((name) => words.replace(intent.text, name))
  const paths = filesIn(words)
  const isOne = readIntent(words).kind !== 'summarise' || readInto(plain(words)) !== null
  return paths.length < 2 || isOne ? [words] : paths.map((path) => `summarise ${path}`)
}

/** The parts of a request. Total; one part stays the request as it is. */
export function readRequest(request: string): Request {
  const whole = request.trim()
  if (whole.length > LONG) {
    const exact = readExact(plain(whole))
    const note = `what follows after the first ${BEGINNING} characters`
    if (exact) return { parts: [{ words: whole, intent: exact, into: null }], left: [] }
    const head = readRequest(whole.slice(0, BEGINNING))
    return { parts: head.parts, left: [...head.left, note] }
  }
  const all = hardCuts(whole).flatMap(softCuts)
  const pieces = all.filter((piece) => all.length === 1 || !NOTHING.test(plain(piece)))
  const parts: Cut[] = []
  const left = pieces.slice(MAX_PARTS)
  let subject: string[] = []
  let name: string | null = null
  for (const piece of pieces.slice(0, MAX_PARTS).flatMap(spread)) {
    const target = targetOf(piece)
    const before = parts.at(-1)
    if (target !== null && before?.into === null && RESULTS.has(before.intent.kind)) {
      before.into = target
      before.words = `${before.words} and ${bare(piece)}`
      continue
    }
    const alone = readPart(piece)
    const part = needsSubject(alone, piece) ? readPart(resolved(piece, subject)) : alone
    if ('name' in part.intent) name = part.intent.name
    else if (part.intent.kind === 'search') {
      const { text } = part.intent
      // "Which files mention it?": what the part before looked for, or nothing that could be looked for.
      if (!PRONOUN.test(text) || /["`“]/.test(piece)) name = text
      else part.intent = name === null ? { kind: 'unknown' } : { ...part.intent, text: name }
    }
    const about = subjectOf(part.intent)
    if (about.length > 0) subject = about
    parts.push({ ...part, words: bare(piece) })
  }
  const planned = parts.filter((part) => isPlanned(part.intent))
  const asked = planned.some((part) => !isSmallTalk(part))
    ? planned.filter((part) => !isSmallTalk(part))
    : planned.slice(0, 1)
  const unplanned = parts.flatMap((part) =>
    isPlanned(part.intent) ? (part.left === null ? [] : [part.left]) : [part.words],
  )
  return {
    parts: asked.map(({ words, intent, into }) => ({ words, intent, into })),
    left: [...unplanned, ...left],
  }
}

/** "continue" and nothing else. */
export const isGoOn = (request: string): boolean => readIntent(request).kind === 'continue'
