/** Turns → what a summary remembers of them. Nothing is reworded. */

import { cutText, readCites } from './cite'
import { emptyMemory, type FileNote, type Memory } from './memory'
import { answered, firstLine, pathOf } from './move'
import { partView } from './part-view'
import { isGoOn, readRequest } from './parts'
import { countLeft, filesDone, filesLeft } from './plan-each'
import { weightOf } from './prose'
import { readFileView } from './results'
import { taskOf } from './task'
import type { Step, Turn } from './turns'

const REQUEST = 1200
const QUOTE = 160
const ANSWER = 120
const LAST_WORDS = 240

const RULE =
  /\b(?:must|never|always|don't|do not|only|prefer|avoid|make sure|at most|at least|no more than|without|should|keep|careful)\b/i
const DECISION =
  /\b(?:decid\w+|decision|agreed|instead of|we will|we'll|let's|chose|chosen|ruled out|settled on|go with|stays? at)\b/i

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)]

/** Sentences of what somebody wrote, without quotations, lists and code. */
function sentencesOf(text: string): string[] {
  const prose = text
    .replace(/```[\s\S]*?```/g, '')
    .split('\n')
    .filter((line) => !/^\s*(?:[-*>|]|\d+\.)\s|`.+`.+`.+`/.test(line))
    .join('\n')
  return (prose.match(/[^.!?\n]+(?:[.!?]+(?=\s|$)|(?=\n|$)|[.!?]+)+/g) ?? [])
    .map((sentence) => cutText(sentence.trim(), QUOTE))
    .filter((sentence) => sentence.length > 8)
}

const ofFocus = (focus: string) => focus.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []

/** Sentences that match; those with words of the focus come last, where cutting begins last. */
function picked(texts: readonly string[], pattern: RegExp, focus: string | null): string[] {
  const words = focus ? ofFocus(focus) : []
  const isOfFocus = (sentence: string) =>
    words.some((word) => sentence.toLowerCase().includes(word))
  const all = texts.flatMap(sentencesOf)
  const matching = all.filter((sentence) => pattern.test(sentence) && !isOfFocus(sentence))
  return unique([...matching, ...all.filter(isOfFocus)])
}

function noteOf(turn: Turn, step: Step & { result: NonNullable<Step['result']> }): FileNote {
  const path = pathOf(step)
  const { text, isGone } = step.result
  const said = turn.said.flatMap(readCites).find((cite) => cite.path === path) ?? null
  if (isGone) return { path, lines: null, cite: said }
  const view = readFileView(text)
  const row = view.rows.find((one) => weightOf(one.text, path) >= 0)
  return {
    path,
    lines: view.total > 0 ? view.total : null,
    cite: said ?? (row ? { path, ...row } : null),
  }
}

/** Files read in a turn, its earlier part included, each once and in order of reading. */
function readIn(turn: Turn): FileNote[] {
  const notes = new Map((turn.memory?.read ?? []).map((note) => [note.path, note]))
  for (const step of answered(turn, 'read_file')) {
    if (step.result.isError) continue
    const note = noteOf(turn, step)
    const before = notes.get(note.path)
    notes.set(note.path, {
      path: note.path,
      lines: note.lines ?? before?.lines ?? null,
      cite: before?.cite ?? note.cite,
    })
  }
  return [...notes.values()]
}

function changesIn(turn: Turn): [string, string][] {
  const changes: [string, string][] = [...(turn.memory?.changed ?? [])]
  for (const { name, input, result } of turn.steps) {
    if (!result || result.isError) continue
    if (name === 'write_file' || name === 'edit_file')
      changes.push([String(input.path ?? ''), name])
    const wrote = name === 'bash' ? /\[workspace: (.+)\]$/m.exec(result.text)?.[1] : undefined
    for (const part of wrote?.split('; ') ?? []) {
      const paths = /^(?:wrote|deleted) (.+)$/.exec(part)?.[1] ?? ''
      for (const path of paths.split(', ')) if (path !== '') changes.push([path, 'bash'])
    }
  }
  return changes
}

const ranIn = (turn: Turn): Memory['ran'] => [
  ...(turn.memory?.ran ?? []),
  ...answered(turn, 'bash').map(({ input, result }) => ({
    command: cutText(String(input.command ?? ''), QUOTE),
    printed: cutText(firstLine(result.text), ANSWER),
  })),
]

