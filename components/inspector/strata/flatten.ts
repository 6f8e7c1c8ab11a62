/** The strata as rows of a tree: what an open node lies on follows it, one level deeper. */

import type { Seq } from '@/lib/core/event'
import type { StrataLayout } from '@/lib/core/projections/strata-layout'

export type TreeRow = {
  index: number
  seq: Seq
  level: number
  children: number
  open: boolean
  /** Place among its siblings, from 1, and how many they are. */
  position: number
  siblings: number
}

/** Rows of the top and of every open node, in reading order; no recursion. */
export function flatten(layout: StrataLayout, open: ReadonlySet<Seq>): TreeRow[] {
  const rows: TreeRow[] = []
  const top = layout.rowStart[1] ?? 0
  const stack: { at: number; from: number; to: number; level: number }[] = [
    { at: 0, from: 0, to: top, level: 1 },
  ]
  while (stack.length > 0) {
    const run = stack.at(-1)!
    if (run.at >= run.to) {
      stack.pop()
      continue
    }
    const index = run.at
    run.at += 1
    const from = layout.childStart[index]!
    const to = layout.childStart[index + 1]!
    const seq = layout.seq[index]!
    const isOpen = to > from && open.has(seq)
    rows.push({
      index,
      seq,
      level: run.level,
      children: to - from,
      open: isOpen,
      position: index - run.from + 1,
      siblings: run.to - run.from,
    })
    if (isOpen) stack.push({ at: from, from, to, level: run.level + 1 })
  }
  return rows
}

/** Every node that must be open for `index` to be seen. */
export function ancestors(layout: StrataLayout, index: number): Seq[] {
  const seqs: Seq[] = []
  for (let up = layout.parent[index]!; up >= 0; up = layout.parent[up]!) seqs.push(layout.seq[up]!)
  return seqs
}
