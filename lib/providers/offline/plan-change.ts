/** Writing, editing and running, when told exactly what. */

import { code, cutText } from './cite'
import { answered, call, firstLine, type Move, newest, offered, pathOf, say, use } from './move'
import type { Turn } from './turns'
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
  if (!done) return use(`Adding a line to ${code(path)}.`, call('bash', { command }))
  if (done.result.isError) return say(`It was not added: ${firstLine(done.result.text)}`)
  return say(`Added ${code(content)} at the end of ${code(path)}.`)
}

type Edit = { path: string | null; from: string; to: string; all: boolean }

export function planEdit(turn: Turn, { path, from, to, all }: Edit): Move {
  if (path === null) return say('In which file? For example: replace `a` with `b` in `src/app.py`.')
  const edits = answered(turn, 'edit_file')
  const last = edits.at(-1)
  const edit = (where: string) =>
    call('edit_file', { path: where, old_text: from, new_text: to, ...(all ? { all } : {}) })
  if (!last) return use(`Replacing ${code(from)} with ${code(to)} in ${code(path)}.`, edit(path))
  if (last.result.isGone) return say(`The edit of ${code(pathOf(last))} was made.`)
  if (!last.result.isError) {
    const [head, ...shown] = last.result.text.split('\n')
    return say(shown.length > 0 ? `${head}\n\n${fenced(shown.join('\n'))}` : head!)
  }
  const others = offered(last.result.text, path)
  if (edits.length === 1 && others.length === 1)
    return use(`There is no ${code(path)}; ${code(others[0]!)} has that name.`, edit(others[0]!))
  const hint = /matches \d+ times/.test(last.result.text)
    ? ' Say "replace every …" to change all of them, or quote more of the line.'
    : ''
  return say(`Nothing was changed. ${firstLine(last.result.text)}${hint}`)
}

export function planRun(turn: Turn, command: string): Move {
  const done = newest(turn, 'bash')
  if (!done) return use(`Running ${code(command)}.`, call('bash', { command }))
  if (done.result.isGone) return say(`${code(command)} was run; its output has gone from view.`)
  return say(
    `${code(command)} ${done.result.isError ? 'failed' : 'printed'}:\n\n${fenced(done.result.text)}`,
  )
}
