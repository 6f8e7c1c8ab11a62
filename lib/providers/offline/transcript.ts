/** A summary request in its text form (render.ts in lib/core) as turns. */

import type { JsonObject } from '../../core/message'
import { isPlaceholder } from './results'
import { recordIn, type Step, type Turn, turnCollector } from './turns'

const TITLE =
  /^#\d+ (summary of what came before|notice|user|assistant|assistant \(interrupted\)|(result of|error from) (.+?))( \(continued\))?$/
const CALL = /^call ([\w-]+) (\{.*\})$/
const MEDIA = /^\[(?:image|document): [^\]]*\]$/
const FILE = /^<file name="(?:[^"\\]|\\.)*">\n[\s\S]*?\n<\/file>(?:\n|$)/

type Entry = { kind: string; tool: string | null; isError: boolean; lines: string[] }

const bodyOf = (entry: Entry): string => entry.lines.join('\n').trimEnd()

/** Entries begin with their title after an empty line, as they were written. */
function entriesOf(transcript: string): Entry[] {
  const entries: Entry[] = []
  let isBoundary = true
  for (const line of transcript.split('\n')) {
    const title = isBoundary ? TITLE.exec(line) : null
    if (title) {
      // The rest of an entry whose beginning another window holds (C10): material, nothing new.
      const kind = title[4] ? 'rest' : title[2] ? 'result' : title[1]!
      entries.push({ kind, tool: title[3] ?? null, isError: title[2] === 'error from', lines: [] })
    } else entries.at(-1)?.lines.push(line)
    isBoundary = line === ''
  }
  return entries
}

function parseInput(text: string): JsonObject | null {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    return null
  }
}

type Collector = ReturnType<typeof turnCollector>

function addUser(turns: Collector, body: string): void {
  let rest = body
  for (let file = FILE.exec(rest); file; file = FILE.exec(rest)) {
    turns.userText(file[0].trimEnd())
    rest = rest.slice(file[0].length)
  }
  const words: string[] = []
  for (const line of rest.split('\n')) {
    if (MEDIA.test(line)) turns.media()
    else words.push(line)
  }
  const text = words.join('\n').trim()
  if (text !== '') turns.userText(text)
}

function addAssistant(turns: Collector, body: string): Step[] {
  const steps: Step[] = []
  const words: string[] = []
  const calls: [string, JsonObject][] = []
  for (const line of body.split('\n')) {
    const call = CALL.exec(line)
    const input = call ? parseInput(call[2]!) : null
    if (call && input) calls.push([call[1]!, input])
    else words.push(line)
  }
  turns.nextGroup()
  const text = words.join('\n').trim()
  if (text !== '') turns.said(text)
  for (const [name, input] of calls) steps.push(turns.call(name, input))
  return steps
}

/** The turns of a transcript, oldest first; results answer open calls of their tool in order. */
export function turnsOfTranscript(transcript: string): Turn[] {
  const turns = turnCollector()
  let open: Step[] = []
  for (const entry of entriesOf(transcript)) {
    if (entry.kind === 'summary of what came before') {
      const record = recordIn(bodyOf(entry))
      if (record !== null) turns.checkpoint(record)
    } else if (entry.kind === 'user') addUser(turns, bodyOf(entry))
    else if (entry.kind === 'result') {
      const at = open.findIndex((step) => step.name === entry.tool)
      const step = open[Math.max(0, at)]
      if (step)
        step.result = {
          text: bodyOf(entry),
          isError: entry.isError,
          isGone: isPlaceholder(bodyOf(entry)),
        }
      open = open.filter((other) => other !== step)
    } else if (entry.kind.startsWith('assistant'))
      open = [...open, ...addAssistant(turns, bodyOf(entry))]
  }
  return turns.end()
}

/** The transcript, or window of one, inside a summary request's text; null for other forms. */
export function transcriptIn(text: string): string | null {
  const match = /^<transcript(?: part="\d+" of="\d+")?>\n([\s\S]*)\n<\/transcript>(?:\n|$)/.exec(
    text,
  )
  return match ? match[1]! : null
}

/** The records a merge request holds, oldest first (C10); null for other forms. */
export function recordsIn(text: string): string[] | null {
  if (!text.startsWith('<part from="#')) return null
  const parts = text.matchAll(/<part from="#\d+" to="#\d+">\n([\s\S]*?)\n<\/part>/g)
  return [...parts].map((part) => part[1]!)
}

/** The turns some records tell of, oldest first. */
export function turnsOfRecords(records: readonly string[]): Turn[] {
  const turns = turnCollector()
  for (const record of records) turns.checkpoint(record)
  return turns.end()
}
