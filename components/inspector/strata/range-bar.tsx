'use client'

import { planRegion } from '@/components/review/plan'
import { RegionActions } from '@/components/review/region-actions'
import type { StrataLayout } from '@/lib/core/projections/strata-layout'
import { useSession } from '@/lib/state/hooks'
import { seqsIn, type TopRange } from './range'

type Props = {
  layout: StrataLayout
  range: TopRange
  onClose(): void
  left: number
  right: number
  top: number
  width: number
}

const WIDTH = 456

/** What can be done with the chosen range, floating under it. */
export function RangeBar({ layout, range, onClose, left, right, top, width }: Props) {
  const log = useSession((state) => state.log)
  const version = useSession((state) => state.version)
  const policy = useSession((state) => state.chosen.policy)
  const seqs = seqsIn(layout, range)
  const plan = planRegion(log, version, { one: seqs[0]!, other: seqs.at(-1)! }, policy)
  const middle = (left + right) / 2
  const box = Math.min(WIDTH, width)
  const at = Math.max(0, Math.min(width - box, middle - box / 2))
  return (
    <div
      role="toolbar"
      aria-label="Chosen range"
      data-testid="range-bar"
      data-start={seqs[0]}
      data-end={seqs.at(-1)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      className="absolute z-20 animate-rise rounded-lg border bg-raised p-1.5 shadow-float"
      style={{ left: at, top, width: box }}
    >
      {plan ? (
        <RegionActions plan={plan} onClose={onClose} />
      ) : (
        <p className="m-0 px-1 text-ink2">
          The model saw this then. Go back to live to compact or pin it.
        </p>
      )}
    </div>
  )
}
