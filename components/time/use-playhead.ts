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
  /** Where the next frame will take the playhead. */
  const wanted = useRef<Seq | null>(null)
  useEffect(() => () => cancelAnimationFrame(frame.current), [])

  const moveTo = (seq: Seq) => {
    const target = Math.max(0, Math.min(events - 1, seq))
    wanted.current = target
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      wanted.current = null
      setPlayhead(target === events - 1 ? null : target)
    })
  }
  // Keys pressed faster than frames go on from where the last one leads.
  const here = () => wanted.current ?? moment
  return {
    moment,
    events,
    live,
    moveTo,
    stepBy: (by) => moveTo(here() + by),
    jump(forward) {
      const stop = nextStop(compactionStops(timeline), here(), forward)
      moveTo(stop ?? (forward ? events - 1 : 0))
    },
    goLive() {
      cancelAnimationFrame(frame.current)
      wanted.current = null
      setPlayhead(null)
    },
  }
}
