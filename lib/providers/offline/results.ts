/** What the tools' result texts say: the reader's side of the formats in lib/tools. */

import type { Cite, Row } from './cite'

const PLACEHOLDER = /^\[Previous: used ([\w-]+)(?:; recall #(\d+))?\]$/

/** A result that micro-compaction has replaced (X1). */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text.trim())

/** Where pruning has cut the middle out of a result (X2). */
const PRUNED = /^\[\.\.\. .*pruned \.\.\.\]$/

export type FileView = {
  rows: Row[]
  /** Lines in the file, where the result says so; else those shown are all. */
  total: number
  /** Line to go on from when not all that was asked for was shown. */
  next: number | null
  isWhole: boolean
  /** Pruning has taken lines out of the middle. */
  isPruned: boolean
}

/** The numbered lines of a `read_file` result. Rows next to a pruned place are left out: they may be cut. */
export function readFileView(text: string): FileView {
  const lines = text.split('\n')
  const pruned = lines.findIndex((line) => PRUNED.test(line))
  const rows: Row[] = []
  lines.forEach((line, at) => {
    const match = /^(\d+)\t(.*)$/s.exec(line)
    if (!match) return
    if (pruned >= 0 && Math.abs(at - pruned) <= 2) return
    rows.push({ line: Number(match[1]), text: match[2]! })
  })
  const range = /^\[lines (\d+)-(\d+) of (\d+)/m.exec(text)
  const total = range ? Number(range[3]) : (rows.at(-1)?.line ?? 0)
  const next = /go on with .*"from":(\d+)/.exec(text)
  const last = rows.at(-1)?.line ?? 0
  return {
    rows,
    total,
    next: next ? Number(next[1]) : range && Number(range[2]) < total ? Number(range[2]) + 1 : null,
    isWhole: pruned < 0 && (rows[0]?.line ?? 1) === 1 && last >= total,
    isPruned: pruned >= 0,
  }
}

export type Listed = { path: string; bytes: number }

/** The files of a `list_files` result, and how many it left out. */
export function readListing(text: string): { files: Listed[]; left: number } {
  const files = [...text.matchAll(/^(.+)\t(\d+)$/gm)].map(([, path, bytes]) => ({
    path: path!,
    bytes: Number(bytes),
  }))
  return { files, left: Number(/^\[(\d+) more not shown/m.exec(text)?.[1] ?? 0) }
}

export type Matches = {
  hits: Cite[]
  /** As the tool says: "3 matches in 2 files", "More than 100 matches in 4 files", or none. */
  head: string
  isComplete: boolean
}

/** From this length on the search tool may have cut a line and marked it with ellipses. */
const CUT_LINE = 240

const whole = (text: string) =>
  text.length < CUT_LINE ? text : text.replace(/^…/, '').replace(/…$/, '')

/** The matching lines of a `search_files` result, without lines of context. */
export function readMatches(text: string): Matches {
  const hits = [...text.matchAll(/^(.+?):(\d+): (.*)$/gm)].map(([, path, line, found]) => ({
    path: path!,
    line: Number(line),
    text: whole(found!),
  }))
  const head = /^(.*match(?:es)? in \d+ files?):$/m.exec(text)?.[1] ?? ''
  return { hits, head, isComplete: !/^\[the first \d+ matches shown/m.test(text) }
}

export type RecallHit = { seq: number; what: string; lines: string[] }

/** The messages a `recall_search` or `recall_read` result shows. */
export function readRecall(text: string): RecallHit[] {
  const hits: RecallHit[] = []
  for (const line of text.split('\n')) {
    const title = /^#(\d+) (user|assistant|checkpoint|result of .+)$/.exec(line)
    if (title) hits.push({ seq: Number(title[1]), what: title[2]!, lines: [] })
    else hits.at(-1)?.lines.push(line)
  }
  return hits
}
