'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import type { Playhead } from './use-playhead'

/** A session plays in about this long, however many events it has. */
const WHOLE_MS = 24_000
/** With reduced motion the playhead jumps from compaction to compaction instead, this far apart. */
const JUMP_MS = 1600

/** Moves the playhead by itself until the newest event. Starts over when it stands there. */
export function usePlay(playhead: Playhead): { playing: boolean; toggle(): void; stop(): void } {
  const [playing, setPlaying] = useState(false)
  const advance = useEffectEvent((events: number) => {
    if (playhead.moment + events >= playhead.events - 1) setPlaying(false)
    playhead.moveTo(playhead.moment + events)
  })
  const jump = useEffectEvent(() => {
    if (playhead.live) setPlaying(false)
    else playhead.jump(true)
  })
  const total = playhead.events
  useEffect(() => {
    if (!playing) return
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      const timer = setInterval(jump, JUMP_MS)
      return () => clearInterval(timer)
    }
    const rate = Math.max(6, (total * 1000) / WHOLE_MS) / 1000
    let frame = 0
    let last = performance.now()
    let owed = 0
    const tick = (now: number) => {
      owed += (now - last) * rate
      last = now
      if (owed >= 1) {
        advance(Math.floor(owed))
        owed -= Math.floor(owed)
      }
      frame = requestAnimationFrame(tick)
    }
    frame = requestAnimationFrame(tick)
    return () => cancelAnimationFrame(frame)
  }, [playing, total])

  return {
    playing,
    toggle() {
      if (!playing && playhead.live) playhead.moveTo(0)
      setPlaying(!playing)
    },
    stop: () => setPlaying(false),
  }
}
