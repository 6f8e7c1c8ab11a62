/** Reading files one after the other: what is left follows from the messages alone, at every step. */

import { cite, code, readCites, readCode } from './cite'
import { answered, call, count, firstLine, isLost, type Move, pathOf, say, use } from './move'
import { quoteLines } from './plan-read'
import { remark } from './prose'
import { isExcepted, isMeant, type Range, rangeWords } from './range'
import { type Listed, readFileView, readListing } from './results'
import type { Step, Turn } from './turns'

/** A list longer than this is asked for again when it has gone from view, instead of being repeated. */
const LIST_IN_WORDS = 60
/** Files above this many bytes are read in part: two of them would fill the window. */
const LARGE = 14_000
const LINES_OF_LARGE = 220
const FILES_IN_ANSWER = 40

type Intent = { where: string; atOnce: boolean; except: string[]; lines: Range | null }

const LIST_LINE = /^Reading list \((\d+)\): (.+)$/m

const listLine = (paths: readonly string[]) =>
  paths.length <= LIST_IN_WORDS
    ? `\n\nReading list (${paths.length}): ${paths.map(code).join(', ')}`
    : ''

/** The reading list as this turn wrote it down earlier. */
function listInWords(turn: Turn): Listed[] | null {
  for (const text of turn.said.toReversed()) {
    const match = LIST_LINE.exec(text)
    if (!match) continue
    const files = match[2]!.split(', ').map((part) => ({ path: readCode(part) ?? '', bytes: 0 }))
    return files.length === Number(match[1]) ? files : null
  }
  return null
}

/** The whole list as far as it is in view: from the tool, from words, or null. */
function listInView(turn: Turn): Listed[] | null {
  const step = answered(turn, 'list_files').findLast(
    ({ result }) => !result.isGone && !result.isError,
  )
  return step ? readListing(step.result.text).files : listInWords(turn)
}

/** Files in order, and how many follow that are not named. */
export type Left = { files: Listed[]; more: number }

export const countLeft = ({ files, more }: Left): number => files.length + more

/** What is left to read; null where the list has to be asked for. */
export function filesLeft(turn: Turn, except: readonly string[]): Left | null {
  const { memory } = turn
  const done = new Set(answered(turn, 'read_file').map(pathOf))
  for (const { path } of memory?.read ?? []) done.add(path)
  const isLeft = ({ path }: Listed) => !done.has(path) && !isExcepted(path, except)
  const list = listInView(turn)
  if (!list) {
    if (!memory || memory.left.length === 0) return null
    const files = memory.left.map((path) => ({ path, bytes: 0 })).filter(isLeft)
    const more = memory.leftMore
    return files.length > 0 || more === 0 ? { files, more } : null
  }
  // A record names the last file read: those before it in the list are done, named or not.
  const last = memory?.list?.last
  const at = last === undefined ? -1 : list.findIndex(({ path }) => path === last)
  return { files: list.slice(at + 1).filter(isLeft), more: 0 }
}

/** Files read, an earlier record's included. */
export function filesDone(turn: Turn): number {
  const known = new Set((turn.memory?.read ?? []).map(({ path }) => path))
  const fresh = new Set(
    answered(turn, 'read_file')
      .map(pathOf)
      .filter((path) => !known.has(path)),
  )
  return Math.max(turn.memory?.list?.done ?? 0, known.size) + fresh.size
}

/** A remark on a file whose result has just come; none where it is gone from view. */
function remarkOn(step: Step, lines: Range | null): string {
  const path = pathOf(step)
  const { text = '', isError = true, isGone = false } = step.result ?? {}
  if (isGone) return ''
  if (step.result && isLost(step.result)) return `The call for **${path}** was cut off.`
  if (isError) return `**${path}** could not be read: ${firstLine(text)}`
  const view = readFileView(text)
  if (view.rows.length === 0) return `**${path}** has no lines that I could quote.`
  const size = count(view.total, 'line')
  const part = view.isPruned
    ? `${size}, the middle out of view`
    : view.isWhole
      ? size
      : `lines ${view.rows[0]!.line}-${view.rows.at(-1)!.line} of ${view.total}`
  return lines
    ? `**${path}** (${part}):\n\n${quoteLines(path, view.rows)}`
    : remark(path, view.rows, part)
}

const newestRemarks = (turn: Turn, lines: Range | null): string =>
  turn.steps
    .filter((step) => step.name === 'read_file' && step.group === turn.steps.at(-1)?.group)
    .map((step) => remarkOn(step, lines))
    .filter((text) => text !== '')
    .join('\n\n')

