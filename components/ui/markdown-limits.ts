/**
 * Which texts are not worth reading as Markdown: a model can write, and a file hold, a few kilobytes that
 * nest so deep or spread so wide that reading them takes seconds or all of the stack. Measured with
 * react-markdown 10: each limit stays far below a second. Such a text is shown as it stands. Pure.
 */

const DEPTH = 30
/** Of containers over all lines, cells of tables, and links. */
const CONTAINERS = 2_000
const CELLS = 3_000
const LINKS = 1_000
const BRACKETS = 1_000

const PREFIX = /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*)*/
const MARKER = />|[-+*]|\d{1,9}[.)]/g

/** How deep containers (quotes, list items) nest at the start of a line, by its markers and its indentation. */
function depthOf(line: string): number {
  const prefix = PREFIX.exec(line)?.[0] ?? ''
  const markers = prefix.match(MARKER)?.length ?? 0
  if (markers === 0) return 0
  const indent = /^[ \t]*/.exec(prefix)?.[0].length ?? 0
  return markers + Math.floor(indent / 2)
}

function nestsTooDeep(text: string): boolean {
  let sum = 0
  for (const line of text.split('\n')) {
    // A rule (`- - -`) is no list.
    if (/^[ \t]*([-*_][ \t]*){3,}$/.test(line) && line.length < 200) continue
    const depth = depthOf(line)
    sum += depth > 3 ? depth : 0
    if (depth > DEPTH || sum > CONTAINERS) return true
  }
  return false
}

const countOf = (text: string, part: string): number => text.split(part).length - 1

/** Deepest nesting of these brackets, as if none were ever text. */
function bracketDepth(text: string, open: string, close: string): number {
  let depth = 0
  let deepest = 0
  for (const char of text) {
    if (char === open) depth += 1
    else if (char === close && depth > 0) depth -= 1
    if (depth > deepest) deepest = depth
  }
  return deepest
}

export const isTooWild = (text: string): boolean =>
  nestsTooDeep(text) ||
  countOf(text, '|') > CELLS ||
  countOf(text, '](') + countOf(text, '[^') > LINKS ||
  bracketDepth(text, '[', ']') > BRACKETS ||
  bracketDepth(text, '(', ')') > BRACKETS
