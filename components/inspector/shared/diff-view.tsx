'use client'

import { useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { count } from '@/components/ui/format'
import { plainName } from '@/components/ui/name'
import { countChanges, type DiffRow, diffRows } from './diff-rows'

const PIECE = 400

const LOOK = {
  same: { sign: ' ', row: '', name: '' },
  gone: { sign: '−', row: 'bg-err-soft', name: 'removed' },
  came: { sign: '+', row: 'bg-assistant-soft', name: 'added' },
} as const

/** Two texts, line by line: what went, what came. */
export function DiffView({
  before,
  after,
  label,
}: {
  before: string
  after: string
  label: string
}) {
  const rows = useMemo(() => diffRows(before, after), [before, after])
  const [shown, setShown] = useState(PIECE)
  if (!rows) return <p className="m-0 text-ink2">These texts are too long to compare here.</p>
  const { gone, came } = countChanges(rows)
  if (gone === 0 && came === 0) return <p className="m-0 text-ink2">No difference.</p>
  return (
    <section aria-label={plainName(label)} className="min-w-0">
      <p className="mono m-0 mb-1.5 text-ink2">
        <span className="text-err-ink">−{gone}</span>{' '}
        <span className="text-assistant-ink">+{came}</span> lines
      </p>
      <div className="mono overflow-x-auto rounded-md border bg-paper py-1">
        {rows.slice(0, shown).map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of one diff never move
          <Line key={i} row={row} />
        ))}
      </div>
      {rows.length > shown ? (
        <Button size="sm" className="mt-1.5" onClick={() => setShown(shown + PIECE * 5)}>
          Show {count(Math.min(PIECE * 5, rows.length - shown), 'more line')}
        </Button>
      ) : null}
    </section>
  )
}

function Line({ row }: { row: DiffRow }) {
  if (row.kind === 'fold')
    return <div className="px-2 py-0.5 text-ink3">⋯ {count(row.lines, 'line')} unchanged</div>
  const look = LOOK[row.kind]
  return (
    <div className={cx('flex min-w-fit px-2', look.row)}>
      <span className="w-8 shrink-0 select-none pr-2 text-right text-ink3">
        {row.after ?? row.before}
      </span>
      <span className="w-3.5 shrink-0 select-none">
        <span aria-hidden="true">{look.sign}</span>
        {look.name ? <span className="sr-only">{look.name}</span> : null}
      </span>
      <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">{row.text || ' '}</span>
    </div>
  )
}
