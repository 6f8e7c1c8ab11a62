'use client'

import type { Seq } from '@/lib/core/event'
import type { CompactionView } from '@/lib/core/projections/transcript'
import { useBody, useSession } from '@/lib/state/hooks'
import { cacheWords, costWords } from '../review/cost-words'
import { DraftedLine } from '../review/drafted-line'
import { useCost } from '../review/use-cost'
import { cx } from '../ui/cx'
import { Name } from '../ui/name'
import { cardTitle, failureWords, triggerWords } from './compaction-words'
import { SeqLink } from './message'

/** The draft this bracket threw away, where that is all it did (C16). */
export const useDiscarded = (node: CompactionView): Seq | null =>
  useSession(({ log }) =>
    node.status === 'cancelled' && node.startSeq !== null
      ? (log.heads[node.startSeq]?.cites ?? null)
      : null,
  )

export function DiscardedRow({ node, draftSeq }: { node: CompactionView; draftSeq: Seq }) {
  return (
    <p className="m-0 my-2 flex items-baseline gap-1.5 px-3 text-ink3">
      <span className="min-w-0 flex-1">
        You discarded the draft <SeqLink seq={draftSeq} />. Nothing was changed.
      </span>
      <SeqLink seq={node.seq} />
    </p>
  )
}

/** What a bracket that replaced nothing cost all the same: its draft, or the parts it got through. */
function Paid({ node }: { node: CompactionView }) {
  const cost = useCost(node.compactionId, node.endSeq)
  if (!cost || cost.calls <= cost.unreported) return null
  return (
    <p className="mono m-0 w-full text-ink2" title={cacheWords(cost)} data-testid="economics">
      {costWords(cost).join(' · ')}
    </p>
  )
}

/** Failed, cancelled, interrupted, drafted: the surface is as it was. */
export function EndedCard({ node }: { node: CompactionView }) {
  const end = useBody(node.endSeq)
  const message = end?.type === 'compact/end' ? end.data.error?.message : undefined
  const failed = node.status === 'failed'
  return (
    <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
      <h2 className={cx('m-0 text-base font-semibold', failed ? 'text-err-ink' : 'text-ink2')}>
        {cardTitle(node.status, node.trigger)}
      </h2>
      <span className="text-ink2">{triggerWords(node.trigger)}</span>
      <span className="ml-auto">
        <SeqLink seq={node.startSeq ?? node.seq} />
      </span>
      {node.draftSeq === null ? (
        <p className="m-0 w-full text-ink2">{failureWords(node.code)}</p>
      ) : null}
      {message && failed ? (
        <p className="m-0 w-full text-ink [overflow-wrap:anywhere]">
          <Name>{message}</Name>
        </p>
      ) : null}
      <Paid node={node} />
      {node.draftSeq === null ? null : <DraftedLine draftSeq={node.draftSeq} />}
    </div>
  )
}