const errorsIn = (turn: Turn): string[] => [
  ...(turn.memory?.errors ?? []),
  ...turn.steps
    .filter(({ result }) => result?.isError && !result.isGone)
    .map(({ name, result }) => cutText(`${name}: ${firstLine(result!.text)}`, QUOTE)),
]

/** The first paragraph of the newest words, one line. */
function lastWordsOf(turn: Turn): string | null {
  const text = turn.said
    .at(-1)
    ?.trim()
    .split(/\n\s*\n/, 1)[0]
  return text ? cutText(text.replace(/\s*\n\s*/g, ' '), LAST_WORDS) : null
}

function earlierOf(turns: readonly Turn[], task: Turn): Memory['earlier'] {
  const earlier = turns.flatMap((turn) => turn.memory?.earlier ?? [])
  for (const turn of turns) {
    const { request } = turn
    if (request === null || request === task.request || isGoOn(request)) continue
    const words = lastWordsOf(turn) ?? turn.memory?.lastWords ?? null
    earlier.push({
      request: cutText(request, QUOTE),
      answer: turn.isAnswered && words !== null ? cutText(words, ANSWER) : null,
    })
  }
  return earlier
}

const partOf = (request: string, part: number | null) => readRequest(request).parts[(part ?? 1) - 1]

/** How far a list has been worked through; the last file is named only where all before it are done. */
function progress(memory: Memory, task: Turn): void {
  const intent = task.request === null ? null : partOf(task.request, task.part)?.intent
  if (intent?.kind !== 'each') return
  const left = filesLeft(task, intent.except)
  const done = filesDone(task)
  if (done === 0) return
  const before = task.memory?.list
  const newest = memory.read.at(-1)?.path ?? ''
  if (left === null) {
    // Neither list nor names of what is left are in view: the place in the list is all there is.
    const total = before?.total ?? done
    memory.list = { done, total, last: newest > (before?.last ?? '') ? newest : before!.last }
    memory.leftMore = total - done
    return
  }
  const next = left.files[0]?.path
  const last = newest === '' ? (before?.last ?? '') : newest
  const isInOrder = next === undefined || next > last
  memory.list = { done, total: done + countLeft(left), last: isInOrder ? last : '' }
  memory.left = left.files.map(({ path }) => path)
  memory.leftMore = left.more
}

/** All there is to remember of some turns; `fitWithin` in fit.ts makes it small enough. */
export function extract(turns: readonly Turn[], focus: string | null): Memory {
  const whole = taskOf(turns)
  // Where a request has several parts, what is done counts for the one in hand; the others are done or not begun.
  const task = whole.part === null ? whole : partView(whole, whole.part)
  const memory = emptyMemory()
  const request = task.request
  if (request !== null) {
    memory.request = cutText(request, REQUEST)
    const length = whole.memory?.requestLength ?? request.length
    memory.requestLength = length > memory.request.length ? length : null
  }
  memory.part = task.part
  memory.earlier = earlierOf(turns, task)
  memory.isAnswered = task.isAnswered
  const asked = turns.flatMap((turn) => (turn.request === null ? [] : [turn.request]))
  const said = turns.flatMap((turn) => turn.said)
  const earlier = turns.flatMap((turn) => turn.memory ?? [])
  memory.constraints = unique([
    ...earlier.flatMap((one) => one.constraints),
    ...picked(asked, RULE, null),
  ])
  memory.decisions = unique([
    ...earlier.flatMap((one) => one.decisions),
    ...picked([...asked, ...said], DECISION, focus),
  ])
  memory.read = readIn(task)
  const now = new Set(memory.read.map(({ path }) => path))
  memory.readBefore = unique([
    ...earlier.flatMap((one) => one.readBefore),
    ...turns.flatMap(readIn).map(({ path }) => path),
  ]).filter((path) => !now.has(path))
  memory.changed = new Map(turns.flatMap(changesIn))
  memory.ran = turns.flatMap(ranIn)
  memory.errors = unique(turns.flatMap(errorsIn))
  memory.calls = (task.memory?.calls ?? 0) + task.steps.length
  memory.lastWords = lastWordsOf(whole) ?? whole.memory?.lastWords ?? null
  progress(memory, task)
  const [next] = memory.left
  if (request !== null && !memory.isAnswered)
    memory.next =
      next === undefined
        ? 'go on with the newest request'
        : `read_file ${JSON.stringify({ path: next })}`
  return memory
}
