'use client'

import { ChartNoAxesGantt, ListTree } from 'lucide-react'
import { useMemo, useState } from 'react'
import { IconButton } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Divider, Pane, Split } from '@/components/ui/split'
import { Segmented } from '@/components/ui/tabs'
import type { Seq } from '@/lib/core/event'
import type { Measure } from '@/lib/core/projections/strata'
import { useIsLive, useMoment, useSession } from '@/lib/state/hooks'
import { Detail } from '../detail/detail'
import { layoutAt } from '../shared/indexes'
import { Legend } from './legend'
import { rangeOf, seqsIn } from './range'
import { StrataCanvas } from './strata-canvas'
import { StrataList } from './strata-list'

const MEASURES: { value: Measure; label: string }[] = [
  { value: 'tokens', label: 'Tokens' },
  { value: 'count', label: 'Count' },
]

/** The picture of the session at the playhead, and under it what is selected. */
export function StrataPanel() {
  const log = useSession((state) => state.log)
  const moment = useMoment()
  const [measure, setMeasure] = useState<Measure>('tokens')
  const [asList, setAsList] = useState(false)
  const [chosen, setChosen] = useState<readonly Seq[] | null>(null)
  const layout = useMemo(() => layoutAt(log, moment, measure), [log, moment, measure])
  if (layout.count === 0) return <Nothing />
  // Nodes, not positions: what is said or pinned meanwhile leaves the range where it was.
  const range = chosen && rangeOf(layout, chosen)
  return (
    <Split id="strata-split" orientation="vertical" panes={['strata-picture', 'strata-detail']}>
      <Pane id="strata-picture" minSize="150px" defaultSize="54%">
        <div className="flex h-full min-h-0 flex-col gap-1.5 px-3.5 pb-1.5 pt-2.5">
          <div className="flex items-center gap-2">
            <Caption />
            <Segmented
              label="Width of a node"
              value={measure}
              options={MEASURES}
              onChange={(next: Measure) => setMeasure(next)}
            />
            <IconButton
              label={asList ? 'Show as a picture' : 'Show as a list'}
              aria-pressed={asList}
              onClick={() => setAsList(!asList)}
            >
              {asList ? <ChartNoAxesGantt size={15} /> : <ListTree size={15} />}
            </IconButton>
          </div>
          <div className="min-h-0 flex-1">
            {asList ? (
              <StrataList layout={layout} />
            ) : (
              <StrataCanvas
                layout={layout}
                range={range}
                onRange={(next) => setChosen(next && seqsIn(layout, next))}
              />
            )}
          </div>
          <Legend />
        </div>
      </Pane>
      <Divider label="Height of the picture" vertical />
      <Pane id="strata-detail" minSize="90px">
        <Detail />
      </Pane>
    </Split>
  )
}

function Caption() {
  const live = useIsLive()
  const moment = useMoment()
  return (
    <p className="m-0 min-w-0 flex-1 truncate text-xs text-ink2">
      <b className="font-semibold text-ink">
        {live ? 'What the model sees' : `What the model saw at #${moment}`}
      </b>{' '}
      on top; what each node replaced beneath it
    </p>
  )
}

function Nothing() {
  return (
    <EmptyState title="Nothing written yet">
      Every message will lie here as a block. When older ones are compacted, they stay, one layer
      down.
    </EmptyState>
  )
}
