'use client'

import type { CompactionView } from '@/lib/core/projections/transcript'
import { useActions, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { count, duration, firstLine, short } from '../ui/format'
import { Spinner } from '../ui/spinner'
import { useNow } from '../ui/use-now'
import { triggerWords } from './compaction-words'

/** A compaction under way: what is being summarised, since when, and how far the text has come. */
export function RunningCard({ node }: { node: CompactionView }) {
  const actions = useActions()
  const live = useSession((state) => state.live.compaction)
  const writer = useSession((state) => state.role === 'writer')
  const started = useSession((state) => state.log.heads[node.seq]?.time ?? 0)
  const mine = live?.compactionId === node.compactionId ? live : undefined
  const now = useNow(500)
  const age = now - (mine?.since ?? started)
  // What a person asked for during a turn is cancelled alone, and the turn goes on.
  const isMine = node.turn === null || node.trigger === 'manual' || node.trigger === 'region'
  // The line being written, without the signs of a heading or a list.
  const words = (mine?.text.trim().split('\n').at(-1) ?? '').replace(/^[#>*\-\s]+/, '')
  const progress = [
    triggerWords(node.trigger),
    age >= 1000 ? duration(age) : null,
    mine?.part
      ? `${mine.part.phase === 'window' ? 'reading' : 'merging'} part ${mine.part.index} of ${mine.part.of}`
      : null,
    mine?.text ? `${short(mine.text.length)} characters written` : null,
  ].filter(Boolean)
  return (
    <div className="flex items-start gap-2.5">
      <Spinner className="mt-0.75 shrink-0 text-summary" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          <h2 className="m-0 text-base font-semibold text-summary-ink">Compacting</h2>
          <span className="text-ink2 tabular-nums">{progress.join(' · ')}</span>
        </div>
        <p className="m-0 mt-1 truncate text-ink2">
          {words
            ? firstLine(words, 200)
            : node.windowSeqs.length > 0
              ? `${count(node.windowSeqs.length, 'part')} summarised so far`
              : 'Waiting for the first words'}
        </p>
      </div>
      {writer ? (
        <Button
          size="sm"
          title={isMine ? 'Cancel (Esc)' : 'Cancel, and stop the turn (Esc)'}
          onClick={() => (isMine ? actions.cancelCompaction() : actions.stop())}
        >
          Cancel
        </Button>
      ) : null}
    </div>
  )
}
