/** Pieces of Markdown that hold any text without breaking out of it. */

const longestRun = (text: string, mark: '`' | '~'): number => {
  let longest = 0
  let run = 0
  for (const character of text) {
    run = character === mark ? run + 1 : 0
    if (run > longest) longest = run
  }
  return longest
}

/** A fenced block whose fence is longer than any run of backticks inside. */
export function fence(text: string, language = ''): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text, '`') + 1))
  return `${marks}${language}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${marks}\n`
}

/** Inline code on one line; a space keeps backticks at the edges apart from the delimiters. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  const marks = '`'.repeat(longestRun(line, '`') + 1)
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${marks}${pad}${line}${pad}${marks}`
}

/** One line of plain words: nothing in it is read as markup. */
export const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|~]/g, (mark) => `\\${mark}`)

export const quote = (text: string): string =>
  `${text
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')}\n`

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

/** Closes a code fence the text leaves open, which would swallow everything after it. */
export function closeFences(text: string): string {
  let open: string | null = null
  for (const line of text.split('\n')) {
    const [, marks, rest] = FENCE.exec(line) ?? []
    if (marks === undefined || rest === undefined) continue
    if (open === null) {
      if (marks[0] === '~' || !rest.includes('`')) open = marks
    } else if (marks[0] === open[0] && marks.length >= open.length && rest.trim() === '')
      open = null
  }
  if (open === null) return text
  return `${text}${text.endsWith('\n') ? '' : '\n'}${open}`
}
