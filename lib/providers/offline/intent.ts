/** What a request asks for, as one of the things the reader can plan. Patterns, tried in order. */

import { append, compact, edit, run, write } from './intent-change'
import { define, recall, search } from './intent-find'
import { compare, each, list, read, summarise } from './intent-read'
import { contentWords } from './prose'
import type { Range } from './range'
import { codeNamesIn, whereIn } from './words'

export type Intent =
  /** All files of a folder or glob, one after the other. */
  | { kind: 'each'; where: string; atOnce: boolean; except: string[]; lines: Range | null }
  | { kind: 'read'; paths: string[]; lines: Range | null }
  | { kind: 'summarise'; path: string | null }
  /** Paths may be fewer than two: then what was read last is meant. */
  | { kind: 'compare'; paths: string[] }
  | { kind: 'define'; name: string; where: string | null }
  | { kind: 'search'; text: string; where: string | null; wants: 'places' | 'files' | 'count' }
  | { kind: 'list'; where: string; except: string[] }
  | { kind: 'write'; path: string; content: string | null }
  | { kind: 'append'; path: string; content: string }
  /** In the files named, or in all of a place ('' is the workspace) but the exceptions. */
  | {
      kind: 'edit'
      paths: string[]
      where: string | null
      except: string[]
      from: string
      to: string
      all: boolean
    }
  | { kind: 'run'; command: string }
  | { kind: 'compact'; focus: string | null }
  | { kind: 'recall'; query: string; path: string | null; seq: number | null }
  | { kind: 'continue' }
  | { kind: 'talk'; topic: 'greeting' | 'identity' | 'ability' | 'thanks' }
  /** A question of another kind: its words can be searched for, no more. */
  | { kind: 'ask'; words: string[] }
  | { kind: 'unknown' }

export type Matcher = (text: string) => Intent | null

const talk: Matcher = (text) => {
  const topics: [RegExp, 'greeting' | 'identity' | 'ability' | 'thanks'][] = [
    [
      /^(?:hi|hello|hey|good\s+(?:morning|afternoon|evening|day)|greetings|howdy|moin|yo)\b[^?]{0,20}$/i,
      'greeting',
    ],
    [
      /^(?:thanks|thank\s+you|thx|great|nice|cool|perfect|ok|okay|good|well\s+done|bye|goodbye)\b.{0,30}$/i,
      'thanks',
    ],
    [
      /\b(?:who|what)\s+are\s+you\b|\bare\s+you\s+(?:an?\s+)?(?:llm|ai|language\s+model|model|gpt|claude|human|bot|robot|chatbot|real|conscious|alive)\b|\bwhich\s+model\b|\byour\s+name\b|\bhow\s+are\s+you\b|\bdo\s+you\s+(?:understand|think|feel)\b/i,
      'identity',
    ],
    [
      /\bwhat\s+can\s+you\s+do\b|\bhow\s+(?:do|can|does)\s+(?:i|you|this|it)\s+(?:use|work|help)\b|^help\b|\bwhat\s+(?:do|should)\s+(?:you|i)\s+(?:support|ask|type|say)\b|\bcan\s+you\s+help\b|\byour\s+(?:abilities|limits|capabilities)\b/i,
      'ability',
    ],
  ]
  for (const [pattern, topic] of topics) if (pattern.test(text)) return { kind: 'talk', topic }
  return null
}

const goOn: Matcher = (text) =>
  /^(?:continue|go\s+on|carry\s+on|keep\s+going|proceed|resume|next|finish\s+(?:it|that|the\s+task))(?:\s+(?:please|with\s+(?:it|that|the\s+(?:task|reading))|reading|where\s+you\s+(?:stopped|left\s+off)))?$/i.test(
    text,
  )
    ? { kind: 'continue' }
    : null

