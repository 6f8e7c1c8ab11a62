/** Reading named files, summarising one, listing a place. */

import { cite, code, type Row, readCites } from './cite'
import type { FileNote } from './memory'
import {
  answered,
  type Call,
  call,
  count,
  firstLine,
  type Move,
  newest,
  offered,
  pathOf,
  say,
  use,
} from './move'
import { citeList, keyLines, outline, remark } from './prose'
import { isExcepted, type Range, rangeWords } from './range'
import { type FileView, readFileView, readListing } from './results'
import type { Attachment, Turn } from './turns'

/** Lines read at once: about 4k tokens of prose, a quarter of the window. */
export const PAGE = 250
const MAX_PAGES = 6

/** The error that says there is no such file, in view or in an earlier record. */
function missingError(turn: Turn, path: string): string | null {
  const failed = answered(turn, 'read_file').find(
    (step) => pathOf(step) === path && step.result.isError,
  )
  if (failed) return failed.result.text
  return turn.memory?.errors.find((error) => error.includes(`There is no file ${path}.`)) ?? null
}

/**
 * A file the request names, met where it really is: an error that offers exactly one file of that name is
 * followed. `ask` is the answer where it cannot be met.
 */
export function settlePath(turn: Turn, path: string): { path: string } | { ask: Move } {
  const error = missingError(turn, path)
  if (error === null) return { path }
  const others = offered(error, path)
  if (others.length === 1) return { path: others[0]! }
  const list = others.map(code).join(', ')
  return {
    ask: say(
      others.length > 1
        ? `There is no ${code(path)} here. Which of these do you mean: ${list}?`
        : firstLine(error),
    ),
  }
}

/** What an earlier record quotes of a file, where the file was read before it. */
const remembered = (turn: Turn, path: string): FileNote | null =>
  turn.memory?.read.find((note) => note.path === path) ?? null

const readOf = (turn: Turn, path: string) =>
  answered(turn, 'read_file').filter((step) => pathOf(step) === path)

const sizeOf = (view: FileView) =>
  view.isWhole
    ? count(view.total, 'line')
    : `lines ${view.rows[0]?.line ?? 0}-${view.rows.at(-1)?.line ?? 0} of ${view.total}`

const QUOTED_LINES = 14

/** The lines asked for, each with its place. */
export function quoteLines(path: string, rows: readonly Row[]): string {
  const said = rows.filter(({ text }) => text.trim() !== '')
  const shown = said.slice(0, QUOTED_LINES)
  const more = said.length - shown.length
  return `${citeList(shown.map((row) => ({ path, ...row })))}${more > 0 ? `\n- and ${count(more, 'more line', 'more lines')} in the result above` : ''}`
}

function showFile(path: string, text: string, lines: Range | null): string {
  const view = readFileView(text)
  if (view.rows.length === 0) return `${code(path)} has no lines to quote: ${firstLine(text)}`
  if (lines) return `${code(path)}, ${sizeOf(view)}:\n\n${quoteLines(path, view.rows)}`
  const more =
    view.next === null
      ? ''
      : `\n\nThe file goes on at line ${view.next}; ask for "lines ${view.next}-${Math.min(view.total, view.next + PAGE - 1)} of ${path}".`
  return remark(path, view.rows, sizeOf(view)) + more
}

function fromMemory(turn: Turn, path: string): string {
  const note = remembered(turn, path)
  const gone = `${code(path)} was read; its lines have gone from view.`
  return note?.cite ? `${gone} It opens with ${cite(note.cite)}` : gone
}

/** `read a.md and b.md`, `show lines 3-9 of c.py`. */
export function planRead(turn: Turn, paths: readonly string[], lines: Range | null): Move {
  const settled = paths.map((path) => settlePath(turn, path))
  const wanted = settled.flatMap((one) => ('path' in one ? [one.path] : []))
  const missing = wanted.filter(
    (path) => readOf(turn, path).length === 0 && !remembered(turn, path),
  )
  if (missing.length > 0) {
    const what = missing.map(code).join(', ')
    // How long a file is, its first line tells; where its last lines begin follows from that.
    const range = lines && 'last' in lines ? { from: 1, to: 1 } : lines
    const calls = missing.map((path) => call('read_file', { path, ...range }))
    return use(lines ? `Reading ${rangeWords(lines)} of ${what}.` : `Reading ${what}.`, ...calls)
  }
  if (lines && 'last' in lines) {
    const calls = wanted.flatMap((path) => lastLinesCall(turn, path, lines.last))
    const sizes = calls.map(({ input }) => `${code(String(input.path))} has ${input.to} lines.`)
    if (calls.length > 0) return use(sizes.join(' '), ...calls)
  }
  const parts = settled.map((one) => {
    if ('ask' in one) return one.ask.text
    const result = readOf(turn, one.path).at(-1)?.result
    if (!result || result.isGone) return fromMemory(turn, one.path)
    return result.isError ? firstLine(result.text) : showFile(one.path, result.text, lines)
  })
  return say(parts.join('\n\n'))
}

