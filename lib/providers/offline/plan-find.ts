/** Where a name is defined, and where words stand. */

import type { JsonObject } from '../../core/message'
import { type Cite, cite, code, type Row } from './cite'
import { answered, call, count, firstLine, type Move, newest, pathOf, say, use } from './move'
import { citeList, isSaying } from './prose'
import { readFileView, readMatches } from './results'
import type { Turn } from './turns'

const escapeRegex = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Lines that give a name its meaning: declarations, assignments, keys. */
function definitionRegex(name: string): string {
  const n = escapeRegex(name)
  return [
    `^\\s*((export|default|pub|public|static|async|abstract) )*(def|class|function|const|let|var|type|interface|enum|fn|func|struct|trait) ${n}(?![\\w$])`,
    `^\\s*["']?${n}["']?\\s*(:[^=:]+)?=(?!=)`,
    `^\\s*["']?${n}["']?\\s*:(?!:)`,
  ].join('|')
}

const CODE = /\.(?:py|ts|tsx|js|jsx|mjs|rs|go|java|c|h|cc|cpp|hpp|rb|sh|kt|swift|php|cs)$/
const TESTS = /(?:^|\/)tests?\/|[._-]test\.|test_/

/** How likely a line is the definition that is meant. */
function rank({ path, text }: Cite): number {
  let points = CODE.test(path) ? 3 : /\.(?:md|txt)$/.test(path) ? -1 : 0
  if (TESTS.test(path)) points -= 3
  if (!/^\s/.test(text)) points += 2
  if (/^\s*(?:export\s+)?(?:def|class|function|const|type|interface|enum|fn|struct)\b/.test(text))
    points += 1
  return points
}

const placeOf = (where: string | null): JsonObject => (where === null ? {} : { path: where })

const AROUND = { before: 4, after: 8 }

/** A file read in this turn, or its line in the record, that shows the definition already. */
function definitionInView(turn: Turn, name: string): string | null {
  const pattern = new RegExp(definitionRegex(name))
  for (const step of answered(turn, 'read_file')) {
    if (step.result.isError || step.result.isGone) continue
    const { rows } = readFileView(step.result.text)
    const own = rows.find(({ text }) => pattern.test(text))
    if (own) return definitionText(name, { path: pathOf(step), ...own }, rows, turn)
  }
  const quoted = turn.memory?.read.find((note) => note.cite && pattern.test(note.cite.text))?.cite
  return quoted ? `${code(name)} is defined in ${cite(quoted)}` : null
}

const OTHERS = 5

