'use client'

import { useState } from 'react'
import { useBody, useSession } from '@/lib/state/hooks'
import { type RowProps, VirtualRows } from '../inspector/shared/virtual-rows'
import { previewOf } from '../inspector/shared/words'
import { cx } from '../ui/cx'
import { exact } from '../ui/format'
import { KindLabel } from '../ui/kind-mark'
import { kindOf } from '../ui/kinds'
import { SectionTitle } from '../ui/panel'
import type { Kept, PlanRow } from './plan'

const STAYS: Record<Kept, string> = {
  pinned: 'pinned, stays',
  restored: 'restored, stays',
  newest: 'newest, stays',
  little: 'too little, stays',
}

/** Every node of the span in surface order; those that stay are faded and say why. */
export function ShadowList({ rows, tokens }: { rows: readonly PlanRow[]; tokens: number }) {
  const [active, setActive] = useState(-1)
  return (
    <section aria-label="Will be shadowed" className="flex h-full min-h-0 flex-col">
      <div className="px-4 pt-2.5">
        <SectionTitle tall aside={<span className="mono">{exact(tokens)} tok</span>}>
          Will be shadowed
        </SectionTitle>
      </div>
      <VirtualRows
        role="list"
        label="Nodes that will be shadowed"
        count={rows.length}
        estimate={27}
        keyOf={(i) => rows[i]!.seq}
        active={active}
        onActive={setActive}
        className="px-4 pb-3"
      >
        {(i, props) => <ShadowRow row={rows[i]!} props={props} />}
      </VirtualRows>
    </section>
  )
}

function ShadowRow({ row, props }: { row: PlanRow; props: RowProps }) {
  const head = useSession((state) => state.log.heads[row.seq])
  const event = useBody(row.seq)
  if (!head) return null
  return (
    <div
      {...props}
      data-seq={row.seq}
      data-kept={row.kept ?? undefined}
      className={cx(
        'flex h-full items-center gap-2 border-b outline-offset-[-2px]',
        row.kept && 'faded',
      )}
    >
      <span className="mono w-9 shrink-0 text-ink3">#{row.seq}</span>
      <span className="w-23 shrink-0 overflow-hidden">
        <KindLabel kind={kindOf(head)} />
      </span>
      <span className="mono min-w-0 flex-1 truncate">
        {row.kept ? STAYS[row.kept] : event ? previewOf(event) : ''}
      </span>
      <span className="mono w-12 shrink-0 text-right text-ink2">{exact(head.tokens)}</span>
    </div>
  )
}
