'use client'

import { Copy, Pin, Shrink, X } from 'lucide-react'
import { useState } from 'react'
import type { Seq } from '@/lib/core/event'
import { useActions, useAppInstance, useSession } from '@/lib/state/hooks'
import { readBodies } from '../inspector/shared/bodies'
import { plainText } from '../inspector/shared/words'
import { Button, IconButton } from '../ui/button'
import { count, exact, short } from '../ui/format'
import type { Plan } from './plan'
import { askCompact } from './review-store'

/** What a chosen region is, and what can be done with it: compact, pin, copy (K1, C16). */
export function RegionActions({ plan, onClose }: { plan: Plan; onClose(): void }) {
  const log = useSession((state) => state.log)
  const writer = useSession((state) => state.role === 'writer')
  const pinned = useSession(({ log }) => plan.rows.every(({ seq }) => log.state.pins.has(seq)))
  const actions = useActions()
  const seqs = plan.rows.map((row) => row.seq)
  const tokens = seqs.reduce((sum, seq) => sum + (log.heads[seq]?.tokens ?? 0), 0)
  const kept = plan.rows.filter((row) => row.kept === 'pinned').length
  return (
    <>
      <div className="flex items-center justify-end gap-1.5 max-wide:flex-wrap">
        <span
          className="mono min-w-0 flex-1 truncate pl-1 text-ink2 max-wide:basis-full"
          title={`${exact(tokens)} tokens`}
        >
          <b className="font-semibold text-ink">
            #{seqs[0]}–#{seqs.at(-1)}
          </b>{' '}
          · {count(seqs.length, 'node')} · {short(tokens)} tok
          {kept > 0 ? ` · ${kept} pinned` : ''}
        </span>
        <Button
          size="sm"
          disabled={!writer || plan.runs.length === 0}
          title={plan.refusal ?? undefined}
          onClick={() => {
            askCompact(seqs[0]!, seqs.at(-1)!)
            onClose()
          }}
        >
          <Shrink size={12} />
          Compact…
        </Button>
        <IconButton
          size="sm"
          label={pinned ? 'Unpin' : 'Pin'}
          disabled={!writer}
          onClick={() => void actions.setPins(seqs, !pinned)}
        >
          <Pin size={13} className={pinned ? 'fill-current' : undefined} />
        </IconButton>
        <CopyRegion seqs={seqs} />
        <IconButton size="sm" label="Let go of the range" keys="Esc" onClick={onClose}>
          <X size={13} />
        </IconButton>
      </div>
      {plan.refusal ? (
        <p className="m-0 mt-1 px-1 text-sm text-ink2">Cannot be compacted: {plan.refusal}</p>
      ) : null}
    </>
  )
}

function CopyRegion({ seqs }: { seqs: readonly Seq[] }) {
  const { bodies } = useAppInstance()
  const id = useSession((state) => state.id)
  const [done, setDone] = useState(false)
  const copy = async () => {
    const events = await readBodies(bodies, id, seqs)
    await navigator.clipboard.writeText(events.map(plainText).join('\n\n'))
    setDone(true)
  }
  return (
    <IconButton size="sm" label={done ? 'Copied' : 'Copy the text'} onClick={() => void copy()}>
      <Copy size={13} />
    </IconButton>
  )
}
