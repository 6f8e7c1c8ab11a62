/**
 * What a summary remembers, as data, and its text. The template summariser writes this form; the offline
 * reader goes on from it. A summary by a language model is read as far as its sections and paths allow.
 */

import { type Cite, cite, code, readCites, readCode } from './cite'

export type FileNote = {
  path: string
  /** Lines of the file, where known. */
  lines: number | null
  /** The line that says best what it is. */
  cite: Cite | null
}

export type Memory = {
  /** The newest human request; null where the record does not hold it. */
  request: string | null
  /** Characters of the request as it was, where only its beginning is kept. */
  requestLength: number | null
  /** Older requests, oldest first, with the first words of their answers. */
  earlier: { request: string; answer: string | null }[]
  isAnswered: boolean
  constraints: string[]
  decisions: string[]
  /** Files read for the newest request, in the order of reading. */
  read: FileNote[]
  readBefore: string[]
  /** Path → tool that changed it last. */
  changed: Map<string, string>
  /** Shell commands and the first line they printed. */
  ran: { command: string; printed: string }[]
  errors: string[]
  /** Progress of reading files one after the other, by the order of their list. */
  list: { done: number; total: number; last: string } | null
  left: string[]
  /** Files left beyond those named in `left`. */
  leftMore: number
  /** The part of the newest request in hand, counted from 1; null where it has one part. */
  part: number | null
  /** Tool calls made for it. */
  calls: number
  lastWords: string | null
  next: string | null
}

export const emptyMemory = (): Memory => ({
  request: null,
  requestLength: null,
  earlier: [],
  isAnswered: false,
  constraints: [],
  decisions: [],
  read: [],
  readBefore: [],
  changed: new Map(),
  ran: [],
  errors: [],
  list: null,
  left: [],
  leftMore: 0,
  part: null,
  calls: 0,
  lastWords: null,
  next: null,
})

export const SIGNATURE =
  'Made by the template summariser, not by a language model: what is in quotes is copied word for word.'

const quote = (text: string) => JSON.stringify(text)
const codes = (paths: readonly string[], more: number) =>
  paths.map(code).join(', ') + (more > 0 ? ` and ${more} more` : '')

function fileLine({ path, lines, cite: quoted }: FileNote): string {
  const size = lines === null ? '' : ` (${lines} lines)`
  return `- read ${code(path)}${size}${quoted ? `; ${cite(quoted)}` : ''}`
}

function stateLines(memory: Memory): string[] {
  const { list, part, calls, lastWords } = memory
  const lines: string[] = []
  if (memory.request !== null || calls > 0 || lastWords !== null)
    lines.push(`- The newest request is ${memory.isAnswered ? 'answered' : 'not finished'}.`)
  if (list)
    lines.push(
      `- ${list.done} of ${list.total} files read in the order of the list, the last one ${code(list.last)}.`,
    )
  if (part !== null)
    lines.push(`- Part ${part} of the newest request is in hand; files and calls are its own.`)
  if (calls > 0) lines.push(`- ${calls} tool calls made for the newest request.`)
  if (lastWords !== null) lines.push(`- Last words of the assistant: ${quote(lastWords)}`)
  return lines
}

function openLines({ left, leftMore, isAnswered, request }: Memory): string[] {
  const count = left.length + leftMore
  if (count > 0) return [`- Left to read, in order (${count}): ${codes(left, leftMore)}`]
  return isAnswered || request === null ? [] : ['- The newest request.']
}

function requestLines({ earlier, request, requestLength }: Memory): string[] {
  const lines = earlier.map(
    ({ request: text, answer }) =>
      `- Earlier: ${quote(text)}${answer === null ? '' : `; answered: ${quote(answer)}`}`,
  )
  if (request === null) return lines
  const part =
    requestLength === null ? '' : ` (the first ${request.length} of ${requestLength} characters)`
  return [...lines, `- Newest${part}: ${quote(request)}`]
}

function fileLines({ changed, read, readBefore, ran }: Memory): string[] {
  return [
    ...[...changed].map(([path, tool]) => `- changed ${code(path)} with ${tool}`),
    ...read.map(fileLine),
    ...(readBefore.length > 0 ? [`- read before: ${codes(readBefore, 0)}`] : []),
    ...ran.map(({ command, printed }) => `- ran ${quote(command)}; it printed ${quote(printed)}`),
  ]
}

/** The sections of C14 in their order; `titles` are those of lib/core/prompt.ts. */
export function writeMemory(memory: Memory, titles: readonly string[]): string {
  const bodies: string[][] = [
    requestLines(memory),
    memory.constraints.map((text) => `- ${quote(text)}`),
    memory.decisions.map((text) => `- ${quote(text)}`),
    fileLines(memory),
    memory.errors.map((text) => `- ${quote(text)}`),
    openLines(memory),
    stateLines(memory),
    memory.next === null ? [] : [`- ${memory.next}`],
  ]
  const sections = titles.map((title, at) => {
    const lines = bodies[at] ?? []
    return `## ${title}\n${lines.length > 0 ? lines.join('\n') : 'none'}`
  })
  return `${SIGNATURE}\n\n${sections.join('\n\n')}`
}

