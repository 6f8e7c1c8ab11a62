'use client'

import { useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { EmptyState } from '@/components/ui/empty-state'
import { count, exact, firstLine } from '@/components/ui/format'
import { Name, plainName } from '@/components/ui/name'
import { Spinner } from '@/components/ui/spinner'
import type { Seq } from '@/lib/core/event'
import type { Fate, Trace } from '@/lib/core/facts-trace'
import { SeqLink } from '../shared/seq-link'
import { type RowProps, VirtualRows } from '../shared/virtual-rows'
import { FIRST_NODES, useFacts } from './use-facts'

const FATES: readonly { fate: Fate; title: string; sign: string; tone: string }[] = [
  { fate: 'lost', title: 'Lost', sign: '−', tone: 'text-err-ink' },
  { fate: 'changed', title: 'Changed', sign: '≈', tone: 'text-result-ink' },
  { fate: 'kept', title: 'Kept', sign: '=', tone: 'text-assistant-ink' },
]
type FateLook = (typeof FATES)[number]
type Row = { title: FateLook; count: number } | { trace: Trace; look: FateLook }

/** Facts of what was shadowed, and whether what stands in its place still has them. */
export function Facts({ nodes, text }: { nodes: readonly Seq[]; text: string | null }) {
  const [most, setMost] = useState(FIRST_NODES)
  const [active, setActive] = useState(-1)
  const { read, total, traces } = useFacts(nodes, text, most)
  const rows = useMemo(() => rowsOf(traces ?? []), [traces])
  if (traces === null)
    return (
      <p className="m-0 flex items-center gap-2 p-3.5 text-ink2">
        <Spinner /> Looking for facts: {exact(read)} of {count(Math.min(total, most), 'node')}
      </p>
    )
  if (traces.length === 0)
    return (
      <EmptyState title="No facts found">
        Paths, names, numbers, versions, errors and instructions are looked for.
      </EmptyState>
    )
  return (
    <div className="flex h-full min-h-0 flex-col" data-testid="facts" data-facts={traces.length}>
      {total > most ? (
        <p className="m-0 flex items-center gap-2 px-1.5 pb-1 text-ink2">
          The first {exact(most)} of {count(total, 'node')}.
          <Button size="sm" onClick={() => setMost(most * 4)}>
            Look further
          </Button>
        </p>
      ) : null}
      <VirtualRows
        role="list"
        label="Facts and what became of them"
        count={rows.length}
        estimate={26}
        keyOf={(i) => i}
        active={active}
        onActive={setActive}
      >
        {(i, props) => <FactRow row={rows[i]!} props={props} />}
      </VirtualRows>
    </div>
  )
}

function rowsOf(traces: readonly Trace[]): Row[] {
  return FATES.flatMap((look): Row[] => {
    const those = traces.filter(({ fate }) => fate === look.fate)
    return [{ title: look, count: those.length }, ...those.map((trace) => ({ trace, look }))]
  })
}

function FactRow({ row, props }: { row: Row; props: RowProps }) {
  if ('title' in row)
    return (
      <h3
        {...props}
        data-fate={row.title.fate}
        data-count={row.count}
        className={cx(
          'm-0 flex h-full items-end gap-2 border-b px-1 pb-0.5 text-xs font-semibold',
          row.title.tone,
        )}
      >
        {row.title.title}
        <span className="font-normal text-ink2">{count(row.count, 'fact')}</span>
      </h3>
    )
  const { fact, fate, now } = row.trace
  return (
    <div
      {...props}
      className="flex h-full items-center gap-2 rounded-sm px-1 outline-offset-[-2px] hover:bg-hover"
    >
      <span aria-hidden="true" className={cx('mono w-3 shrink-0 font-semibold', row.look.tone)}>
        {row.look.sign}
      </span>
      <span className="w-20 shrink-0 truncate text-ink2">{fact.kind}</span>
      <span className="mono min-w-0 flex-1 truncate" title={plainName(fact.text)}>
        <Name>{firstLine(fact.text)}</Name>
        {fate === 'changed' && now ? (
          <span className="text-ink2">
            {' → '}
            <Name>{firstLine(now)}</Name>
          </span>
        ) : null}
      </span>
      <SeqLink seq={fact.seq} className="shrink-0" />
    </div>
  )
}
