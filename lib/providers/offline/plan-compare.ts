/** What two files differ in, every difference with its places. */

import { cite, code, type Row } from './cite'
import { compareRows, type Difference } from './compare'
import { answered, call, count, firstLine, type Move, newest, pathOf, say, use } from './move'
import { settlePath } from './plan-read'
import { readFileView } from './results'
import type { Turn } from './turns'
import { shellWord } from './words'

/** Lines of each file read for a comparison by eye; two such pages fit into the window together. */
const LINES = 160
const PLACES = 12
const LINES_EACH = 3

/** The files read last before this turn, for "these two files". */
export function lastTwoRead(turns: readonly Turn[]): string[] {
  const paths = turns.flatMap((turn) => answered(turn, 'read_file').map(pathOf))
  return [...new Set(paths.toReversed())].slice(0, 2).toReversed()
}

function side(word: string, path: string, rows: readonly Row[]): string[] {
  const shown = rows.filter(({ text }) => text.trim() !== '').slice(0, LINES_EACH)
  const lines = shown.map((row) => `   - ${word} ${cite({ path, ...row })}`)
  const more = rows.length - shown.length
  return more > 0 && shown.length > 0
    ? [...lines, `   - and ${count(more, 'more line')} there`]
    : lines
}

function kindOf({ before, after }: Difference): string {
  if (before.length === 0) return `added ${count(after.length, 'line')}`
  return after.length === 0 ? `gone ${count(before.length, 'line')}` : 'changed'
}

function report(a: string, b: string, differences: readonly Difference[]): string {
  if (differences.length === 0) return `${code(a)} and ${code(b)} do not differ in any line.`
  const places = differences
    .slice(0, PLACES)
    .map((difference, at) =>
      [
        `${at + 1}. ${kindOf(difference)}`,
        ...side('before', a, difference.before),
        ...side('after', b, difference.after),
      ].join('\n'),
    )
  const more = differences.length - places.length
  return `From ${code(a)} to ${code(b)}, ${count(differences.length, 'place')} changed:\n\n${places.join('\n')}${more > 0 ? `\n\nand ${count(more, 'more place')}` : ''}`
}

/** Differences in the output of `diff`, whose hunks give line numbers. */
function readDiff(text: string): Difference[] {
  const differences: Difference[] = []
  let open: Difference | null = null
  let before = 0
  let after = 0
  let inHunk = false
  for (const line of text.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    if (hunk) {
      ;[before, after, open, inHunk] = [Number(hunk[1]), Number(hunk[2]), null, true]
      continue
    }
    if (!inHunk) continue
    if (line[0] !== '-' && line[0] !== '+') {
      if (line[0] !== ' ') inHunk = false
      before++
      after++
      open = null
      continue
    }
    if (!open) {
      open = { before: [], after: [] }
      differences.push(open)
    }
    if (line[0] === '-') open.before.push({ line: before++, text: line.slice(1) })
    else open.after.push({ line: after++, text: line.slice(1) })
  }
  return differences
}

/** `what changed between a and b`: both read at once; long files by `diff` in the shell. */
export function planCompare(turn: Turn, named: readonly string[], canRun: boolean): Move {
  const [first, second] = named
  if (first === undefined || second === undefined)
    return say(
      'Which two files shall I compare? Name both, for example: what changed between `a.toml` and `b.toml`.',
    )
  const settled = [first, second].map((path) => settlePath(turn, path))
  const asks = settled.flatMap((one) => ('ask' in one ? [one.ask.text] : []))
  if (asks.length > 0) return say(asks.join('\n\n'))
  const [a, b] = settled.map((one) => ('path' in one ? one.path : '')) as [string, string]
  if (a === b) return say(`Both names lead to ${code(a)}, so there is nothing to compare.`)
  const shell = newest(turn, 'bash')
  if (shell && !shell.result.isGone) {
    if (shell.result.isError) return say(firstLine(shell.result.text))
    return say(report(a, b, readDiff(shell.result.text)))
  }
  const reads = [a, b].map((path) =>
    answered(turn, 'read_file').findLast((step) => pathOf(step) === path),
  )
  // After a summary both are read again together: one alone would push the other out of view for ever.
  const missing = [a, b].filter((_, at) => !reads[at] || (turn.memory && reads.includes(undefined)))
  if (missing.length > 0) {
    const calls = missing.map((path) => call('read_file', { path, from: 1, to: LINES }))
    return use(`Reading ${missing.map(code).join(' and ')} to compare them line by line.`, ...calls)
  }
  const results = reads.map((step) => step!.result)
  const failed = results.find((result) => result.isError)
  if (failed) return say(firstLine(failed.text))
  const views = results.map((result) => (result.isGone ? null : readFileView(result.text)))
  const differences =
    views[0]?.isWhole && views[1]?.isWhole ? compareRows(views[0].rows, views[1].rows) : null
  if (differences) return say(report(a, b, differences))
  if (!canRun) return say(`${code(a)} and ${code(b)} are too long to compare here without a shell.`)
  return use(
    'At least one of them is longer than I can hold beside the other, so I let `diff` compare them.',
    call('bash', { command: `diff -u ${shellWord(a)} ${shellWord(b)}` }),
  )
}
