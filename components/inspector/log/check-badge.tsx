'use client'

import { CircleCheck, TriangleAlert } from 'lucide-react'
import { count, exact } from '@/components/ui/format'
import { Popover } from '@/components/ui/popover'
import { Spinner } from '@/components/ui/spinner'
import { SeqLink } from '../shared/seq-link'
import { useCheck } from './use-check'

/** What the log breaks, or that it breaks nothing (K4). */
export function CheckBadge() {
  const check = useCheck()
  if (check.state === 'running')
    return (
      <span className="inline-flex items-center gap-1.5 text-ink2" data-check="running">
        <Spinner /> checking {exact(check.checked)} of {exact(check.total)}
      </span>
    )
  if (check.violations.length === 0)
    return (
      <span
        className="inline-flex items-center gap-1.5 text-assistant-ink"
        data-check="clean"
        title="Every rule about logs holds for every event"
      >
        <CircleCheck size={13} /> check: clean
      </span>
    )
  return (
    <Popover
      label="What the log breaks"
      align="end"
      className="w-96"
      trigger={
        <button
          type="button"
          data-check="violations"
          className="inline-flex items-center gap-1.5 rounded-sm text-err-ink underline-offset-2 hover:underline"
        >
          <TriangleAlert size={13} /> check: {count(check.violations.length, 'violation')}
        </button>
      }
    >
      <ul className="m-0 flex max-h-80 list-none flex-col gap-1.5 overflow-y-auto p-0">
        {check.violations.slice(0, 200).map(({ rule, seq, message }) => (
          <li key={`${rule} ${seq} ${message}`} className="flex gap-2">
            <b className="mono shrink-0 font-semibold">{rule}</b>
            {seq < 0 ? <span className="mono">header</span> : <SeqLink seq={seq} />}
            <span className="min-w-0 text-ink2">{message}</span>
          </li>
        ))}
        {check.violations.length > 200 ? (
          <li className="text-ink2">and {exact(check.violations.length - 200)} more</li>
        ) : null}
      </ul>
    </Popover>
  )
}
