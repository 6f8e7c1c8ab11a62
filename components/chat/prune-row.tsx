'use client'

import { Scissors } from 'lucide-react'
import type { Seq } from '@/lib/core/event'
import type { PruneView } from '@/lib/core/projections/transcript'
import { positionOf } from '@/lib/core/surface'
import { useSession } from '@/lib/state/hooks'
import { RestoreButton } from '../review/restore-button'
import { UndoRestore } from '../review/undo-restore'
import { cx } from '../ui/cx'
import { Fold } from '../ui/fold'
import { count, exact, short } from '../ui/format'
import { useRemembered } from './memory'
import { SeqLink } from './message'
import { useIsSelected, useStanding } from './standing'

const WORDS: Record<string, string> = {
  micro: 'set aside',
  pressure: 'shortened to make room',
  overflow: 'shortened after the request was too large',
  manual: 'shortened by hand',
}

/** One pass over old results, in one line. */
export function PruneRow({ node }: { node: PruneView }) {
  const [open, setOpen] = useRemembered(`prune ${node.seq}`, false)
  const heads = useSession((state) => state.log.heads)
  const standing = useStanding(node.seq)
  const selected = useIsSelected([
    node.seq,
    ...node.replaced.map(({ replacementSeq }) => replacementSeq),
  ])
  const sum = (seqs: number[]) => seqs.reduce((all, seq) => all + (heads[seq]?.tokens ?? 0), 0)
  const before = sum(node.replaced.map(({ originalSeq }) => originalSeq))
  const after = sum(node.replaced.map(({ replacementSeq }) => replacementSeq))
  return (
    <div
      className={cx(
        '-mx-3 my-1 rounded-lg px-3 py-1',
        standing.dim && 'faded',
        selected && 'bg-hover/70 ring-1 ring-line2',
      )}
    >
      <Fold
        open={open}
        onOpenChange={setOpen}
        summary={
          <span className="flex min-w-0 items-center gap-2 text-ink2">
            <Scissors size={13} className="shrink-0 text-pruned-ink" aria-hidden="true" />
            <span className="truncate">
              {count(node.replaced.length, 'old result')} {WORDS[node.cause ?? ''] ?? 'replaced'}
            </span>
            <span
              className="mono shrink-0 text-ink3"
              title={`${exact(before)} → ${exact(after)} tokens`}
            >
              {short(before)} → {short(after)} tok
            </span>
          </span>
        }
      >
        <ul className="m-0 mt-1 list-none border-l-2 border-line2 py-0.5 pl-3">
          {node.replaced.map(({ originalSeq, replacementSeq }) => (
            <li key={replacementSeq} className="mono flex items-center gap-2 py-0.5 text-ink2">
              <span className="text-call-ink">{heads[originalSeq]?.name ?? 'result'}</span>
              <SeqLink seq={originalSeq} /> → <SeqLink seq={replacementSeq} />
              <span className="ml-auto text-ink3">
                {exact(heads[originalSeq]?.tokens ?? 0)} →{' '}
                {exact(heads[replacementSeq]?.tokens ?? 0)}
              </span>
              <PrunedActions seq={replacementSeq} />
            </li>
          ))}
        </ul>
      </Fold>
    </div>
  )
}

/** The way back to one result, while the pruned one stands. */
function PrunedActions({ seq }: { seq: Seq }) {
  const isThere = useSession(
    ({ log, version }) => version > seq && positionOf(log.history.surfaceAt(version - 1), seq) >= 0,
  )
  return isThere ? <RestoreButton seq={seq} /> : <UndoRestore replacementSeq={seq} />
}
