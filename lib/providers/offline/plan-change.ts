/** Writing, editing and running, when told exactly what. */

import { code, cutText } from './cite'
import {
  answered,
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
import { isExcepted } from './range'
import { readMatches } from './results'
import type { StepResult, Turn } from './turns'
import { shellWord } from './words'

const OUTPUT = 1_600

/** Text in a fence that no run of backticks inside can close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const shown = cutText(text, OUTPUT)
  const rest = text.length - shown.length
  return `${fence}\n${shown}\n${fence}${rest > 0 ? `\n\n(${rest} more characters in the result above)` : ''}`
}

export function planWrite(turn: Turn, path: string, content: string | null): Move {
  if (content === null)
    return say(
      `What shall ${code(path)} hold? Tell me word for word: create ${path} with "…". I cannot make up content.`,
    )
  const done = newest(turn, 'write_file')
  if (!done)
    return use(`Writing ${code(path)}, exactly as given.`, call('write_file', { path, content }))
  return say(done.result.isGone ? `${code(path)} was written.` : firstLine(done.result.text))
}

export function planAppend(turn: Turn, path: string, content: string): Move {
  const command = `printf '%s\\n' ${shellWord(content)} >> ${shellWord(path)}`
  const done = newest(turn, 'bash')
  if (!done && (turn.memory?.calls ?? 0) > 0)
    return say(`The line was added to ${code(path)} before.`)
  if (!done) return use(`Adding a line to ${code(path)}.`, call('bash', { command }))
  if (done.result.isError) return say(`It was not added: ${firstLine(done.result.text)}`)
  return say(`Added ${code(content)} at the end of ${code(path)}.`)
}

type Edit = {
  paths: string[]
  where: string | null
  except: string[]
  from: string
  to: string
  all: boolean
}

/** Files changed in one go; the others are named, to be asked for again. */
const EDITS = 20

const editCall = ({ from, to, all }: Edit, path: string) =>
  call('edit_file', { path, old_text: from, new_text: to, ...(all ? { all } : {}) })

function editedText({ text, isError, isGone }: StepResult, path: string): string {
  if (isGone) return `The edit of ${code(path)} was made.`
  const [head = '', ...shown] = text.split('\n')
  if (!isError) return shown.length > 0 ? `${head}\n\n${fenced(shown.join('\n'))}` : head
  const hint = /matches \d+ times/.test(text)
    ? ' Say "replace every …" to change all of them, or quote more of the line.'
    : ''
  return `Nothing was changed. ${firstLine(text)}${hint}`
}

/** `replace a with b in x.py and y.py`. */
function editNamed(turn: Turn, edit: Edit): Move {
  const edits = answered(turn, 'edit_file')
  const first = edits.slice(0, edit.paths.length)
  const what = `${code(edit.from)} with ${code(edit.to)}`
  if (first.length === 0 && turn.memory && turn.memory.calls > 0)
    return say(
      `The edit of ${edit.paths.map(code).join(', ')} was made, or answered with an error, before.`,
    )
  if (first.length === 0)
    return use(
      `Replacing ${what} in ${edit.paths.map(code).join(', ')}.`,
      ...edit.paths.map((path) => editCall(edit, path)),
    )
  const elsewhere = first.flatMap(({ input, result }) => {
    const others = result.isError ? offered(result.text, String(input.path)) : []
    return others.length === 1 ? [{ path: String(input.path), other: others[0]! }] : []
  })
  if (elsewhere.length > 0 && edits.length === first.length)
    return use(
      elsewhere
        .map(({ path, other }) => `There is no ${code(path)}; ${code(other)} has that name.`)
        .join(' '),
      ...elsewhere.map(({ other }) => editCall(edit, other)),
    )
  const told = edits.filter((step) => !elsewhere.some(({ path }) => path === pathOf(step)))
  return say(told.map((step) => editedText(step.result, pathOf(step))).join('\n\n'))
}

/** `replace a with b in all files`: where it stands, then every file of those at once. */
function editMany(turn: Turn, edit: Edit, where: string): Move {
  const { from, to, except } = edit
  const place = where === '' ? 'the workspace' : code(where)
  const edits = answered(turn, 'edit_file')
  const search = newest(turn, 'search_files')
  if (!search && (turn.memory?.calls ?? 0) > 1)
    return say(
      `${code(from)} was replaced in ${place}; which files that were stands in the record.`,
    )
  if (!search)
    return use(
      `Searching ${place} for ${code(from)}, to replace it everywhere there.`,
      call('search_files', { query: from, ...(where === '' ? {} : { path: where }) }),
    )
  if (search.result.isError) return say(`Nothing was changed. ${firstLine(search.result.text)}`)
  const { hits, isComplete } = readMatches(search.result.isGone ? '' : search.result.text)
  const files = [...new Set(hits.map(({ path }) => path))].filter(
    (path) => !isExcepted(path, except),
  )
  if (edits.length === 0 && files.length === 0)
    return say(
      search.result.isGone
        ? 'Nothing was changed: the matches have gone from view. Ask again and I search anew.'
        : `Nothing was changed: no line of ${place}${except.length > 0 ? ` (without ${except.map(code).join(', ')})` : ''} holds ${code(from)}.`,
    )
  if (edits.length === 0) {
    const now = files.slice(0, EDITS)
    return use(
      `Replacing ${code(from)} with ${code(to)} in ${count(now.length, 'file')}.`,
      ...now.map((path) => editCall(edit, path)),
    )
  }
  const rows = edits.map(({ input, result }) =>
    result.isGone
      ? `- ${code(String(input.path))}: edited`
      : `- ${firstLine(result.text).replace(/ It now reads:$/, '')}`,
  )
  const open = files.slice(EDITS).map(code)
  const rest =
    open.length > 0 || !isComplete
      ? `\n\nMore is left${open.length > 0 ? `: ${open.slice(0, EDITS).join(', ')}` : ''}. Ask again to go on.`
      : ''
  return say(`${code(from)} → ${code(to)} in ${place}:\n\n${rows.join('\n')}${rest}`)
}

export function planEdit(turn: Turn, edit: Edit): Move {
  if (edit.where !== null) return editMany(turn, edit, edit.where)
  return edit.paths.length > 0
    ? editNamed(turn, edit)
    : say('In which file? For example: replace `a` with `b` in `src/app.py`, or in all files.')
}

export function planRun(turn: Turn, command: string): Move {
  const done = newest(turn, 'bash')
  const ran = turn.memory?.calls ? turn.memory.ran.findLast((one) => one.command === command) : null
  if (!done && ran)
    return say(
      `${code(command)} was run; of its output the record keeps that it printed ${code(ran.printed)}.`,
    )
  if (!done) return use(`Running ${code(command)}.`, call('bash', { command }))
  if (done.result.isGone) return say(`${code(command)} was run; its output has gone from view.`)
  return say(
    `${code(command)} ${done.result.isError ? 'failed' : 'printed'}:\n\n${fenced(done.result.text)}`,
  )
}