/** One line for each file read, from the remarks in view and from the record. */
function findings(turn: Turn): string[] {
  const cites = new Map((turn.memory?.read ?? []).map((note) => [note.path, note.cite]))
  for (const step of answered(turn, 'read_file')) {
    const path = pathOf(step)
    const found = turn.said.flatMap(readCites).find((one) => one.path === path)
    const view = step.result.isGone || step.result.isError ? null : readFileView(step.result.text)
    const own = view ? readCites(remark(path, view.rows, ''))[0] : undefined
    cites.set(path, found ?? own ?? cites.get(path) ?? null)
  }
  return [...cites].map(([path, found]) =>
    found ? `- ${cite(found)}` : `- ${code(path)}: read; nothing of it to quote is in view.`,
  )
}

function answer(turn: Turn, remarks: string, where: string): Move {
  const done = filesDone(turn)
  const lines = findings(turn)
  const shown = lines.slice(-FILES_IN_ANSWER)
  const more = done - shown.length
  const head = `That was the last one: ${count(done, 'file')} of ${where} read. What each of them opens with:`
  const tail =
    more > 0
      ? `\n- and ${count(more, 'file')} read earlier; recall_search finds what they said.`
      : ''
  return say(
    [remarks, head, `${shown.join('\n')}${tail}`].filter((part) => part !== '').join('\n\n'),
  )
}

/** The whole file where that is sure to fit, else its beginning. */
const readCall = ({ path, bytes }: Listed, lines: Range | null) =>
  call(
    'read_file',
    lines ? { path, ...lines } : bytes > LARGE ? { path, from: 1, to: LINES_OF_LARGE } : { path },
  )

/** Exceptions that mean none of the files there are: a slip of the pen worth saying. */
function unmet(turn: Turn, except: readonly string[]): string {
  const list = listInView(turn)
  const words = list ? except.filter((word) => !list.some(({ path }) => isMeant(path, word))) : []
  return words.length === 0 ? '' : ` No file there is ${words.map(code).join(' or ')}.`
}

/** One step of "read every file in … one after the other". */
export function planEach(turn: Turn, intent: Intent): Move {
  const { where, atOnce, lines, except } = intent
  const without = except.length === 0 ? '' : ` (without ${except.map(code).join(', ')})`
  const place = `${where === '' ? 'the workspace' : code(where)}${without}`
  const lists = answered(turn, 'list_files')
  const failed = lists.at(-1)
  if (failed?.result.isError) return say(`I cannot list ${place}: ${firstLine(failed.result.text)}`)
  const left = filesLeft(turn, except)
  const list = call('list_files', where === '' ? {} : { path: where })
  const remarks = newestRemarks(turn, lines)
  if (left === null) {
    const why = lists.length > 0 || turn.memory ? 'The list has gone from view, so I' : 'I'
    return use(`${remarks === '' ? '' : `${remarks}\n\n`}${why} list ${place} first.`, list)
  }
  const done = filesDone(turn)
  if (left.files.length === 0 && done === 0)
    return say(`There are no files in ${place}, so there is nothing to read.`)
  if (left.files.length === 0) return answer(turn, remarks, place)
  const next = left.files.slice(0, atOnce ? 2 : 1)
  const names = next.map(({ path }) => code(path)).join(' and ')
  const calls = next.map((file) => readCall(file, lines))
  if (done === 0) {
    const paths = left.files.map(({ path }) => path)
    const manner = atOnce ? 'two at a time' : 'one after the other'
    return use(
      `${count(left.files.length, 'file')} in ${place}, to be read ${lines ? `(${rangeWords(lines)} of each) ` : ''}${manner}.${unmet(turn, except)}${listLine(paths)}\n\nFirst: ${names}.`,
      ...calls,
    )
  }
  const progress = `${done} of ${done + countLeft(left)} read. Next: ${names}.`
  return use(remarks === '' ? progress : `${remarks}\n\n${progress}`, ...calls)
}

/** Calls after which a plan of this kind is surely going in circles: three for each file. */
export function eachLimit(turn: Turn, except: readonly string[]): number {
  const left = filesLeft(turn, except)
  const total = filesDone(turn) + (left ? countLeft(left) : 0)
  return 3 * Math.max(total, turn.memory?.list?.total ?? 0) + 20
}
