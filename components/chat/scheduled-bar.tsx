'use client'

import { Shrink } from 'lucide-react'
import { useActions, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'

/** A compaction asked for while a step runs: when it will begin, and the way to take it back (C4). */
export function ScheduledBar() {
  const isWaiting = useSession((state) => state.live.compaction?.waiting === true)
  const writer = useSession((state) => state.role === 'writer')
  const { cancelCompaction } = useActions()
  if (!isWaiting) return null
  return (
    <section
      aria-label="Compaction asked for"
      className="mb-2 flex items-center gap-2 rounded-lg border border-summary bg-summary-soft py-1 pl-3 pr-1.5"
    >
      <Shrink size={13} className="shrink-0 text-summary-ink" aria-hidden="true" />
      <p role="status" className="m-0 min-w-0 flex-1">
        Compaction begins when this step has ended.
      </p>
      <Button size="sm" disabled={!writer} onClick={cancelCompaction}>
        Take it back
      </Button>
    </section>
  )
}