/** What asks for a change, or forbids one, is never answered with a search. */
const CHANGES =
  /^(?:create|write|make|add|append|insert|save|put|store|delete|remove|replace|change|edit|fix|swap|rename|move|copy|run|execute|never|don'?t|do\s+not)\b/i

/** What is left when no pattern fits: a name to look up, words to search for, or nothing. */
function rest(whole: string): Intent {
  const text = bare(whole)
  if (CHANGES.test(text)) return { kind: 'unknown' }
  const [name] = codeNamesIn(text)
  if (name) return { kind: 'search', text: name, where: whereIn(text), wants: 'places' }
  const words = contentWords(text)
  const isQuestion =
    (/\?$/.test(text) && !/^\W*(?:can|could|would|will)\s+you\b/i.test(whole)) ||
    /^(?:how|what|when|where|which|who|why|is|are|does|do|can)\b/i.test(text)
  return isQuestion && words.length > 0
    ? { kind: 'ask', words: words.slice(0, 6) }
    : { kind: 'unknown' }
}

const MATCHERS = [
  goOn,
  run,
  compact,
  edit,
  append,
  write,
  recall,
  compare,
  each,
  define,
  talk,
  list,
  summarise,
  search,
  read,
]

/** Polite words, numbering and words of order before a request. */
const POLITE =
  /^(?:(?:please|pls|kindly|hey|hi|hello|ok|okay|so|now|then|and|well|great|thanks|thank\s+you)[,!.]?\s+|(?:can|could|would|will)\s+you\s+(?:please\s+)?|i(?:'d|\s+would)\s+like\s+(?:you\s+)?to\s+|i\s+(?:want|need)\s+(?:you\s+)?to\s+|let(?:'s|\s+us)\s+|go\s+ahead\s+and\s+|(?:first|second|third|next|also|finally|lastly|afterwards|after\s+that),?\s+|[-*•]\s+|\d+[.)]\s+)+(?=\S)/i

/** Beyond this many characters a request is matched by its beginning: what follows is material. */
export const LONG = 4000
export const BEGINNING = 1000

function match(text: string, matchers: readonly Matcher[]): Intent | null {
  for (const matcher of matchers) {
    const intent = matcher(text)
    if (intent) return intent
  }
  return null
}

/** Without the full stop, question mark or "please" a sentence ends with. */
const unended = (text: string): string =>
  text.includes('```') ? text : text.replace(/[\s,]*(?:\bplease\b)?[\s?.!]*$/i, '')

/** "tell me where X is defined" asks the same as "where is X defined". */
const TELL =
  /^(?:(?:tell|show)\s+me|let\s+me\s+know|find\s+out|check|see|say|look\s+up|explain)\s+(?=(?:where|which|what|who|how|in\s+which)\b)/i
const INDIRECT =
  /^(where|how\s+often|how\s+many\s+times|in\s+which\s+files?)\s+(.+?)\s+(is|are|was)\s+(\w+.*)$/is

/** Without the polite words, numbers and words of order it begins with. */
export const bare = (request: string): string => request.trim().replace(POLITE, '').trim()

/** A request as its plain words: no politeness, no numbering, questions direct. */
export function plain(request: string): string {
  const text = unended(bare(request)).replace(TELL, '')
  return INDIRECT.test(text) && !/^\S+\s+(?:is|are|was|does|do)\b/i.test(text)
    ? text.replace(INDIRECT, '$1 $3 $2 $4')
    : text
}

/** What one part of a request asks for. Total: any text gives an intent. */
export function readIntent(request: string): Intent {
  const whole = request.trim()
  if (whole.length > LONG)
    return match(whole.replace(POLITE, ''), [write]) ?? readIntent(whole.slice(0, BEGINNING))
  return match(plain(whole), MATCHERS) ?? match(whole, MATCHERS) ?? rest(whole)
}

/** A request that gives its content, command or focus word for word, or null. */
export const readExact = (text: string): Intent | null =>
  match(text, [goOn, run, compact, append, write])
