'use client'

import type { Seq } from '@/lib/core/event'
import type { CompactionView } from '@/lib/core/projections/transcript'
import { positionOf } from '@/lib/core/surface'
import { useSession } from '@/lib/state/hooks'

/** Where a compaction's checkpoint is now: on the surface, inside a later one, or taken back. */
export function useCardState(node: CompactionView): {
  standing: 'in place' | 'merged' | 'restored' | 'none'
  by: Seq | null
} {
  const log = useSession((state) => state.log)
  const newest = useSession((state) => state.version - 1)
  const seq = node.checkpointSeq
  if (seq === null || newest < seq) return { standing: 'none', by: null }
  if (positionOf(log.history.surfaceAt(newest), seq) >= 0) return { standing: 'in place', by: null }
  const by = log.history.replacementOf(seq, newest)
  return by === null ? { standing: 'restored', by } : { standing: 'merged', by }
}
