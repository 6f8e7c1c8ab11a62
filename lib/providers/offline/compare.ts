/** Which lines two texts differ in. */

import type { Row } from './cite'

/** A place where the texts differ: lines only the first has, lines only the second has. */
export type Difference = { before: Row[]; after: Row[] }

/** Above this many cells the table would be too large to fill in one step. */
const MAX_CELLS = 4_000_000

/** Lengths of longest common subsequences of all suffixes, row by row. */
function table(a: readonly Row[], b: readonly Row[]): Uint16Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      rows[i]![j] =
        a[i]!.text === b[j]!.text
          ? rows[i + 1]![j + 1]! + 1
          : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!)
    }
  }
  return rows
}

/** The differences in order, or null when the texts are too large to compare here. */
export function compareRows(a: readonly Row[], b: readonly Row[]): Difference[] | null {
  if ((a.length + 1) * (b.length + 1) > MAX_CELLS) return null
  const common = table(a, b)
  const differences: Difference[] = []
  let open: Difference | null = null
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i]!.text === b[j]!.text) {
      open = null
      i++
      j++
      continue
    }
    if (!open) {
      open = { before: [], after: [] }
      differences.push(open)
    }
    if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!))
      open.before.push(a[i++]!)
    else open.after.push(b[j++]!)
  }
  return differences
}
