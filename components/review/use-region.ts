'use client'

import type { Seq } from '@/lib/core/event'
import { useSession } from '@/lib/state/hooks'
import { type Plan, planRegion } from './plan'
import { chooseRegion, useRegion } from './region-store'

export type Chosen = {
  one: Seq
  other: Seq | null
  at: 'chat' | 'surface'
  /** Null while one end is missing or gone from the surface. */
  plan: Plan | null
}

const NONE: ReadonlySet<Seq> = new Set()

/** The region of the open session, snapped to whole units; null where none is being chosen. */
export function useChosenRegion(): Chosen | null {
  const session = useSession((state) => state.id)
  const region = useRegion((state) => state.region)
  const log = useSession((state) => state.log)
  const version = useSession((state) => state.version)
  const policy = useSession((state) => state.chosen.policy)
  if (region?.session !== session) return null
  const { one, other, at } = region
  const plan = other === null ? null : planRegion(log, version, { one, other }, policy)
  return { one, other, at, plan }
}

/** Its nodes. */
export function useRegionSeqs(): ReadonlySet<Seq> {
  const chosen = useChosenRegion()
  if (!chosen) return NONE
  return new Set(chosen.plan ? chosen.plan.rows.map(({ seq }) => seq) : [chosen.one])
}

/** Whether a node lies in it; cheap while nothing is being chosen. */
export function useInRegion(seq: Seq): boolean {
  return useRegion(({ region, seqs }) => region !== null && seqs.has(seq))
}

/** From the list of nodes: widens the region from its first end to `other`; begins one at `from` where there is none. */
export function useChooseRegion(): (from: Seq, other: Seq) => void {
  const session = useSession((state) => state.id)
  return (from, other) => chooseRegion(session, from, other, 'surface')
}
