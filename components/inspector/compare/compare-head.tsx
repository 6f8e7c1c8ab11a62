'use client'

import { ArrowRight } from 'lucide-react'
import { markLabel } from '@/components/time/geometry'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/field'
import { exact, short } from '@/components/ui/format'
import type { Seq } from '@/lib/core/event'
import { useActions, useMoment, useSession } from '@/lib/state/hooks'
import { SeqLink } from '../shared/seq-link'

/** Which two moments, how to choose others, and the totals. */
export function CompareHead({ before }: { before: Seq | null }) {
  const { setCompare, setPlayhead } = useActions()
  const timeline = useSession((state) => state.timeline)
  const newest = useSession((state) => state.version - 1)
  const after = useMoment()
  const changes = timeline.marks.filter((mark) => mark.count > 0 && mark.from > 0)
  const here = changes.findIndex((mark) => mark.from - 1 === before && mark.to === after)
  const go = (index: number) => {
    const mark = changes[index]
    if (!mark) return
    setCompare(mark.from - 1)
    setPlayhead(mark.to === newest ? null : mark.to)
  }
  return (
    <div className="flex flex-col gap-2 border-b px-3.5 py-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <span className="inline-flex items-center gap-1.5 font-semibold">
          {before === null ? <span className="text-ink2">a moment</span> : <SeqLink seq={before} />}
          <ArrowRight size={13} aria-label="to" className="text-ink3" />
          <SeqLink seq={after} />
        </span>
        <Select
          aria-label="Before and after a compaction"
          className="w-auto min-w-0 max-w-64"
          value={here < 0 ? '' : String(here)}
          onChange={(event) => go(Number(event.target.value))}
        >
          <option value="" disabled>
            {changes.length === 0 ? 'nothing was compacted yet' : 'before and after…'}
          </option>
          {changes.map((mark, i) => (
            <option key={mark.seq} value={i}>
              {markLabel(mark)} #{mark.seq}: {short(mark.before)} → {short(mark.after)}
            </option>
          ))}
        </Select>
        <Button size="sm" onClick={() => setCompare(after)}>
          Keep #{after} as the earlier
        </Button>
        {before === null ? null : (
          <Button
            size="sm"
            onClick={() => {
              setPlayhead(before === newest ? null : before)
              setCompare(after)
            }}
          >
            Swap
          </Button>
        )}
      </div>
      {before === null || before > newest ? null : <Effect before={before} after={after} />}
    </div>
  )
}

/** Tokens of the window then and now, as in the review of a draft. */
function Effect({ before, after }: { before: Seq; after: Seq }) {
  const total = useSession((state) => state.timeline.total)
  const was = before < 0 ? 0 : (total[before] ?? 0)
  const is = after < 0 ? 0 : (total[after] ?? 0)
  const most = Math.max(was, is, 1)
  const saved = was - is
  return (
    <div>
      <p className="mono m-0 mb-1 text-ink2">
        window {exact(was)} → {exact(is)} tok ·{' '}
        {saved === 0 ? 'no change' : `${exact(Math.abs(saved))} ${saved > 0 ? 'less' : 'more'}`}
      </p>
      <div aria-hidden="true" className="flex flex-col gap-0.5">
        <span
          className="figure hatch block h-1.5 rounded-full bg-result/40"
          style={{ width: `${(was / most) * 100}%` }}
        />
        <span
          className="figure block h-1.5 rounded-full bg-summary"
          style={{ width: `${(is / most) * 100}%` }}
        />
      </div>
    </div>
  )
}
