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
}

const landed = new WeakMap<Timeline, readonly Mark[]>()

/** Summaries that landed; asked for at every moment, so kept with the timeline. */
function landedOf(timeline: Timeline): readonly Mark[] {
  const known = landed.get(timeline) ?? timeline.marks.filter(isSummary)
  landed.set(timeline, known)
  return known
}

/** Where `moment` is. All of it is at or before that event. */
export function whereIs(timeline: Timeline, heads: readonly EventHead[], moment: Seq): Where {
  const { turns, steps } = timeline
  const turn = turns[lastAtOrBefore(turns, (span: TurnSpan) => span.start, moment)]
  const step = steps[lastAtOrBefore(steps, (seq) => seq, moment)]
  const landed = landedOf(timeline)
  return {
    turn: turn?.turn ?? null,
    step: step === undefined ? null : (heads[step]?.step ?? null),
    compaction: lastAtOrBefore(landed, (mark) => mark.seq, moment) + 1,
    compactions: landed.length,
    tokens: moment < 0 ? 0 : timeline.total[moment]!,
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
