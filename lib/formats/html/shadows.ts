/** When each node was out of the model's sight, for a page that shows every moment of a log. */

import type { EventHead, Seq } from '../../core/event'
import { createHistory, type History } from '../../core/history'
import { createStrata, extendStrata, type StrataIndex } from '../../core/projections/strata'
import { emptyTimeline, extendTimeline, type Timeline } from '../../core/projections/timeline'

/** Out of sight from event `by` on; back from `until` on, if it was restored. */
export type Gone = { by: Seq; until?: Seq }

export type Picture = {
  heads: readonly EventHead[]
  history: History
  strata: StrataIndex
  timeline: Timeline
  gone: Map<Seq, Gone[]>
  /** Replacement → the restore that lifted it off. */
  lifted: Map<Seq, Seq>
}

export function pictureOf(heads: readonly EventHead[]): Picture {
  const history = createHistory(heads)
  const strata = extendStrata(createStrata(), heads)
  const lifted = new Map(strata.restores.map(({ seq, replacementSeq }) => [replacementSeq, seq]))
  const gone = new Map<Seq, Gone[]>()
  for (const { seq: by } of heads) {
    for (const seq of history.shadowsOf(by)) {
      const until = lifted.get(by)
      const spans = gone.get(seq) ?? []
      spans.push(until === undefined ? { by } : { by, until })
      gone.set(seq, spans)
    }
  }
  return { heads, history, strata, timeline: extendTimeline(emptyTimeline(), heads), gone, lifted }
}

/** What the page's script reads of a node, and its class at the end of the log. */
export function momentsOf({ gone, lifted }: Picture, seq: Seq): { data: string; state: string } {
  const spans = gone.get(seq) ?? []
  const lift = lifted.get(seq)
  const words = spans.map(({ by, until }) => `${by}-${until ?? ''}`).join(' ')
  const isGone = spans.some(({ until }) => until === undefined)
  return {
    data:
      ` data-seq="${seq}"` +
      (words ? ` data-gone="${words}"` : '') +
      (lift === undefined ? '' : ` data-lifted="${lift}"`),
    state: lift !== undefined ? ' lifted' : isGone ? ' gone' : '',
  }
}
