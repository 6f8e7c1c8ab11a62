/** What an import says of lines, as rows to read: a reason once, with the lines it was met on. */

import type { ImportRemark } from '@/lib/state/model'
import { exact } from '../ui/format'

/** Places of one reason that are named; a long log has the same to say of thousands. */
const NAMED = 3

const placeOf = ({ line, toLine }: ImportRemark): string =>
  toLine === undefined ? exact(line) : `${exact(line)}–${exact(toLine)}`

const linesOf = ({ line, toLine }: ImportRemark): number => (toLine ?? line) - line + 1

/** How many lines some remarks speak of. */
export const linesIn = (remarks: readonly ImportRemark[]): number =>
  remarks.reduce((sum, remark) => sum + linesOf(remark), 0)

/** `line 4`, `lines 4–9`, `lines 4, 9, 12` or `lines 4, 9, 12 and 310 more`. */
function where(remarks: readonly ImportRemark[]): string {
  const [only] = remarks
  if (remarks.length === 1 && only) {
    return `${only.toLine === undefined ? 'line' : 'lines'} ${placeOf(only)}`
  }
  const named = remarks.slice(0, NAMED).map(placeOf).join(', ')
  const rest = linesIn(remarks.slice(NAMED))
  return `lines ${named}${rest > 0 ? ` and ${exact(rest)} more` : ''}`
}

/** Rows of `[where, what]`, in the order in which each reason was first met. */
export function remarkRows(remarks: readonly ImportRemark[]): [string, string][] {
  const groups = new Map<string, ImportRemark[]>()
  for (const remark of remarks) {
    const group = groups.get(remark.reason)
    if (group) group.push(remark)
    else groups.set(remark.reason, [remark])
  }
  return [...groups].map(([reason, group]) => [where(group), reason])
}
