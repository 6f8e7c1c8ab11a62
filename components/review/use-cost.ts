'use client'

import { useMemo } from 'react'
import { type CompactionCost, compactionCost, costSeqs } from '@/lib/core/projections/cost'
import { useApp, useSession } from '@/lib/state/hooks'
import { costOf } from '@/lib/state/prices'
import { useBodies } from './use-bodies'

export type Economics = CompactionCost & {
  /** All tokens that went in, and the share of them read from the cache. */
  input: number
  cached: number
  /** Where the price is known. */
  dollars: number | undefined
}

/** What a compaction or a draft cost and what it saves; null while its events are read. */
export function useCost(compactionId: string, endSeq: number | null): Economics | null {
  const log = useSession((state) => state.log)
  const models = useApp((state) => state.models)
  const own = useApp((state) => state.settings.models)
  const seqs = useMemo(
    // A bracket's events are complete once it has ended.
    () => (endSeq === null ? [] : costSeqs(log.heads, compactionId)),
    [log, compactionId, endSeq],
  )
  const events = useBodies(seqs)
  if (endSeq === null || !events) return null
  const cost = compactionCost(log, events)
  const { usage } = cost
  const input =
    usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens
  const isPriced = cost.model !== undefined && cost.calls > 0
  const isOurs = models.some(({ id, provider }) => id === cost.model && provider === 'offline')
  return {
    ...cost,
    input,
    cached: input === 0 ? 0 : usage.cache_read_input_tokens / input,
    dollars: isPriced && !isOurs ? costOf(usage, cost.model!, own) : undefined,
  }
}
