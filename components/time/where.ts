/** The playhead in words. */

import type { EventHead, Seq } from '@/lib/core/event'
import {
  isSummary,
  lastAtOrBefore,
  type Mark,
  type Timeline,
  type TurnSpan,
} from '@/lib/core/projections/timeline'

export type Where = {
  turn: number | null
  step: number | null
  /** Summaries landed at the moment, and in all. */
  compaction: number
  compactions: number
  tokens: number
  /** The mark the moment stands on, if any. */
  mark: Mark | null
}

/** Where `moment` is. All of it is at or before that event. */
export function whereIs(timeline: Timeline, heads: readonly EventHead[], moment: Seq): Where {
  const { turns, steps, marks } = timeline
  const turn = turns[lastAtOrBefore(turns, (span: TurnSpan) => span.start, moment)]
  const step = steps[lastAtOrBefore(steps, (seq) => seq, moment)]
  const landed = marks.filter(isSummary)
  return {
    turn: turn?.turn ?? null,
    step: step === undefined ? null : (heads[step]?.step ?? null),
    compaction: lastAtOrBefore(landed, (mark) => mark.seq, moment) + 1,
    compactions: landed.length,
    tokens: moment < 0 ? 0 : timeline.total[moment]!,
    mark: marks.find((mark) => mark.from <= moment && moment <= mark.to) ?? null,
  }
}

export function compactionWords(where: Where): string {
  if (where.compactions === 0) return 'no compaction'
  if (where.compaction === 0) return `before compaction 1 of ${where.compactions}`
  return `compaction ${where.compaction} of ${where.compactions}`
}

export const turnWords = (where: Where): string =>
  where.turn === null
    ? 'before the first turn'
    : where.step === null
      ? `turn ${where.turn}`
      : `turn ${where.turn} · step ${where.step}`
