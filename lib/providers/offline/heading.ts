/** How an answer names the part it is about; a later step, or a summary, reads from it how far a request has come. */

import { code } from './cite'

/** `**2 of 3:** …`, on a line of its own. */
export const heading = (part: number, of: number, words: string): string =>
  `**${part} of ${of}:** ${code(words.replace(/\s+/g, ' ').trim())}`

const HEADING = /^\*\*(\d+) of (\d+):\*\* `.*$/gm
const FENCED = /^(`{3,})[\s\S]*?^\1$/gm

/** The headings of a text in order, with their places; what stands in a fence is material. */
export function headingsIn(text: string): { part: number; from: number; to: number }[] {
  const seen = text.replace(FENCED, (block) => ' '.repeat(block.length))
  return [...seen.matchAll(HEADING)].map((match) => ({
    part: Number(match[1]),
    from: match.index,
    to: match.index + match[0].length,
  }))
}
