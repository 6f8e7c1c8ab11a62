'use client'

import { useEffect, useRef } from 'react'
import type { Seq } from '@/lib/core/event'
import { useActions, useIsLive, useMoment, useSession } from '@/lib/state/hooks'
import { compactionStops, nextStop } from './geometry'

export type Playhead = {
  /** What everything on screen shows; -1 while the log is empty. */
  moment: Seq
  events: number
  live: boolean
  /** At most once a frame; the newest event is LIVE. */
  moveTo(seq: Seq): void
  stepBy(events: number): void
  /** To the compaction before or after, or to the end of the log on that side. */
  jump(forward: boolean): void
  goLive(): void
}

/** The playhead and the ways to move it. */
export function usePlayhead(): Playhead {
  const { setPlayhead } = useActions()
  const moment = useMoment()
  const live = useIsLive()
  const events = useSession((state) => state.version)
  const timeline = useSession((state) => state.timeline)
  const frame = useRef(0)
  useEffect(() => () => cancelAnimationFrame(frame.current), [])

  const moveTo = (seq: Seq) => {
    const target = Math.max(0, Math.min(events - 1, seq))
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => setPlayhead(target === events - 1 ? null : target))
  }
  return {
    moment,
    events,
    live,
    moveTo,
    stepBy: (by) => moveTo(moment + by),
    jump(forward) {
      const stop = nextStop(compactionStops(timeline), moment, forward)
      moveTo(stop ?? (forward ? events - 1 : 0))
    },
    goLive: () => setPlayhead(null),
  }
}
