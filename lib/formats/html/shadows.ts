/** When each node was out of the model's sight, for a page that shows every moment of a log. */

import type { EventHead, Seq, SessionEvent } from '../../core/event'
import { headOf } from '../../core/head'
import { growHistory, type History } from '../../core/history'
import { createStrata, extendStrata, type StrataIndex } from '../../core/projections/strata'
import { emptyTimeline, extendTimeline, type Timeline } from '../../core/projections/timeline'
import type { Many } from '../native'
import type { Turns } from './turns'

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

/** Heads folded at once. */
const STRIDE = 500

/** Folds the events as they are read, up to the first gap: a damaged log has some past it that no picture can place. */
export async function pictureOf(events: Many<SessionEvent>, turns: Turns): Promise<Picture> {
  const heads: EventHead[] = []
  const history = growHistory()
  const strata = createStrata()
  let timeline = emptyTimeline()
  const fold = () => {
    extendStrata(strata, heads)
    timeline = extendTimeline(timeline, heads)
  }
  for await (const event of events) {
    if (event.seq !== heads.length) break
    const head = headOf(event)
    heads.push(head)
    history.push(head)
    if (heads.length % STRIDE !== 0) continue
    fold()
    await turns()
  }
  fold()
  const lifted = new Map(strata.restores.map(({ seq, replacementSeq }) => [replacementSeq, seq]))
  const gone = new Map<Seq, Gone[]>()
  for (const { seq: by } of heads) {
    if (by % STRIDE === 0) await turns()
    for (const seq of history.shadowsOf(by)) {
      const until = lifted.get(by)
      const spans = gone.get(seq) ?? []
      spans.push(until === undefined ? { by } : { by, until })
      gone.set(seq, spans)
    }
  }
  return { heads, history, strata, timeline, gone, lifted }
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
