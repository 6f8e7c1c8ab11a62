/** Asking for compaction, and reading what it took out of view. */

import { code, type Row } from './cite'
import { answered, call, count, firstLine, type Move, newest, say, use } from './move'
import { planRead } from './plan-read'
import { remark, weightOf } from './prose'
import { type RecallHit, readFileView, readRecall } from './results'
import type { Turn } from './turns'

/** `compact now, focus on …`: the loop compacts after this step (C12). */
export function planCompact(turn: Turn, focus: string | null): Move {
  const done = newest(turn, 'compact')
  if (!done && !turn.memory)
    return use(
      focus ? `Asking for a compaction with this focus: ${focus}` : 'Asking for a compaction.',
      call('compact', focus ? { focus } : {}),
    )
  const [notice] = turn.notices
  if (notice) return say(notice)
  if (done?.result.isError) return say(firstLine(done.result.text))
  const after = turn.memory
    ? 'A record now stands for the earlier messages.'
    : 'It runs when it can make the earlier messages smaller.'
  return say(
    `The compaction was asked for${focus ? `, with the focus "${focus}"` : ''}. ${after} Nothing is lost: recall_search and recall_read find the original words, for me as for any model.`,
  )
}

/** The hit that shows the call by which a file was read; its result comes right after it in the log. */
const callHit = (hits: readonly RecallHit[], path: string) =>
  hits.find(
    ({ what, lines }) =>
      what === 'assistant' &&
      lines.some(
        (line) => /^\s*(?:call )?read_file \{/.test(line) && line.includes(JSON.stringify(path)),
      ),
  )

const LINES = 8

/** Words that a recalled message has, the weightiest lines in their order. */
function quoteHit({ seq, what, lines }: RecallHit): string {
  const said = lines
    .map((text, at) => ({ line: at, text: text.trim() }))
    .filter(({ text }) => text !== '' && !/^\[page \d+ of/.test(text))
  const best = said
    .toSorted((a, b) => weightOf(b.text, '') - weightOf(a.text, '') || a.line - b.line)
    .slice(0, LINES)
    .sort((a, b) => a.line - b.line)
  return `#${seq} (${what}) said:\n${best.map(({ text }) => `> ${text}`).join('\n')}`
}

/** A recalled reading of a file as the reading itself, with the file's own line numbers. */
function quoteReading(path: string, hits: readonly RecallHit[]): string | null {
  const hit = hits.find(
    ({ what, lines }) => what === 'result of read_file' && fileRows(lines).length > 0,
  )
  if (!hit) return null
  return `As it was read in #${hit.seq}:\n\n${remark(path, fileRows(hit.lines), 'the file may have changed since')}`
}

const fileRows = (lines: readonly string[]): Row[] => readFileView(lines.join('\n')).rows

/** The reading itself where it is out of view, else the file as it is now. */
function recallFile(turn: Turn, path: string, hits: readonly RecallHit[]): Move {
  const hit = callHit(hits, path)
  if (hit) {
    const range = { from: hit.seq, to: hit.seq + 4 }
    return use(`#${hit.seq} read it. Reading what followed.`, call('recall_read', range))
  }
  const now = planRead(turn, [path], null)
  if (now.calls.length === 0) return now
  const text = `No reading of ${code(path)} is out of view, so I read the file as it is now.`
  return use(text, ...now.calls)
}

type Recall = { query: string; path: string | null; seq: number | null }

/** A reading of the file that is still in view needs no tool. */
function stillInView(turns: readonly Turn[], path: string): Move | null {
  const step = turns
    .flatMap((turn) => answered(turn, 'read_file'))
    .findLast(({ input, result }) => input.path === path && !result.isGone && !result.isError)
  if (!step) return null
  const { rows, total } = readFileView(step.result.text)
  return say(`It is still in view.\n\n${remark(path, rows, count(total, 'line'))}`)
}

/** `what did notes.md say`: searches what is out of view, reads the hit, quotes it. */
export function planRecall(
  turn: Turn,
  { query, path, seq }: Recall,
  earlier: readonly Turn[],
): Move {
  const read = newest(turn, 'recall_read')
  if (read) {
    if (read.result.isError || read.result.isGone) return say(firstLine(read.result.text))
    const hits = readRecall(read.result.text)
    const reading = path ? quoteReading(path, hits) : null
    return say(reading ?? hits.slice(0, 3).map(quoteHit).join('\n\n'))
  }
  if (seq !== null) return use(`Reading message #${seq}.`, call('recall_read', { seq }))
  const shown = path === null ? null : stillInView(earlier, path)
  if (shown && turn.steps.length === 0) return shown
  const searches = answered(turn, 'recall_search')
  const last = searches.at(-1)
  if (!last)
    return use(
      `Searching what is out of view for ${code(query)}.`,
      call('recall_search', { query }),
    )
  if (last.result.isError || last.result.isGone) return say(firstLine(last.result.text))
  const hits = readRecall(last.result.text)
  if (path) return recallFile(turn, path, hits)
  const [hit] = hits.filter(({ what }) => what !== 'user').concat(hits)
  if (hit) {
    const found = hits.length === 1 ? 'One message' : `${hits.length} messages`
    return use(
      `${found} out of view match. Reading #${hit.seq}.`,
      call('recall_read', { seq: hit.seq }),
    )
  }
  return say(
    `Nothing out of view holds all the words of ${code(query)}. What is still in view you can see above.`,
  )
}
