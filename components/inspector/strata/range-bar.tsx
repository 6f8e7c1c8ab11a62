'use client'

import { Copy, Pin, Shrink, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { TextInput } from '@/components/ui/field'
import { count, exact, short } from '@/components/ui/format'
import type { Seq } from '@/lib/core/event'
import type { StrataLayout } from '@/lib/core/projections/strata-layout'
import { checkRange } from '@/lib/core/range'
import { useActions, useAppInstance, useSession } from '@/lib/state/hooks'
import { readBodies } from '../shared/bodies'
import { plainText } from '../shared/words'
import { seqsIn, type TopRange } from './range'

type Props = {
  layout: StrataLayout
  range: TopRange
  onClose(): void
  left: number
  right: number
  top: number
  width: number
}

const WIDTH = 456

/** What can be done with the chosen range, floating under it. */
export function RangeBar({ layout, range, onClose, left, right, top, width }: Props) {
  const log = useSession((state) => state.log)
  const writer = useSession((state) => state.role === 'writer')
  const policy = useSession((state) => state.chosen.policy)
  const actions = useActions()
  const [asking, setAsking] = useState(false)
  const seqs = seqsIn(layout, range)
  const tokens = seqs.reduce((sum, seq) => sum + log.heads[seq]!.tokens, 0)
  const pinned = seqs.every((seq) => log.state.pins.has(seq))
  const refusal = checkRange(log, seqs[0]!, seqs.at(-1)!, {
    minGain: policy.minGain,
    trigger: 'region',
  })
  const middle = (left + right) / 2
  const box = Math.min(WIDTH, width)
  const at = Math.max(0, Math.min(width - box, middle - box / 2))
  return (
    <div
      role="toolbar"
      aria-label="Chosen range"
      data-testid="range-bar"
      data-start={seqs[0]}
      data-end={seqs.at(-1)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      className="absolute z-20 animate-rise rounded-lg border bg-raised p-1.5 shadow-float"
      style={{ left: at, top, width: box }}
    >
      <div className="flex items-center gap-1.5">
        <span
          className="mono min-w-0 flex-1 truncate pl-1 text-ink2"
          title={`${exact(tokens)} tokens`}
        >
          <b className="font-semibold text-ink">
            #{seqs[0]}–#{seqs.at(-1)}
          </b>{' '}
          · {count(seqs.length, 'node')} · {short(tokens)} tok
        </span>
        <Button
          size="sm"
          aria-expanded={asking}
          disabled={!writer || refusal !== null}
          title={refusal?.message}
          onClick={() => setAsking(!asking)}
        >
          <Shrink size={12} />
          Compact…
        </Button>
        <IconButton
          size="sm"
          label={pinned ? 'Unpin' : 'Pin'}
          disabled={!writer || seqs.some((seq) => !onSurface(log, seq))}
          onClick={() => void actions.setPins(seqs, !pinned)}
        >
          <Pin size={13} className={pinned ? 'fill-current' : undefined} />
        </IconButton>
        <CopyRange seqs={seqs} />
        <IconButton size="sm" label="Let go of the range" keys="Esc" onClick={onClose}>
          <X size={13} />
        </IconButton>
      </div>
      {refusal ? (
        <p className="m-0 mt-1 px-1 text-sm text-ink2">Cannot be compacted: {refusal.message}.</p>
      ) : null}
      {asking && !refusal ? (
        <CompactForm
          onStart={(focus) => {
            void actions.compactRegion(seqs[0]!, seqs.at(-1)!, focus)
            onClose()
          }}
        />
      ) : null}
    </div>
  )
}

const onSurface = (
  log: { history: { replacementOf(seq: Seq, at: Seq): Seq | null }; heads: readonly unknown[] },
  seq: Seq,
) => log.history.replacementOf(seq, log.heads.length - 1) === null

function CompactForm({ onStart }: { onStart(focus?: string): void }) {
  const [focus, setFocus] = useState('')
  return (
    <form
      className="mt-1.5 flex gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        onStart(focus.trim() || undefined)
      }}
    >
      <TextInput
        autoFocus
        aria-label="Focus of the summary, optional"
        placeholder="Focus, optional: keep every decision…"
        value={focus}
        onChange={(event) => setFocus(event.target.value)}
      />
      <Button type="submit" tone="primary">
        Compact
      </Button>
    </form>
  )
}

function CopyRange({ seqs }: { seqs: readonly Seq[] }) {
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
