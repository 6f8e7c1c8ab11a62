/** Words that fixtures of several formats share. */

export const jsonl = (...rows: unknown[]): string =>
  rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('')

/** A gif of one pixel. */
export const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** An ISO time some seconds into one morning. */
export const at = (second: number): string =>
  new Date(Date.UTC(2026, 2, 4, 9, 0, second)).toISOString()

let clock = 0
/** The next second of that morning. */
export const tick = (): string => at(clock++)

export const text = (words: string) => ({ type: 'text', text: words })