/** The reading of a file's last lines, once its length is known; none where they have been read. */
function lastLinesCall(turn: Turn, path: string, last: number): Call[] {
  const reads = readOf(turn, path)
  const first = reads[0]
  if (first?.result.isError || reads.some(({ input }) => input.to !== 1)) return []
  const view = first && !first.result.isGone ? readFileView(first.result.text) : null
  const total = view?.total ?? remembered(turn, path)?.lines ?? 0
  // After a record the second reading may be done already: it stands in the number of calls.
  const isFirst = view !== null || (turn.memory !== null && turn.memory.calls <= 1)
  if (!isFirst || total <= 1) return []
  return [call('read_file', { path, from: Math.max(1, total - last + 1), to: total })]
}

const KEY_LINES = 8
const BY_RULE =
  'These lines were picked by rule (headings, names, frequent words); I do not understand them.'

function digest(path: string, rows: readonly Row[], size: string, quotes: string): string {
  const names = outline(rows, path).slice(0, 14)
  const parts = [
    `**${path}** (${size})`,
    names.length > 0
      ? `Parts: ${names.map(({ name, line }) => `${code(name)} (line ${line})`).join(', ')}.`
      : '',
    quotes,
    BY_RULE,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Quotes of the pages read so far, from remarks made on the way. */
const quotesSoFar = (turn: Turn, path: string) =>
  turn.said.flatMap(readCites).filter((one) => one.path === path)

/** A file attached to the message: its text is here already. */
export function summariseAttached({ name, text }: Attachment): Move {
  const rows = text.split('\n').map((line, at) => ({ line: at + 1, text: line }))
  const quotes = citeList(keyLines(name, rows, KEY_LINES).map((row) => ({ path: name, ...row })))
  return say(digest(name, rows, count(rows.length, 'line'), quotes))
}

/** `summarise notes.md`: page by page, the quotes of each page kept in words. */
export function planSummary(turn: Turn, named: string): Move {
  const settled = settlePath(turn, named)
  if ('ask' in settled) return settled.ask
  const { path } = settled
  const pages = readOf(turn, path)
  const last = pages.at(-1)
  if (!last) return use(`Reading ${code(path)}.`, call('read_file', { path, from: 1, to: PAGE }))
  if (last.result.isError) return say(firstLine(last.result.text))
  if (last.result.isGone)
    return say(
      `${code(path)} was read; its lines have gone from view.\n\n${citeList(quotesSoFar(turn, path))}`,
    )
  const view = readFileView(last.result.text)
  if (view.rows.length === 0)
    return say(`${code(path)} has no lines to quote: ${firstLine(last.result.text)}`)
  if (pages.length === 1 && view.next === null) {
    const quotes = citeList(keyLines(path, view.rows, KEY_LINES).map((row) => ({ path, ...row })))
    return say(digest(path, view.rows, sizeOf(view), quotes))
  }
  const fresh = keyLines(path, view.rows, 3).map((row) => ({ path, ...row }))
  if (view.next !== null && pages.length < MAX_PAGES) {
    const text = `Lines ${view.rows[0]!.line}-${view.rows.at(-1)!.line} of ${view.total}:\n\n${citeList(fresh)}\n\nReading on.`
    return use(text, call('read_file', { path, from: view.next, to: view.next + PAGE - 1 }))
  }
  const seen = view.rows.at(-1)!.line
  const size =
    seen >= view.total
      ? count(view.total, 'line')
      : `lines 1-${seen} of ${view.total}; I stopped there`
  return say(digest(path, [], size, citeList([...quotesSoFar(turn, path), ...fresh])))
}

const LISTED = 30

/** `what files are in docs/`. */
export function planList(turn: Turn, where: string, except: readonly string[]): Move {
  const step = newest(turn, 'list_files')
  const without = except.length === 0 ? '' : ` (without ${except.map(code).join(', ')})`
  const place = `${where === '' ? 'the workspace' : code(where)}${without}`
  if (!step)
    return use(`Listing ${place}.`, call('list_files', where === '' ? {} : { path: where }))
  if (step.result.isError) return say(firstLine(step.result.text))
  if (step.result.isGone) return say(`${place} was listed; the list has gone from view.`)
  const { files: all, left } = readListing(step.result.text)
  const files = all.filter(({ path }) => !isExcepted(path, except))
  if (files.length === 0) return say(firstLine(step.result.text))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const rows = files
    .slice(0, LISTED)
    .map(({ path, bytes: size }) => `- ${code(path)} (${size} bytes)`)
  const more = files.length + left - rows.length
  return say(
    `${count(files.length + left, 'file')} in ${place}, ${bytes} bytes${left > 0 ? ' in those listed' : ''}:\n\n${rows.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`,
  )
}
