'use client'

import { useMemo, useState } from 'react'
import { EmptyState } from '@/components/ui/empty-state'
import { Divider, Pane, Split } from '@/components/ui/split'
import { useActions, useApp, useMoment, useSession } from '@/lib/state/hooks'
import { VirtualRows } from '../shared/virtual-rows'
import { CompareHead } from './compare-head'
import { ComparisonRow } from './compare-row'
import { compareMoments, compareRows } from './moments'
import { Sides } from './sides'

/** Two moments: the one set for comparison and the playhead. */
export function ComparePanel() {
  const before = useApp((state) => state.view.compare)
  const version = useSession((state) => state.version)
  if (version === 0)
    return (
      <EmptyState title="Nothing to compare yet">
        Two moments of a session stand here side by side: what left, what came, what stayed.
      </EmptyState>
    )
  return (
    <div
      className="flex h-full min-h-0 flex-col"
      data-testid="compare"
      data-before={before ?? undefined}
    >
      <CompareHead before={before} />
      <div className="min-h-0 flex-1">
        {before === null || before >= version ? (
          <EmptyState title="Choose a moment to compare with">
            Take a compaction from the list, or keep this moment and move the playhead.
          </EmptyState>
        ) : (
          <Between before={before} />
        )}
      </div>
    </div>
  )
}

function Between({ before }: { before: number }) {
  const log = useSession((state) => state.log)
  const after = useMoment()
  const selected = useApp((state) => state.view.node)
  const { select } = useActions()
  const [kept, setKept] = useState(false)
  const comparison = useMemo(() => compareMoments(log, before, after), [log, before, after])
  const rows = useMemo(
    () => compareRows(comparison, (seq) => log.heads[seq]!.tokens, kept),
    [comparison, log, kept],
  )
  const replacements = comparison.came.filter((seq) => log.history.shadowsOf(seq).length > 0)
  const chosen =
    selected !== null && [...comparison.came, ...comparison.gone].includes(selected)
      ? selected
      : (replacements[0] ?? null)
  return (
    <Split id="compare-split" orientation="vertical" panes={['compare-changes', 'compare-sides']}>
      <Pane id="compare-changes" minSize="120px" defaultSize="46%">
        <VirtualRows
          role="list"
          label="What changed"
          count={rows.length}
          estimate={27}
          keyOf={(i) => {
            const row = rows[i]!
            return row.row === 'title' ? row.title : row.seq
          }}
          active={rows.findIndex((row) => row.row === 'node' && row.seq === chosen)}
          isStop={(i) => rows[i]!.row === 'node'}
          onActive={(i) => {
            const row = rows[i]!
            if (row.row === 'node') select(row.seq)
          }}
          className="px-2 pb-2"
        >
          {(i, props) => (
            <ComparisonRow
              row={rows[i]!}
              props={props}
              chosen={chosen}
              keptShown={kept}
              onKept={() => setKept(!kept)}
            />
          )}
        </VirtualRows>
      </Pane>
      <Divider label="Height of the changes" vertical />
      <Pane id="compare-sides" minSize="120px">
        <Sides seq={chosen} comparison={comparison} before={before} after={after} />
      </Pane>
    </Split>
  )
}
