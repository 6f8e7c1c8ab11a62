/** Text as numbered lines, and cuts that never part a surrogate pair. */

/** Lines without their ends; a last empty line that only a line end made is not one. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff

/** At most `units` UTF-16 units from the start, a pair kept whole. */
export const cutAt = (text: string, units: number): string =>
  text.length <= units
    ? text
    : text.slice(0, isHigh(text.charCodeAt(units - 1)) ? units - 1 : units)

/** At most `units` UTF-16 units from the end, a pair kept whole. */
export function cutTail(text: string, units: number): string {
  if (text.length <= units) return text
  const from = text.length - units
  return text.slice(isHigh(text.charCodeAt(from - 1)) ? from + 1 : from)
}

/** Head and tail around a note of how much is missing; texts within `limit` stay as they are. */
export function clipMiddle(text: string, limit: number, advice: string): string {
  if (text.length <= limit) return text
  const head = cutAt(text, Math.floor(limit * 0.75))
  const tail = cutTail(text, Math.floor(limit * 0.25))
  return `${head}\n[… ${text.length - head.length - tail.length} of ${text.length} characters left out; ${advice}]\n${tail}`
}

export const numbered = (line: string, number: number): string => `${number}\t${line}`