/** Lines under each heading, by the heading's first word in lower case. */
function sectionsOf(text: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let lines: string[] = []
  for (const line of text.split('\n')) {
    const heading = /^#{1,6}\s+(?:\d+[.)]\s*)?\**(\w+)/.exec(line)
    if (heading) {
      lines = []
      sections.set(heading[1]!.toLowerCase(), lines)
    } else if (line.trim() !== '' && line.trim() !== 'none') lines.push(line)
  }
  return sections
}

/** The JSON strings of a line, in order. */
function stringsIn(text: string): string[] {
  return (text.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map((literal) => {
    try {
      return JSON.parse(literal) as string
    } catch {
      return literal.slice(1, -1)
    }
  })
}

const quotedIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => stringsIn(line).slice(0, 1))

/** All inline code of a line, in order. */
function codesIn(line: string): string[] {
  const found: string[] = []
  for (let at = line.indexOf('`'); at >= 0; at = line.indexOf('`', at)) {
    const inner = readCode(line.slice(at))
    if (inner === null) break
    found.push(inner)
    at += code(inner).length
  }
  return found
}

function readFiles(memory: Memory, lines: readonly string[]): void {
  for (const line of lines) {
    const [path] = codesIn(line)
    if (line.startsWith('- read before: ')) memory.readBefore.push(...codesIn(line))
    else if (line.startsWith('- ran ')) {
      const [command = '', printed = ''] = stringsIn(line)
      memory.ran.push({ command, printed })
    } else if (path === undefined) continue
    else if (line.startsWith('- changed '))
      memory.changed.set(path, / with (\S+)/.exec(line)?.[1] ?? '')
    else if (line.startsWith('- read '))
      memory.read.push({
        path,
        lines: numberIn(/ \((\d+) lines\)/, line),
        cite: readCites(line)[0] ?? null,
      })
  }
}

function numberIn(pattern: RegExp, text: string): number | null {
  const match = pattern.exec(text)
  return match ? Number(match[1]) : null
}

function readOwn(text: string): Memory {
  const memory = emptyMemory()
  const sections = sectionsOf(text)
  const of = (word: string) => sections.get(word) ?? []
  for (const line of of('request')) {
    const [request, answer = null] = stringsIn(line)
    if (request === undefined) continue
    if (line.startsWith('- Earlier:')) memory.earlier.push({ request, answer })
    else {
      memory.request = request
      memory.requestLength = numberIn(/^- Newest \(the first \d+ of (\d+) characters\)/, line)
    }
  }
  memory.constraints = quotedIn(of('constraints'))
  memory.decisions = quotedIn(of('decisions'))
  memory.errors = quotedIn(of('errors'))
  readFiles(memory, of('files'))
  for (const line of of('open')) {
    const count = numberIn(/^- Left to read, in order \((\d+)\): /, line)
    if (count === null) continue
    memory.left = codesIn(line)
    memory.leftMore = count - memory.left.length
  }
  for (const line of of('current')) {
    const progress = /^- (\d+) of (\d+) files read /.exec(line)
    if (progress)
      memory.list = {
        done: Number(progress[1]),
        total: Number(progress[2]),
        last: codesIn(line)[0] ?? '',
      }
    memory.part = numberIn(/^- Part (\d+) of the newest request/, line) ?? memory.part
    memory.calls = numberIn(/^- (\d+) tool calls made/, line) ?? memory.calls
    if (line === '- The newest request is answered.') memory.isAnswered = true
    if (line.startsWith('- Last words')) memory.lastWords = stringsIn(line)[0] ?? null
  }
  memory.next = of('next')[0]?.slice(2) ?? null
  return memory
}

const PATH = /(?<![\w/.-])(?:[\w.-]+\/)*[\w-][\w.-]*\.[a-zA-Z]\w{0,7}\b/g
const pathsIn = (lines: readonly string[]): string[] => [
  ...new Set(lines.flatMap((line) => line.match(PATH) ?? [])),
]

/** A summary in other words: its sections tell what was asked, what is done and what is left. */
function readForeign(text: string): Memory {
  const memory = emptyMemory()
  const sections = sectionsOf(text)
  const of = (word: string) => sections.get(word) ?? []
  const request = of('request')
  const quoted = request.flatMap((line) => line.match(/(?<=[“"])[^“”"]{8,}(?=[”"])/g) ?? [])
  const plain = request.map((line) => line.replace(/^\s*[-*\d.]+\s+/, '').trim())
  memory.request = quoted.at(-1) ?? plain.at(-1) ?? null
  memory.left = pathsIn([...of('open'), ...of('next')])
  const left = new Set(memory.left)
  memory.read = pathsIn([...of('files'), ...of('current')])
    .filter((path) => !left.has(path))
    .map((path) => ({ path, lines: null, cite: null }))
  memory.isAnswered = memory.left.length === 0 && of('next').every((line) => /\bnone\b/i.test(line))
  return memory
}

/** The memory a summary text holds. */
export const readMemory = (text: string): Memory =>
  text.includes(SIGNATURE) ? readOwn(text) : readForeign(text)
