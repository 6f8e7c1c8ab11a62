/** Pieces of Markdown that hold any text without breaking out of it. */

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)

/** A fenced block whose fence is longer than any run of backticks inside. */
export function fence(text: string, language = ''): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${marks}${language}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${marks}\n`
}

/** Inline code on one line; a space keeps backticks at the edges apart from the delimiters. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  const marks = '`'.repeat(longestRun(line) + 1)
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

/** Raw HTML that runs on past blank lines until its end is written (CommonMark's kinds 1 to 5). */
const RAW: readonly { begins: RegExp; ends: RegExp; closer(begun: string): string }[] = [
  {
    begins: /^ {0,3}<(script|pre|style|textarea)(?=\s|>|$)/i,
    ends: /<\/(?:script|pre|style|textarea)>/i,
    closer: (begun) => `</${begun}>`,
  },
  { begins: /^ {0,3}<!--/, ends: /-->/, closer: () => '-->' },
  { begins: /^ {0,3}<\?/, ends: /\?>/, closer: () => '?>' },
  { begins: /^ {0,3}<![a-z]/i, ends: />/, closer: () => '>' },
  { begins: /^ {0,3}<!\[CDATA\[/, ends: /\]\]>/, closer: () => ']]>' },
]

/** Something that takes all lines as its own until a line ends it. */
type Open = { closer: string; endsAt(line: string): boolean }

function openFence(line: string): Open | null {
  const [, marks, rest] = FENCE.exec(line) ?? []
  if (marks === undefined || rest === undefined) return null
  if (marks[0] === '`' && rest.includes('`')) return null
  return {
    closer: marks,
    endsAt(later) {
      const [, others, after] = FENCE.exec(later) ?? []
      return (
        others !== undefined &&
        others[0] === marks[0] &&
        others.length >= marks.length &&
        after?.trim() === ''
      )
    },
  }
}

function openRaw(line: string): Open | null {
  for (const { begins, ends, closer } of RAW) {
    const begun = begins.exec(line)
    if (!begun) continue
    if (ends.test(line.slice(begun[0].length))) return null
    return { closer: closer(begun[1] ?? ''), endsAt: (later) => ends.test(later) }
  }
  return null
}

/** What could open something stands at the beginning of a line. */
const MAY_OPEN = /^ {0,3}(?:`{3}|~{3}|<[!?a-z])/im

/** Closes a code fence or raw HTML the text leaves open, which would swallow everything after it. */
export function closeBlocks(text: string): string {
  if (!MAY_OPEN.test(text)) return text
  let open: Open | null = null
  for (const line of text.split('\n')) {
    if (open) open = open.endsAt(line) ? null : open
    else open = openFence(line) ?? openRaw(line)
  }
  if (open === null) return text
  return `${text}${text.endsWith('\n') ? '' : '\n'}${open.closer}`
}
