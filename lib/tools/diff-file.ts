/** What a tool changed in a file, for people to look at. */

import { structuredPatch } from 'diff'

export type DiffLine = {
  kind: 'same' | 'added' | 'removed'
  text: string
  /** Line number before and after, from 1. */
  before?: number
  after?: number
}

export type FileDiff = {
  path: string
  hunks: { before: number; after: number; lines: DiffLine[] }[]
  added: number
  removed: number
}

/** Line diff with three lines of context; null stands for a file that is not there. */
export function diffFile(path: string, before: string | null, after: string | null): FileDiff {
  const patch = structuredPatch(path, path, before ?? '', after ?? '', '', '', { context: 3 })
  const diff: FileDiff = { path, hunks: [], added: 0, removed: 0 }
  for (const hunk of patch.hunks) {
    let old = hunk.oldStart
    let fresh = hunk.newStart
    const lines: DiffLine[] = []
    for (const line of hunk.lines) {
      const text = line.slice(1)
      if (line[0] === '+') lines.push({ kind: 'added', text, after: fresh++ })
      else if (line[0] === '-') lines.push({ kind: 'removed', text, before: old++ })
      else if (line[0] === ' ') lines.push({ kind: 'same', text, before: old++, after: fresh++ })
    }
    diff.added += lines.filter((line) => line.kind === 'added').length
    diff.removed += lines.filter((line) => line.kind === 'removed').length
    diff.hunks.push({ before: hunk.oldStart, after: hunk.newStart, lines })
  }
  return diff
}
