'use client'

import type { EventHead, Seq } from '@/lib/core/event'
import type { Log } from '@/lib/core/log'
import { planUndo } from '@/lib/core/restore'
import { useActions, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'

const restores = (head: EventHead, seq: Seq): boolean =>
  typeof head.op === 'object' && head.op.op === 'restore' && head.op.seq === seq

/** The newest `surface/restore` of a replacement whose undo would bring it back. */
export function undoableRestore(log: Log, replacementSeq: Seq): Seq | null {
  const restore = log.heads.findLast((head) => restores(head, replacementSeq))
  if (!restore) return null
  const layers = planUndo(log, restore.seq)
  return layers.ok && layers.value.includes(replacementSeq) ? restore.seq : null
}

/** Puts a restored checkpoint or pruned result back, in one click (S7). */
export function UndoRestore({ replacementSeq }: { replacementSeq: Seq }) {
  const { undoRestore } = useActions()
  const restore = useSession(({ log, role }) =>
    role === 'writer' ? undoableRestore(log, replacementSeq) : null,
  )
  if (restore === null) return null
  return (
    <Button size="sm" onClick={() => void undoRestore(restore)}>
      Undo restore
    </Button>
  )
}