function definitionText(name: string, best: Cite, rows: readonly Row[], turn: Turn): string {
  const near = rows.filter(({ line, text }) => line !== best.line && isSaying(text)).slice(0, 6)
  const search = answered(turn, 'search_files').find(
    ({ result }) => !result.isGone && !result.isError,
  )
  const others = (search ? readMatches(search.result.text).hits : [])
    .filter(({ path, line }) => path !== best.path || line !== best.line)
    .toSorted((a, b) => rank(b) - rank(a))
  const more = others.length - OTHERS
  const parts = [
    `${code(name)} is defined in ${cite(best)}`,
    near.length > 0
      ? `Around it:\n${citeList(near.map((row) => ({ path: best.path, ...row })))}`
      : '',
    others.length > 0
      ? `Other lines of that form:\n${citeList(others.slice(0, OTHERS))}${more > 0 ? `\n- and ${more} more` : ''}`
      : '',
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** `where is THRESHOLD defined`: searches, reads around the best hit, quotes it. */
export function planDefine(turn: Turn, name: string, where: string | null): Move {
  const place = placeOf(where)
  const definitions = call('search_files', { query: definitionRegex(name), regex: true, ...place })
  const settled = definitionInView(turn, name)
  if (settled) return say(settled)
  const searches = answered(turn, 'search_files')
  const first = searches.find((step) => step.input.regex === true)
  // The first search may have gone with a summary; the second is only made when it found nothing.
  if (!first && searches.length > 0) return mentions(turn, name, place, null)
  if (!first) return use(`Searching for the definition of ${code(name)}.`, definitions)
  if (first.result.isGone)
    return say(
      `I searched for ${code(name)}, but the matches have gone from view. Ask again and I search anew.`,
    )
  const hits = first.result.isError ? [] : readMatches(first.result.text).hits
  if (hits.length === 0)
    return mentions(turn, name, place, first.result.isError ? firstLine(first.result.text) : null)
  const ranked = hits.toSorted((a, b) => rank(b) - rank(a))
  const best = ranked[0]!
  if (answered(turn, 'read_file').length > 0) return say(definitionText(name, best, [], turn))
  const from = Math.max(1, best.line - AROUND.before)
  const text = `${count(hits.length, 'line')} could define it. Reading around ${cite(best)}`
  return use(text, call('read_file', { path: best.path, from, to: best.line + AROUND.after }))
}

/** No line defines it: where it is mentioned at all. */
function mentions(turn: Turn, name: string, place: JsonObject, problem: string | null): Move {
  const search = answered(turn, 'search_files').find((step) => step.input.regex !== true)
  if (!search)
    return use(
      `${problem ? `${problem} ` : ''}No line of the usual forms defines ${code(name)}. Searching for the name itself.`,
      call('search_files', { query: name, ...place }),
    )
  const { hits, isComplete } = readMatches(search.result.isError ? '' : search.result.text)
  if (hits.length === 0)
    return say(`I found no definition of ${code(name)}, and no mention of it either.`)
  return say(
    `I found no line that defines ${code(name)} in a form I know. It is mentioned here:\n\n${listHits(hits, isComplete)}`,
  )
}

const SHOWN = 12

function listHits(hits: readonly Cite[], isComplete: boolean): string {
  const shown = hits.slice(0, SHOWN)
  const more = hits.length - shown.length
  const rest =
    more > 0 ? `\n- and ${more}${isComplete ? '' : ' or'} more` : isComplete ? '' : '\n- and more'
  return `${citeList(shown)}${rest}`
}

function answerSearch(text: string, wants: 'places' | 'files' | 'count', result: string): string {
  const { hits, head, isComplete } = readMatches(result)
  const byFile = new Map<string, Cite[]>()
  for (const hit of hits) byFile.set(hit.path, [...(byFile.get(hit.path) ?? []), hit])
  const files = [...byFile].map(
    ([path, own]) => `- ${code(path)}: ${count(own.length, 'line')}, the first ${cite(own[0]!)}`,
  )
  if (wants === 'places') return `${code(text)}: ${head}.\n\n${listHits(hits, isComplete)}`
  const shown = files.slice(0, SHOWN)
  const more = files.length - shown.length
  const many = `${isComplete ? '' : 'more than '}${count(hits.length, 'line')}`
  const verb =
    wants === 'count'
      ? `stands in ${many}`
      : `is found in ${isComplete ? '' : 'at least '}${count(files.length, 'file')}`
  return `${code(text)} ${verb}:\n\n${shown.join('\n')}${more > 0 ? `\n- and ${count(more, 'more file')}` : ''}`
}

type Search = { text: string; where: string | null; wants: 'places' | 'files' | 'count' }

/** `where is X used`, `which files mention X`: exact first, then in any case. */
export function planSearch(turn: Turn, { text, where, wants }: Search): Move {
  const place = placeOf(where)
  const searches = answered(turn, 'search_files')
  const last = searches.at(-1)
  if (!last)
    return use(
      `Searching for ${code(text)}${where ? ` in ${code(where)}` : ''}.`,
      call('search_files', { query: text, ...place }),
    )
  if (last.result.isGone)
    return say(
      `I searched for ${code(text)}, but the matches have gone from view. Ask again and I search anew.`,
    )
  if (last.result.isError) return say(firstLine(last.result.text))
  if (readMatches(last.result.text).hits.length > 0)
    return say(answerSearch(text, wants, last.result.text))
  if (last.input.ignore_case !== true)
    return use(
      `No line holds ${code(text)} in this spelling. Trying any case.`,
      call('search_files', { query: text, ignore_case: true, ...place }),
    )
  return say(
    `No line ${where ? `in ${code(where)}` : 'of the workspace'} holds ${code(text)}, in any case.`,
  )
}

const NEAR = 8

/** A question the reader cannot understand: lines that hold most of its words. */
export function planAsk(turn: Turn, words: readonly string[]): Move {
  const last = newest(turn, 'search_files')
  const listed = words.map(code).join(', ')
  if (!last) {
    const query = words.map(escapeRegex).join('|')
    return use(
      `I am not a language model and cannot understand the question itself. I can look for its words: ${listed}.`,
      call('search_files', { query, regex: true, ignore_case: true }),
    )
  }
  if (last.result.isError || last.result.isGone)
    return say(
      last.result.isGone ? 'The matches have gone from view.' : firstLine(last.result.text),
    )
  const { hits } = readMatches(last.result.text)
  if (hits.length === 0)
    return say(
      `No line holds any of ${listed}. I can only match words; try one that stands in a file.`,
    )
  const score = ({ path, text }: Cite) => {
    const low = `${path} ${text}`.toLowerCase()
    return words.filter((word) => low.includes(word)).length
  }
  const best = hits
    .map((hit, at) => ({ hit, at, score: score(hit) }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
  const shown = best.slice(0, NEAR).map(({ hit }) => hit)
  return say(
    `These lines hold most of the words ${listed}. I matched words; whether they answer the question is yours to judge.\n\n${citeList(shown)}`,
  )
}
