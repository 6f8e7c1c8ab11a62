/** Searching texts line by line. Pure; a regular expression runs in a worker, because it may never end. */

import { cutAt } from './lines'

export type SearchJob = {
  files: { path: string; text: string }[]
  query: string
  regex: boolean
  ignoreCase: boolean
  /** Lines shown before and after each match. */
  context: number
}

/** `match` is false for a line of context. */
export type SearchLine = { path: string; line: number; text: string; match: boolean }

export type SearchFound = { lines: SearchLine[]; matches: number; files: number; complete: boolean }

export const MAX_MATCHES = 100
const MAX_LINE = 240

/** A long line shows the part around the match. */
function around(line: string, at: number): string {
  if (line.length <= MAX_LINE) return line
  const from = Math.max(0, at - 60)
  const start = from > 0 && /[\udc00-\udfff]/.test(line[from]!) ? from + 1 : from
  const part = cutAt(line.slice(start), MAX_LINE)
  return `${start > 0 ? '…' : ''}${part}${start + part.length < line.length ? '…' : ''}`
}

/** Throws a SyntaxError for a bad regular expression. */
function finder(job: SearchJob): (line: string) => number {
  if (job.regex) {
    const pattern = new RegExp(job.query, job.ignoreCase ? 'iu' : 'u')
    return (line) => line.search(pattern)
  }
  if (!job.ignoreCase) return (line) => line.indexOf(job.query)
  const wanted = job.query.toLowerCase()
  return (line) => line.toLowerCase().indexOf(wanted)
}

/** Matching lines with their context, in order of files and lines, up to `MAX_MATCHES` matches. */
export function runSearch(job: SearchJob): SearchFound {
  const find = finder(job)
  const lines: SearchLine[] = []
  let matches = 0
  let files = 0
  for (const { path, text } of job.files) {
    const all = text.split(/\r\n|\n/)
    if (all.at(-1) === '') all.pop()
    let emitted = 0
    let found = false
    for (let at = 0; at < all.length; at++) {
      const column = find(all[at]!)
      if (column < 0) continue
      if (matches === MAX_MATCHES) return { lines, matches, files, complete: false }
      if (!found) files++
      found = true
      matches++
      const last = lines.at(-1)
      if (last?.path === path && last.line === at + 1)
        lines[lines.length - 1] = { ...last, text: around(all[at]!, column), match: true }
      else {
        for (let before = Math.max(emitted, at - job.context); before < at; before++)
          lines.push({ path, line: before + 1, text: around(all[before]!, 0), match: false })
        lines.push({ path, line: at + 1, text: around(all[at]!, column), match: true })
      }
      emitted = at + 1
      for (let after = at + 1; after <= Math.min(all.length - 1, at + job.context); after++) {
        if (find(all[after]!) >= 0) break
        lines.push({ path, line: after + 1, text: around(all[after]!, 0), match: false })
        emitted = after + 1
      }
    }
  }
  return { lines, matches, files, complete: true }
}
