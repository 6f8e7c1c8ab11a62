'use client'

import { Pin } from 'lucide-react'
import { surfaceNodes } from '@/lib/core/log'
import { useActions, useReading, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { count, exact } from '../ui/format'

const SHOWN = 5

/** What no compaction takes because it is pinned, with its cost (K1); nothing where nothing is. */
export function Pins() {
  const { select, setPins } = useActions()
  const log = useSession((state) => state.log)
  const pins = useSession((state) => state.log.state.pins)
  const writer = useSession((state) => state.role === 'writer')
  const { scale } = useReading()
  if (pins.size === 0) return null
  const seqs = surfaceNodes(log).filter((seq) => pins.has(seq))
  const estimate = seqs.reduce((sum, seq) => sum + log.heads[seq]!.tokens, 0)
  // In the provider's measure, like everything beside it (M2).
  const tokens = scale * estimate
  if (seqs.length === 0) return null
  return (
    <section aria-label="Pinned" className="flex items-baseline gap-2 border-t pt-2.5 text-ink2">
      <Pin size={11} aria-hidden="true" className="shrink-0 fill-current" />
      <p className="m-0 min-w-0 flex-1">
        {count(seqs.length, 'pinned message')}, <span className="mono">{exact(tokens)} tok</span>:{' '}
        {seqs.slice(0, SHOWN).map((seq) => (
          <button
            key={seq}
            type="button"
            aria-label={`Select #${seq}`}
            className="mono mr-1.5 hover:text-ink hover:underline"
            onClick={() => select(seq)}
          >
            #{seq}
          </button>
        ))}
        {seqs.length > SHOWN ? `and ${seqs.length - SHOWN} more` : null}
      </p>
      {writer ? (
        <Button size="sm" onClick={() => void setPins(seqs, false)}>
          Unpin all
        </Button>
      ) : null}
    </section>
  )
}

/** Says that the tools are left out, and puts them back. */
export function ToolsOff() {
  const { setTools } = useActions()
  const isOff = useSession((state) => state.toolsOff)
  if (!isOff) return null
  return (
    <p className="m-0 flex items-center gap-2 border-t pt-2.5 text-ink2">
      <span className="min-w-0 flex-1">Tool definitions are left out of the requests.</span>
      <Button size="sm" onClick={() => setTools(true)}>
        Put them back
      </Button>
    </p>
  )
}
