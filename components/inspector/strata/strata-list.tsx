'use client'

import { ChevronRight, Pin } from 'lucide-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { cx } from '@/components/ui/cx'
import { exact } from '@/components/ui/format'
import { KindMark } from '@/components/ui/kind-mark'
import { KINDS, kindOf } from '@/components/ui/kinds'
import type { Seq } from '@/lib/core/event'
import type { StrataLayout } from '@/lib/core/projections/strata-layout'
import { useActions, useApp, useBody, useSession } from '@/lib/state/hooks'
import { doubtsOf, nodeOf, pinnedAt } from '../shared/indexes'
import { type RowProps, VirtualRows } from '../shared/virtual-rows'
import { previewOf } from '../shared/words'
import { ancestors, flatten, type TreeRow } from './flatten'
import { titleOf } from './labels'

/** The same forest as the picture, as a tree to read and walk. */
export function StrataList({ layout }: { layout: StrataLayout }) {
  const log = useSession((state) => state.log)
  const chosen = useApp((state) => state.view.node)
  const selected = chosen === null ? null : nodeOf(log, chosen)
  const { select } = useActions()
  const [opened, setOpened] = useState<ReadonlySet<Seq>>(() => new Set())
  const at = selected === null ? -1 : (layout.indexBySeq[selected] ?? -1)
  const open = useMemo(
    () => new Set(at < 0 ? opened : [...opened, ...ancestors(layout, at)]),
    [opened, layout, at],
  )
  const rows = useMemo(() => flatten(layout, open), [layout, open])
  const pins = useMemo(() => pinnedAt(log, layout.at), [log, layout.at])
  const toggle = (row: TreeRow, wanted = !row.open) => {
    const next = new Set(open)
    if (wanted) next.add(row.seq)
    else next.delete(row.seq)
    setOpened(next)
  }
  const onKey = (event: KeyboardEvent, index: number): boolean => {
    const row = rows[index]
    if (!row) return false
    if (event.key === 'ArrowRight' && row.children > 0 && !row.open) toggle(row, true)
    else if (event.key === 'ArrowLeft' && row.open) toggle(row, false)
    else if (event.key === 'ArrowLeft' && layout.parent[row.index]! >= 0)
      select(layout.seq[layout.parent[row.index]!]!)
    else if (event.key === 'Enter' || event.key === ' ') select(row.seq)
    else return false
    return true
  }
  return (
    <VirtualRows
      role="tree"
      label="Strata as a list"
      count={rows.length}
      estimate={26}
      keyOf={(i) => rows[i]!.seq}
      active={rows.findIndex((row) => row.seq === selected)}
      onActive={(i) => select(rows[i]!.seq)}
      onKey={onKey}
    >
      {(i, props) => (
        <Row
          row={rows[i]!}
          props={props}
          selected={rows[i]!.seq === selected}
          pinned={pins.has(rows[i]!.seq)}
          onToggle={() => toggle(rows[i]!)}
        />
      )}
    </VirtualRows>
  )
}

function Row({
  row,
  props,
  selected,
  pinned,
  onToggle,
}: {
  row: TreeRow
  props: RowProps
  selected: boolean
  pinned: boolean
  onToggle(): void
}) {
  const { select } = useActions()
  const head = useSession((state) => state.log.heads[row.seq])
  const doubt = useSession((state) => doubtsOf(state.log).get(row.seq))
  const event = useBody(row.seq)
  if (!head) return null
  const kind = kindOf(head)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys for all its items
    <div
      tabIndex={props.tabIndex}
      data-row={props['data-row']}
      role="treeitem"
      aria-level={row.level}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      aria-expanded={row.children > 0 ? row.open : undefined}
      aria-selected={selected}
      data-seq={row.seq}
      onClick={() => select(row.seq)}
      className={cx(
        'flex h-full cursor-default items-center gap-2 rounded-sm pr-2 outline-offset-[-2px]',
        selected ? 'bg-active' : 'hover:bg-hover',
      )}
      style={{ paddingLeft: 4 + (row.level - 1) * 16 }}
    >
      <span
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation()
          if (row.children > 0) onToggle()
        }}
        className="grid size-4 shrink-0 place-items-center text-ink3"
      >
        {row.children > 0 ? (
          <ChevronRight size={12} className={row.open ? 'rotate-90' : undefined} />
        ) : null}
      </span>
      <KindMark kind={kind} />
      <span className={cx('shrink-0', KINDS[kind].text)}>{titleOf(head)}</span>
      {doubt ? <span className="shrink-0 text-summary-ink">range {doubt}</span> : null}
      {pinned ? <Pin size={11} aria-label="pinned" className="shrink-0 fill-current" /> : null}
      {head.kind === 'error' ? <span className="shrink-0 text-err-ink">failed</span> : null}
      <span className="mono min-w-0 flex-1 truncate text-ink2">
        {event ? previewOf(event) : ''}
      </span>
      {row.children > 0 ? (
        <span className="mono shrink-0 text-ink2">over {exact(row.children)}</span>
      ) : null}
      <span className="mono w-14 shrink-0 text-right">{exact(head.tokens)}</span>
      <span className="mono min-w-11 shrink-0 text-right text-ink2">#{row.seq}</span>
    </div>
  )
}
