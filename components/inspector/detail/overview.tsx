'use client'

import { markLabel } from '@/components/time/geometry'
import { count, exact, short } from '@/components/ui/format'
import { Fact, Facts } from '@/components/ui/panel'
import type { Seq } from '@/lib/core/event'
import { isSummary } from '@/lib/core/projections/timeline'
import { useActions, useMoment, useSession } from '@/lib/state/hooks'
import { layoutAt, pinnedAt } from '../shared/indexes'
import { SeqLink } from '../shared/seq-link'
import { useSettled } from '../shared/use-settled'

/** The whole moment in a few lines, while nothing is selected. */
export function Overview() {
  const log = useSession((state) => state.log)
  const moment = useMoment()
  const settled = useSettled(moment)
  const layout = layoutAt(log, moment, 'tokens')
  const top = layout.rowStart[1] ?? 0
  const pins = [...pinnedAt(log, moment)]
  return (
    <section
      aria-label="This moment"
      data-testid="overview"
      className="flex h-full min-h-0 flex-col gap-3 overflow-y-auto px-3.5 py-2.5"
    >
      <Facts>
        <Fact name="Surface">
          {count(top, 'node')} · <span className="mono">{exact(layout.tokens.top)} tok</span>
        </Fact>
        <Fact name="Beneath">
          {layout.count === top ? (
            'nothing yet'
          ) : (
            <>
              {count(layout.count - top, 'node')} in {count(layout.rows - 1, 'layer')} ·{' '}
              <span className="mono">{exact(layout.tokens.beneath)} tok</span>
            </>
          )}
        </Fact>
        {pins.length > 0 ? (
          <Fact name="Pinned">
            {pins.slice(0, 12).map((seq) => (
              <SeqLink key={seq} seq={seq} className="mr-2" />
            ))}
          </Fact>
        ) : null}
        {layout.ghosts.length > 0 ? (
          <Fact name="Lifted off">
            {layout.ghosts.map((ghost) => (
              <SeqLink key={ghost.seq} seq={ghost.seq} className="mr-2" />
            ))}
          </Fact>
        ) : null}
      </Facts>
      <Summaries at={settled} />
      <p className="m-0 text-ink2">
        Click a block to read it, drag along the top row to choose a range, double-click to go in.
      </p>
    </section>
  )
}

/** As many as anyone reads; older ones lie in the picture. */
const SHOWN = 40

/** Summaries landed by now, newest first: a table of contents of the layers. */
function Summaries({ at }: { at: Seq }) {
  const timeline = useSession((state) => state.timeline)
  const { select } = useActions()
  const landed = timeline.marks.filter((mark) => isSummary(mark) && mark.seq <= at).reverse()
  if (landed.length === 0) return null
  return (
    <ul aria-label="Summaries" className="m-0 flex list-none flex-col p-0">
      {landed.slice(0, SHOWN).map((mark) => (
        <li key={mark.seq}>
          <button
            type="button"
            onClick={() => select(mark.seq)}
            className="flex w-full items-center gap-2.5 rounded-sm px-1.5 py-1 text-left hover:bg-hover"
          >
            <span className="min-w-24 shrink-0 whitespace-nowrap text-summary-ink">
              summary #{mark.seq}
            </span>
            <span className="w-14 shrink-0 truncate text-ink2">{markLabel(mark)}</span>
            <span
              aria-hidden="true"
              className="figure relative h-1.5 min-w-4 flex-1 rounded-full bg-hover"
            >
              <span
                className="hatch absolute inset-y-0 left-0 rounded-full"
                style={{ width: `${(mark.before / Math.max(1, timeline.peak)) * 100}%` }}
              />
              <span
                className="absolute inset-y-0 left-0 rounded-full bg-summary"
                style={{ width: `${(mark.after / Math.max(1, timeline.peak)) * 100}%` }}
              />
            </span>
            <span className="mono min-w-26 shrink-0 whitespace-nowrap text-right text-ink2">
              {short(mark.before)} → {short(mark.after)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
