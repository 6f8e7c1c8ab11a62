'use client'

import { Pin } from 'lucide-react'
import { useMemo } from 'react'
import { RegionHere } from '@/components/review/region-bar'
import { useChooseRegion, useRegionSeqs } from '@/components/review/use-region'
import { cx } from '@/components/ui/cx'
import { EmptyState } from '@/components/ui/empty-state'
import { count, exact } from '@/components/ui/format'
import { KindLabel } from '@/components/ui/kind-mark'
import { kindOf } from '@/components/ui/kinds'
import { Divider, Pane, Split } from '@/components/ui/split'
import type { Seq } from '@/lib/core/event'
import { nodesOf } from '@/lib/core/surface'
import {
  useActions,
  useApp,
  useBody,
  useIsLive,
  useMoment,
  useReading,
  useSession,
} from '@/lib/state/hooks'
import { Detail } from '../detail/detail'
import { nodeOf, pinnedAt } from '../shared/indexes'
import { type RowProps, VirtualRows } from '../shared/virtual-rows'
import { previewOf } from '../shared/words'

/** The nodes the model sees at the playhead, in order. */
export function SurfacePanel() {
  const log = useSession((state) => state.log)
  const moment = useMoment()
  const chosen = useApp((state) => state.view.node)
  const selected = chosen === null ? null : nodeOf(log, chosen)
  const { select } = useActions()
  const nodes = useMemo(
    () => (moment < 0 ? [] : nodesOf(log.history.surfaceAt(moment))),
    [log, moment],
  )
  const pins = useMemo(() => pinnedAt(log, moment), [log, moment])
  const region = useRegionSeqs()
  const choose = useChooseRegion()
  if (nodes.length === 0)
    return (
      <EmptyState title="The surface is empty">
        Here is what the next request would carry: every message the model still sees.
      </EmptyState>
    )
  return (
    <Split id="surface-split" orientation="vertical" panes={['surface-nodes', 'surface-detail']}>
      <Pane id="surface-nodes" minSize="120px" defaultSize="62%">
        <div className="flex h-full min-h-0 flex-col" data-testid="surface" data-at={moment}>
          <Totals nodes={nodes} />
          <RegionHere />
          <VirtualRows
            role="listbox"
            label="Nodes on the surface"
            count={nodes.length}
            estimate={28}
            keyOf={(i) => nodes[i]!}
            active={selected === null ? -1 : nodes.indexOf(selected)}
            onActive={(i) => select(nodes[i]!)}
            onKey={(event, i) => {
              const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
              const edge = nodes[i + (step ?? 0)]
              if (!event.shiftKey || !step || edge === undefined) return false
              choose(nodes[i]!, edge)
              select(edge)
              return true
            }}
            className="px-2 pb-2"
          >
            {(i, props) => (
              <SurfaceRow
                seq={nodes[i]!}
                props={props}
                selected={nodes[i] === selected}
                pinned={pins.has(nodes[i]!)}
                position={i + 1}
                size={nodes.length}
                inRegion={region.has(nodes[i]!)}
              />
            )}
          </VirtualRows>
        </div>
      </Pane>
      <Divider label="Height of the surface" vertical />
      <Pane id="surface-detail" minSize="90px">
        <Detail />
      </Pane>
    </Split>
  )
}

const KNOWN = {
  measured: 'measured',
  mixed: 'measured, changes estimated',
  estimated: 'estimated',
} as const

function Totals({ nodes }: { nodes: readonly Seq[] }) {
  const reading = useReading()
  const live = useIsLive()
  const moment = useMoment()
  const { parts } = reading
  const messages = reading.total - parts.system - parts.tools
  return (
    <p className="m-0 flex flex-wrap items-baseline gap-x-3 px-3.5 py-2.5 text-ink2">
      <b className="font-semibold text-ink" data-testid="surface-count">
        {count(nodes.length, 'node')}
        {live ? '' : ` at #${moment}`}
      </b>
      <span className="mono whitespace-nowrap">{exact(messages)} tok in messages</span>
      <span className="mono">
        + {exact(parts.system)} system + {exact(parts.tools)} tools = {exact(reading.total)}
      </span>
      <span className="whitespace-nowrap">{KNOWN[reading.kind]}</span>
    </p>
  )
}

function SurfaceRow({
  seq,
  props,
  selected,
  pinned,
  position,
  size,
  inRegion,
}: {
  seq: Seq
  props: RowProps
  selected: boolean
  pinned: boolean
  position: number
  size: number
  inRegion: boolean
}) {
  const chosen = useApp((state) => state.view.node)
  const choose = useChooseRegion()
  const { select } = useActions()
  const head = useSession((state) => state.log.heads[seq])
  const shadows = useSession((state) => state.log.history.shadowsOf(seq).length)
  const event = useBody(seq)
  if (!head) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys for all its options
    <div
      tabIndex={props.tabIndex}
      data-row={props['data-row']}
      role="option"
      aria-selected={selected}
      aria-setsize={size}
      aria-posinset={position}
      data-seq={seq}
      onClick={(event) => {
        if (event.shiftKey) choose(chosen ?? seq, seq)
        else select(seq)
      }}
      data-region={inRegion || undefined}
      className={cx(
        'flex h-full cursor-default items-center gap-2.5 rounded-sm px-1.5 outline-offset-[-2px]',
        selected ? 'bg-active' : inRegion ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <span className="mono min-w-9 shrink-0 text-right text-ink2">#{seq}</span>
      <span className="w-24 shrink-0">
        <KindLabel kind={kindOf(head)} />
      </span>
      <span className="mono min-w-0 flex-1 truncate text-ink2">
        {head.blank ? 'without content: sends nothing' : event ? previewOf(event) : ''}
      </span>
      {pinned ? <Pin size={11} aria-label="pinned" className="shrink-0 fill-current" /> : null}
      {head.kind === 'error' ? <span className="shrink-0 text-err-ink">failed</span> : null}
      {shadows > 0 ? (
        <span className="mono shrink-0 text-ink2" title={`Replaced ${count(shadows, 'node')}`}>
          over {exact(shadows)}
        </span>
      ) : null}
      <span className="mono w-13 shrink-0 text-right">{exact(head.tokens)}</span>
    </div>
  )
}
