/** Two moments of one session: which nodes left the surface, which came, which stayed. */

import type { EventHead, Seq } from '@/lib/core/event'
import type { Log } from '@/lib/core/log'
import { nodesOf } from '@/lib/core/surface'

export type Comparison = {
  /** In the order of the earlier surface. */
  gone: Seq[]
  /** In the order of the later surface. */
  came: Seq[]
  kept: Seq[]
}

export function compareMoments(log: Pick<Log, 'history'>, before: Seq, after: Seq): Comparison {
  const older = before < 0 ? [] : nodesOf(log.history.surfaceAt(before))
  const newer = after < 0 ? [] : nodesOf(log.history.surfaceAt(after))
  const there = new Set(newer)
  const was = new Set(older)
  return {
    gone: older.filter((seq) => !there.has(seq)),
    came: newer.filter((seq) => !was.has(seq)),
    kept: newer.filter((seq) => was.has(seq)),
  }
}

export type CompareRow =
  | { row: 'title'; title: 'gone' | 'came' | 'kept'; count: number; tokens: number }
  | { row: 'node'; title: 'gone' | 'came' | 'kept'; seq: Seq }

/** The comparison as rows of one list; kept nodes only when asked for, since they are no news. */
export function compareRows(
  comparison: Comparison,
  tokensOf: (seq: Seq) => number,
  showKept: boolean,
): CompareRow[] {
  const rows: CompareRow[] = []
  for (const title of ['came', 'gone', 'kept'] as const) {
    const seqs = comparison[title]
    const tokens = seqs.reduce((sum, seq) => sum + tokensOf(seq), 0)
    rows.push({ row: 'title', title, count: seqs.length, tokens })
    if (title === 'kept' && !showKept) continue
    for (const seq of seqs) rows.push({ row: 'node', title, seq })
  }
  return rows
}

/** The checkpoint written last before `seq`; null where `seq` is the first. */
export function checkpointBefore(heads: readonly EventHead[], seq: Seq): Seq | null {
  for (let at = seq - 1; at >= 0; at -= 1) if (heads[at]!.kind === 'checkpoint') return at
  return null
}
