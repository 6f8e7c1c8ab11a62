'use client'

import { Pin } from 'lucide-react'
import { KindMark } from '@/components/ui/kind-mark'
import { KINDS, type Kind } from '@/components/ui/kinds'
import { useSession } from '@/lib/state/hooks'
import { doubtsOf } from '../shared/indexes'

const SHOWN: Kind[] = ['user', 'assistant', 'call', 'result', 'summary', 'pruned']

/** Colours, shapes and marks in words. */
export function Legend() {
  const doubtful = useSession((state) => doubtsOf(state.log).size > 0)
  return (
    <ul
      aria-label="Legend"
      className="m-0 flex shrink-0 list-none flex-wrap gap-x-3 gap-y-0.5 p-0 text-xs text-ink2"
    >
      {SHOWN.map((kind) => (
        <li key={kind} className="inline-flex items-center gap-1.5">
          <KindMark kind={kind} />
          {KINDS[kind].label}
        </li>
      ))}
      <li className="inline-flex items-center gap-1.5">
        <KindMark kind="error" />
        failed
      </li>
      <li className="inline-flex items-center gap-1">
        <Pin size={10} className="fill-current" />
        pinned
      </li>
      {doubtful ? (
        <li className="inline-flex items-center gap-1.5" data-testid="legend-doubt">
          <span
            aria-hidden="true"
            className="hatch h-2.5 w-4 border border-dashed border-summary"
          />
          range not exact
        </li>
      ) : null}
    </ul>
  )
}
