/** Quotations with their place, written so that they can be found again in the reader's own words. */

/** A line of a file as a tool showed it. */
export type Row = { line: number; text: string }

export type Cite = { path: string } & Row

/** Longest quotation; a longer line is quoted up to here and an ellipsis stands outside the quotes. */
const MAX_QUOTE = 110

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff

/** The first `units` UTF-16 units, no surrogate pair parted. */
export const cutText = (text: string, units: number): string =>
  text.length <= units
    ? text
    : text.slice(0, isHigh(text.charCodeAt(units - 1)) ? units - 1 : units)

/** Markdown code that shows `text` exactly, whatever backticks it holds. */
export function code(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1)
  return fence === '`' ? `\`${text}\`` : `${fence} ${text} ${fence}`
}

/** The text inside `code(text)` at the start of `source`, or null. */
export function readCode(source: string): string | null {
  const fence = /^`+/.exec(source)?.[0]
  if (!fence) return null
  const end = source.indexOf(fence, fence.length)
  if (end < 0) return null
  const inner = source.slice(fence.length, end)
  return fence === '`' ? inner : inner.slice(1, -1)
}

/** `` `path:line`: `text` `` with the line's own words, outer white space left off. */
export function cite({ path, line, text }: Cite): string {
  const whole = text.trim()
  const shown = cutText(whole, MAX_QUOTE).trimEnd()
  return `${code(`${path}:${line}`)}: ${code(shown)}${shown === whole ? '' : '…'}`
}

const CITE = /`([^`\n]+):(\d+)`: (?=`)/g

/** Every quotation in a text written with `cite`; texts of cut lines are as far as they were quoted. */
export function readCites(text: string): Cite[] {
  return [...text.matchAll(CITE)].flatMap((match) => {
    const quoted = readCode(text.slice(match.index + match[0].length))
    return quoted === null ? [] : [{ path: match[1]!, line: Number(match[2]), text: quoted }]
  })
}
