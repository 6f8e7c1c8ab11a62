/** A line diff as rows to show, with long unchanged stretches folded. */

import { diffLines } from 'diff'

export type DiffRow =
  | { kind: 'same' | 'gone' | 'came'; text: string; before: number | null; after: number | null }
  | { kind: 'fold'; lines: number }

/** Unchanged lines kept around a change. */
const CONTEXT = 3
/** Longer than this together, two texts are not compared line by line. UTF-16 units. */
const TOO_LONG = 2_000_000
/** Milliseconds a comparison may take. */
const PATIENCE = 800

const linesOf = (text: string): string[] => {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Null where the texts are too long, or too different, to compare in time. */
export function diffRows(before: string, after: string): DiffRow[] | null {
  if (before.length + after.length > TOO_LONG) return null
  const changes = diffLines(before, after, { timeout: PATIENCE })
  if (!changes) return null
  const rows: DiffRow[] = []
  let old = 1
  let fresh = 1
  changes.forEach((change, at) => {
    const lines = linesOf(change.value)
    if (change.removed)
      for (const text of lines) rows.push({ kind: 'gone', text, before: old++, after: null })
    else if (change.added)
      for (const text of lines) rows.push({ kind: 'came', text, before: null, after: fresh++ })
    else {
      const head = at === 0 ? 0 : CONTEXT
      const tail = at === changes.length - 1 ? 0 : CONTEXT
      lines.forEach((text, i) => {
        const hidden = lines.length > head + tail + 1 && i >= head && i < lines.length - tail
        if (!hidden) rows.push({ kind: 'same', text, before: old, after: fresh })
        else if (i === head) rows.push({ kind: 'fold', lines: lines.length - head - tail })
        old += 1
        fresh += 1
      })
    }
  })
  return rows
}

export const countChanges = (rows: readonly DiffRow[]): { gone: number; came: number } => ({
  gone: rows.filter((row) => row.kind === 'gone').length,
  came: rows.filter((row) => row.kind === 'came').length,
})
