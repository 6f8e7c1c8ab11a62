/** Which words of a request no rule has taken up: they are named, never passed over. */

import type { Intent } from './intent'
import { rangeIn } from './range'

/** Words the rules know, by what they are for. All others mean something that is not planned. */
const KNOWN = new Set(
  [
    'a an the this that these those all every each any some both whole entire complete everything anything something whatever it its they them their there here',
    'of in on at to from for under inside within into across through between by with and or not as per about out over up is are was were be does do did has have had can could would will may',
    'i me my we us our you your please just simply now then also again once so if only back',
    'what which where who whose how often many much times time',
    "what's where's whats i'd",
    'read show open cat print display quote quotes view look see check inspect examine review study skim go walk work visit take tell give get find found search grep scan list ls tree locate process describe explain summarise summarize summarised summarized sum compare diff write save put store copy make create run know say says said tells need want like',
    'file files document documents doc docs module modules page pages script scripts folder folders directory directories dir workspace project repository repo codebase code place places line lines content contents text texts word words name names thing things layout structure',
    'python markdown typescript javascript json csv toml yaml rust',
    'one two after other another turn order sequence parallel together time individually separately apiece next',
    'summary overview gist outline tl dr tldr key main points point short brief quick attached attachment',
    'difference differences differ differs different changed changes change old new same',
    'defined define defines definition declared declares declaration set sets introduced introduces implemented assigned come comes value constant function class variable method type setting field option symbol term string phrase mean',
    'used uses use using usage usages mention mentions mentioned occur occurs occurrence occurrences appear appears called calls call reference references referenced refer import imports imported contain contains containing matches match count comments comment markers marker notes note tags tag entries entry exist everywhere anywhere',
    'replace swap rename substitute',
  ].flatMap((words) => words.split(' ')),
)

const CHECKED = new Set<Intent['kind']>([
  'each',
  'read',
  'summarise',
  'compare',
  'define',
  'search',
  'list',
  'edit',
])

const MAX_PHRASE = 120

const stringsOf = (intent: Intent): string[] =>
  Object.entries(intent).flatMap(([key, value]) =>
    key === 'kind' || key === 'wants'
      ? []
      : [value].flat().filter((one): one is string => typeof one === 'string' && one !== ''),
  )

const ESCAPE = /[.*+?^${}()|[\]\\]/g

/** The text with a part of it made blank wherever it stands as words of its own. */
const blank = (text: string, part: string): string =>
  part === ''
    ? text
    : text.replace(
        new RegExp(
          `(?<![\\p{L}\\p{N}_])${part.replace(ESCAPE, '\\$&')}s?(?![\\p{L}\\p{N}_])`,
          'giu',
        ),
        (found) => ' '.repeat(found.length),
      )

/** From the first word no rule knows to the last one, as they stand in the text; null where there is none. */
export function leftOf(text: string, intent: Intent): string | null {
  if (!CHECKED.has(intent.kind)) return null
  let seen = text
  const taken = stringsOf(intent).flatMap((part) => [part, part.replace(/\/?(?:\*.*)?$/, '')])
  for (const part of taken.toSorted((a, b) => b.length - a.length)) seen = blank(seen, part)
  if ('lines' in intent && intent.lines !== null) seen = blank(seen, rangeIn(text)?.words ?? '')
  const unknown = [...seen.matchAll(/[\p{L}\p{N}_'’.\-/]*[\p{L}\p{N}_]/gu)].filter(([word]) => {
    const low = word.toLowerCase().replace(/^[.\-/']+/, '')
    return !KNOWN.has(low)
  })
  const first = unknown[0]
  const last = unknown.at(-1)
  if (!first || !last) return null
  // "… and make it nicer": the whole clause, where nothing of it is planned.
  const before =
    /.*(?:\b(?:and|but)\s+|,\s*)(?=\S)/s.exec(seen.slice(0, first.index))?.[0].length ?? 0
  const isClause = before > 0 && text.slice(before, first.index) === seen.slice(before, first.index)
  return text
    .slice(isClause ? before : first.index, last.index + last[0].length)
    .slice(0, MAX_PHRASE)
}
