'use client'

import { exact } from '@/components/ui/format'
import { KindLabel } from '@/components/ui/kind-mark'
import { kindOf } from '@/components/ui/kinds'
import type { StrataLayout } from '@/lib/core/projections/strata-layout'
import { useBody, useSession } from '@/lib/state/hooks'
import { doubtsOf } from '../shared/indexes'
import { previewOf } from '../shared/words'
import type { Hover } from './use-gestures'

const WIDTH = 264

/** What is under the pointer, beside it. */
export function HoverCard({
  hover,
  layout,
  width,
}: {
  hover: Hover
  layout: StrataLayout
  width: number
}) {
  const head = useSession((state) => state.log.heads[hover.seq])
  const doubt = useSession((state) => doubtsOf(state.log).get(hover.seq))
  const event = useBody(hover.seq)
  const i = layout.indexBySeq[hover.seq] ?? -1
  if (!head || i < 0) return null
  const beneath = layout.childStart[i + 1]! - layout.childStart[i]!
  const above = layout.parent[i]!
  const left = Math.max(0, Math.min(width - WIDTH, hover.x + 14))
  const names = head.names?.join(', ')
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-20 rounded-md border bg-raised px-2.5 py-1.5 text-sm shadow-float"
      style={{ left, top: hover.y + 18, width: WIDTH }}
    >
      <div className="flex items-baseline gap-2">
        <KindLabel kind={kindOf(head)} />
        <span className="mono text-ink2">#{head.seq}</span>
        <span className="mono ml-auto">{exact(head.tokens)} tok</span>
      </div>
      {head.name && head.type === 'tool/result' ? <p className="mono m-0">{head.name}</p> : null}
      {names ? <p className="mono m-0 text-call-ink">calls {names}</p> : null}
      {beneath > 0 ? (
        <p className="m-0 text-ink2">
          replaced {exact(beneath)} {beneath === 1 ? 'node' : 'nodes'}
          {doubt ? <span className="text-summary-ink">: range {doubt}</span> : null}
        </p>
      ) : null}
      {above >= 0 ? <p className="m-0 text-ink2">under #{layout.seq[above]}</p> : null}
      {head.kind === 'error' ? <p className="m-0 text-err-ink">the tool failed</p> : null}
      {head.kind === 'interrupted' ? <p className="m-0 text-ink2">interrupted</p> : null}
      {event ? <p className="m-0 line-clamp-2 text-ink2">{previewOf(event)}</p> : null}
    </div>
  )
}
