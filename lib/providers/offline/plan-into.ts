/** A result that goes into a file: lines by the shell as they are, answers as they were written. */

import { code } from './cite'
import { answered, call, firstLine, type Move, newest, say, use } from './move'
import { type Range, rangeWords } from './range'
import type { Turn } from './turns'
import { shellWord } from './words'

/** Prints exactly these lines of the files. */
function filter(lines: Range | null, files: string): string {
  if (lines === null) return `cat ${files}`
  if ('last' in lines) return `tail -n ${lines.last} ${files}`
  if (lines.to === undefined) return `tail -n +${lines.from} ${files}`
  return lines.from === 1
    ? `head -n ${lines.to} ${files}`
    : `sed -n ${lines.from},${lines.to}p ${files}`
}

/** `copy the first line of a.toml to b.txt`: word for word, however long. */
export function planCopy(
  turn: Turn,
  paths: readonly string[],
  lines: Range | null,
  into: string,
): Move {
  const done = answered(turn, 'bash')
  const what = `${lines ? `${rangeWords(lines)} of ` : ''}${paths.map(code).join(', ')}`
  if (done.length === 0 && (turn.memory?.calls ?? 0) > 0)
    return say(`${what} went into ${code(into)} before.`)
  const folder = into.includes('/')
    ? `mkdir -p ${shellWord(into.slice(0, into.lastIndexOf('/')))} && `
    : ''
  const copy = paths.map((path) => filter(lines, shellWord(path))).join('; ')
  const print = paths.length > 1 ? `{ ${copy}; }` : copy
  const last = done.at(-1)
  if (!last)
    return use(
      `Copying ${what} to ${code(into)}.`,
      call('bash', {
        // Nothing is written where one of the files is not there.
        command: `${paths.map((path) => `[ -f ${shellWord(path)} ]`).join(' && ')} && ${folder}${print} > ${shellWord(into)}`,
      }),
    )
  if (last.result.isGone) return say(`${what} went into ${code(into)}.`)
  if (last.result.isError || !last.result.text.includes(into))
    return say(
      `Nothing was copied: there is no ${paths.map(code).join(' or ')} here, or it could not be written. ${last.result.text.startsWith('[') ? '' : firstLine(last.result.text)}`.trim(),
    )
  return say(`Copied ${what} to ${code(into)}.`)
}

const WRITING = 'Writing that to '

/** What `found` answers goes into the file, once; then both are said. */
export function planInto(turn: Turn, found: () => Move, into: string): Move {
  const written = newest(turn, 'write_file')
  const isWritten = turn.memory?.lastWords?.startsWith(`${WRITING}${code(into)}`) ?? false
  if (!written && isWritten) return say(`The result was written to ${code(into)}.`)
  const move = found()
  if (!written)
    return move.calls.length > 0
      ? move
      : use(
          `${WRITING}${code(into)}.`,
          call('write_file', { path: into, content: `${move.text}\n` }),
        )
  if (written.result.isError)
    return say(`${move.text}\n\nIt was not written: ${firstLine(written.result.text)}`)
  return say(
    written.result.isGone
      ? `The result was written to ${code(into)}.`
      : `${firstLine(written.result.text)} It holds:\n\n${move.text}`,
  )
}
