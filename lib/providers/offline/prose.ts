/** What stands out in a file, found by rule: the reader quotes, it does not understand. */

import { type Cite, cite, code, type Row } from './cite'

const IMPORT = /^\s*(?:import\b|from\s+\S+\s+import\b|#include|use\s|package\s|require\()/
const RULER = /^[\s|:*=\-_#+~.`"'{}[\]()<>/\\;,]*$/
const DEFINITION =
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:def|class|function|interface|type|enum|const|let|fn|func|struct)\s+([A-Za-z_$][\w$]*)/
const CONSTANT = /^\s*([A-Z][A-Z0-9_]{2,})\s*(?::[^=]*)?=(?!=)/
const HEADING = /^#{1,4}\s+\S/
const SECTION = /^\[{1,2}[\w."-]+\]{1,2}\s*$/
const WEIGHTY = /\b(?:never|must|only|always|because|except|limit|not|unless|decision|decided)\b/i

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}_]+/gu) ?? []

const CODE_FILE =
  /\.(?:py|ts|tsx|js|jsx|mjs|rs|go|java|c|h|cc|cpp|hpp|rb|sh|kt|swift|php|cs|toml|ya?ml|ini|cfg|json|csv)$/

/** In code a leading `#` is a comment, in prose a heading. */
export const isCode = (path: string): boolean => CODE_FILE.test(path)

/** How much a line of a file says by itself; below zero it is not worth quoting. */
export function weightOf(text: string, path: string): number {
  const line = text.trim()
  if (line.length < 12 || RULER.test(line) || IMPORT.test(line)) return -1
  const words = wordsIn(line).length
  let weight = 0
  if (CONSTANT.test(text)) weight += 3
  if (DEFINITION.test(text)) weight += /\b_\w+/.test(line) ? 0 : 1
  if (/^(?:#|\/\/|\/?\*|--)\s/.test(line) && isCode(path)) weight += words >= 7 ? 1 : 0
  else if (HEADING.test(line)) weight += 1
  if (/\d/.test(line)) weight += 1
  if (WEIGHTY.test(line)) weight += 1
  if (line.includes('**')) weight += 1
  if (words >= 7) weight += 1
  return weight
}

/** Not blank, not a ruler, a bracket or a shebang. */
export const isSaying = (text: string): boolean => {
  const line = text.trim()
  return line !== '' && !line.startsWith('#!') && !RULER.test(line)
}

/** The first line that says something: a docstring, a first statement; in prose the sentence below the title. */
export function opener(rows: readonly Row[], path: string): Row | null {
  const first = rows.find(({ text }) => isSaying(text)) ?? null
  if (!first || isCode(path) || !HEADING.test(first.text)) return first
  const sentence = rows
    .filter(({ text }) => isSaying(text))
    .slice(1, 6)
    .find(({ text }) => /^[\p{L}*_]/u.test(text) && wordsIn(text).length >= 5)
  return sentence ?? first
}

/** Names and headings of a file, in order, each once. */
export function outline(rows: readonly Row[], path: string): { name: string; line: number }[] {
  const found = new Map<string, number>()
  for (const { text, line } of rows) {
    const name =
      DEFINITION.exec(text)?.[1] ??
      CONSTANT.exec(text)?.[1] ??
      ((HEADING.test(text) && !isCode(path)) || SECTION.test(text)
        ? text.replace(/^#+\s+/, '').trim()
        : undefined)
    if (name !== undefined && !found.has(name)) found.set(name, line)
  }
  return [...found].map(([name, line]) => ({ name, line }))
}

/** The weightiest line of each of `count` equal parts, so that quotes come from all over the file. */
export function highlights(
  path: string,
  rows: readonly Row[],
  count: number,
  except: ReadonlySet<number>,
): Row[] {
  const chosen: Row[] = []
  for (let part = 0; part < count; part++) {
    const from = Math.floor((part * rows.length) / count)
    const to = Math.floor(((part + 1) * rows.length) / count)
    let best: Row | null = null
    let most = 0
    for (const row of rows.slice(from, to)) {
      const isSaid = except.has(row.line) || chosen.some(({ text }) => text === row.text)
      const weight = isSaid ? -1 : weightOf(row.text, path)
      if (weight > most) [best, most] = [row, weight]
    }
    if (best) chosen.push(best)
  }
  return chosen
}

const citeAll = (path: string, rows: readonly Row[]) =>
  rows.map((row) => `- ${cite({ path, ...row })}`).join('\n')

const OUTLINE_NAMES = 12

function outlineLine(path: string, rows: readonly Row[]): string {
  const names = outline(rows, path)
  if (names.length === 0) return ''
  const shown = names.slice(0, OUTLINE_NAMES).map(({ name }) => code(name))
  const more = names.length - shown.length
  return `Named in ${code(path)}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

/** Some 200 tokens on a file that has just been read. */
export function remark(path: string, rows: readonly Row[], size: string): string {
  const first = opener(rows, path)
  if (!first) return `**${path}** (${size}) holds nothing to quote.`
  const weighty = highlights(path, rows, 4, new Set([first.line]))
  const parts = [
    `**${path}** (${size}) opens with ${cite({ path, ...first })}`,
    weighty.length > 0 ? `Lines that stand out:\n${citeAll(path, weighty)}` : '',
    outlineLine(path, rows),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const STOP = new Set(
  'a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on one or our out over per shall she should so some than that the their them then there these they this to too under up was we were what when where which who why will with would you your about any all please tell file files say says said'.split(
    ' ',
  ),
)

/** Words of a sentence that could be searched for, each once. */
export const contentWords = (text: string): string[] => [
  ...new Set(
    wordsIn(text)
      .map((word) => word.toLowerCase())
      .filter((word) => word.length > 2 && !STOP.has(word)),
  ),
]

/** Lines that hold the words the whole text uses most: an extractive summary, in file order. */
export function keyLines(path: string, rows: readonly Row[], count: number): Row[] {
  const often = new Map<string, number>()
  for (const { text } of rows)
    for (const word of contentWords(text)) often.set(word, (often.get(word) ?? 0) + 1)
  const scored = rows.map((row, at) => {
    const words = contentWords(row.text)
    const common = words.reduce((sum, word) => sum + Math.min(often.get(word) ?? 0, 6), 0)
    const weight = weightOf(row.text, path)
    return { row, at, score: weight < 0 ? -1 : weight * 2 + common / Math.sqrt(words.length + 1) }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row)
}

export const citeList = (cites: readonly Cite[]): string =>
  cites.map((one) => `- ${cite(one)}`).join('\n')
