'use client'

import { useEffect, useState } from 'react'
import type { StrataLayout } from '@/lib/core/projections/strata-layout'

const MS = 280
/** More nodes than this change places without a show. */
const MANY = 4000
/** Moments further apart than this are a jump, not a step. */
const NEAR = 12

/**
 * The rows nodes come from while they sink under a checkpoint or rise from it, and how far they are
 * (0 to 1). `before` is null when nothing moves, and always where the system asks for no motion.
 */
export function useSinking(layout: StrataLayout): {
  before: StrataLayout | null
  progress: number
} {
  const [shown, setShown] = useState({ layout, before: null as StrataLayout | null })
  const [progress, setProgress] = useState(1)
  if (shown.layout !== layout) {
    const before = moves(shown.layout, layout) ? shown.layout : null
    setShown({ layout, before })
    setProgress(before ? 0 : 1)
  }
  const { before } = shown
  useEffect(() => {
    if (!before) return
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      setProgress(1)
      return
    }
    const start = performance.now()
    let frame = requestAnimationFrame(function tick(now) {
      const share = Math.min(1, (now - start) / MS)
      setProgress(1 - (1 - share) ** 3)
      if (share < 1) frame = requestAnimationFrame(tick)
    })
    return () => cancelAnimationFrame(frame)
  }, [before])
  return progress >= 1 ? { before: null, progress: 1 } : { before, progress }
}

/** Whether going from one moment to the next lays something over something else. */
function moves(from: StrataLayout, to: StrataLayout): boolean {
  if (from.measure !== to.measure || Math.abs(from.at - to.at) > NEAR) return false
  if (to.count > MANY || from.count === 0) return false
  const [older, newer] = from.at < to.at ? [from, to] : [to, from]
  const shared = older.rowStart[1] ?? 0
  for (let i = 0; i < shared; i += 1) {
    const j = newer.indexBySeq[older.seq[i]!] ?? -1
    if (j < 0 || j >= (newer.rowStart[1] ?? 0)) return true
  }
  return false
}
