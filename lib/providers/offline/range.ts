/** Which lines of a file are meant, counted from either end; and which files of many are not. */

import { extensionIn, filesIn, placesIn } from './words'

/** Lines counted from 1, both ends included; without `to` up to the end. Or the last so many. */
export type Range = { from: number; to?: number } | { last: number }

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const COUNT = `\\d+|${NUMBERS.join('|')}`

const numberOf = (word: string): number =>
  Math.max(1, NUMBERS.indexOf(word.toLowerCase()) + 1 || Number(word))

const FROM_AN_END = new RegExp(
  `\\b(?:the\\s+)?(?:very\\s+)?(first|top|opening|last|bottom|final|closing)\\s+(?:(${COUNT})\\s+)?lines?\\b`,
  'i',
)
const BETWEEN =
  /\b(?:from\s+)?lines?\s+(\d+)(?:\s*(?:-|–|\bto\b|\bthrough\b|\buntil\b|\band\b)\s*(?:line\s+)?(\d+|(?:the\s+)?end\b)|\s+(?:onwards?|on)\b)?/i

/** The range a sentence asks for, and the words that say so. */
export function rangeIn(text: string): { range: Range; words: string } | null {
  const end = FROM_AN_END.exec(text)
  if (end) {
    const lines = numberOf(end[2] ?? '1')
    const isTop = /^(?:first|top|opening)$/i.test(end[1]!)
    return { range: isTop ? { from: 1, to: lines } : { last: lines }, words: end[0] }
  }
  const between = BETWEEN.exec(text)
  if (!between) return null
  const from = Math.max(1, Number(between[1]))
  const isOpen = /(?:end|onwards?|\bon)$/i.test(between[0])
  const to = Math.max(from, Number(between[2] ?? from))
  return { range: isOpen ? { from } : { from, to }, words: between[0] }
}

export function rangeWords(range: Range): string {
  if ('last' in range) return range.last === 1 ? 'the last line' : `the last ${range.last} lines`
  if (range.to === undefined) return `the lines from ${range.from} on`
  return range.from === range.to ? `line ${range.from}` : `lines ${range.from}-${range.to}`
}

const EXCEPT =
  /[\s,]+(?:\(\s*)?(?:except|excepting|excluding|but\s+not|but\s+skip|other\s+than|besides|apart\s+from|aside\s+from|without|skipping|leaving\s+out|ignoring|not\s+counting|save\s+for)(?:\s+for)?\s+(.+?)(?=[\s,]+(?:one\s+(?:by|after)|in\s+turn|two\s+at)\b|\)?$)/is

/**
 * "… except a.py, docs/ and the markdown files": the sentence without it, and paths, folders (`docs/`), globs
 * or bare names. Null where there is no exception, or none of these is in it.
 */
export function exceptIn(text: string): { rest: string; except: string[] } | null {
  const match = EXCEPT.exec(text)
  if (!match) return null
  const except = match[1]!.split(/\s*,\s*(?:and\s+)?|\s+(?:and|or|nor)\s+/).flatMap((item) => {
    const files = filesIn(item)
    if (files.length > 0) return files
    const places = placesIn(item)
    if (places.length > 0) return places
    const kind = extensionIn(item)
    if (kind) return [kind]
    const bare = /^(?:the\s+)?(?:files?\s+)?["`]?([\w.-]+)["`]?(?:\s+files?)?$/i.exec(item.trim())
    return bare ? [bare[1]!] : []
  })
  const rest = text.replace(match[0], '')
  return except.length === 0 ? null : { rest, except }
}

const globRegex = (glob: string) =>
  new RegExp(
    `${glob.includes('/') ? '^' : '(?:^|/)'}${glob.replace(
      /\*\*\/|\*\*|\*|\?|[.+^$()|\\{}[\]]/g,
      (part) =>
        part === '**/'
          ? '(?:.*/)?'
          : part === '**'
            ? '.*'
            : part === '*'
              ? '[^/]*'
              : part === '?'
                ? '[^/]'
                : `\\${part}`,
    )}$`,
  )

/** Whether an exception means this path: the file itself, its name with or without ending, a folder, a glob. */
export function isMeant(path: string, word: string): boolean {
  if (/[*?]/.test(word)) return globRegex(word).test(path)
  const folder = word.endsWith('/') ? word : `${word}/`
  if (path.startsWith(folder) || path.includes(`/${folder}`)) return true
  const name = path.slice(path.lastIndexOf('/') + 1)
  return path === word || path.endsWith(`/${word}`) || name.replace(/\.[^.]+$/, '') === word
}

export const isExcepted = (path: string, except: readonly string[]): boolean =>
  except.some((word) => isMeant(path, word))
