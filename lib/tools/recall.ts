/** What compaction took off the surface and the tools can still read (K3). */

import type { Seq } from '../core/event'

export type RecallEntry = {
  seq: Seq
  kind: 'user' | 'assistant' | 'result' | 'checkpoint'
  /** Tool name of a result. */
  name?: string
  /** Everything readable of the node as text, tool calls included. */
  text: string
}

/** Reads the log. Implemented where log and journal are joined; never sees the model's input unparsed. */
export interface Recall {
  /** Shadowed nodes for which `matchesQuery(text, query)` holds, newest first, at most `limit`. */
  search(query: string, limit: number): Promise<RecallEntry[]>
  /**
   * The nodes from seq `from` to `to`, in order. When both are one seq of a checkpoint or of another
   * replacement, the nodes it shadows. Empty when the log holds no node there.
   */
  read(from: Seq, to: Seq): Promise<RecallEntry[]>
}

const words = (query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** Every word of the query occurs in the text, in any order and case. */
export function matchesQuery(text: string, query: string): boolean {
  const low = text.toLowerCase()
  const wanted = words(query)
  return wanted.length > 0 && wanted.every((word) => low.includes(word))
}

/** Lines that hold most of the query's words, best first; ties keep their order. */
export function matchingLines(
  text: string,
  query: string,
  limit: number,
): { line: number; text: string }[] {
  const wanted = words(query)
  return text
    .split('\n')
    .map((line, at) => ({
      line: at + 1,
      text: line,
      score: wanted.filter((word) => line.toLowerCase().includes(word)).length,
    }))
    .filter((line) => line.score > 0)
    .sort((a, b) => b.score - a.score || a.line - b.line)
    .slice(0, limit)
    .map(({ line, text: found }) => ({ line, text: found }))
}

export const titleOf = (entry: RecallEntry): string =>
  `#${entry.seq} ${entry.kind === 'result' ? `result of ${entry.name ?? 'a tool'}` : entry.kind}`

/** A recall of nothing, for places without a log. */
export const noRecall: Recall = { search: async () => [], read: async () => [] }
