'use client'

import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { isTyping } from '@/components/ui/keys'
import { useSession } from '@/lib/state/hooks'
import { type AxisKind, clockAxis, eventAxis } from './axis'
import { Controls } from './controls'
import { Curve } from './curve'
import { usePlay } from './use-play'
import { usePlayhead } from './use-playhead'

/** The session over time and the playhead that everything on screen follows. */
export function TimeBar() {
  const playhead = usePlayhead()
  const play = usePlay(playhead)
  const log = useSession((state) => state.log)
  const [kind, setKind] = useState<AxisKind>('events')
  const [isTold, setTold] = useState(false)
  const { events } = playhead
  const axis = useMemo(
    () => (kind === 'clock' ? clockAxis(log.heads, events) : eventAxis(events)),
    [kind, log, events],
  )
  const damaged = useSession((state) => state.status === 'damaged')
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
    if (isTyping(event.target) || playhead.events === 0) return
    if (event.key === '[' || event.key === ']') playhead.jump(event.key === ']')
    else if (event.key === 'l' || event.key === 'L') playhead.goLive()
    else return
    play.stop()
    setTold(event.key === '[' || event.key === ']')
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <section
      aria-label="Time"
      data-testid="time-bar"
      data-moment={playhead.moment}
      data-live={playhead.live}
      data-axis={kind}
      data-gaps={axis.gaps.length}
      className="@container h-full min-h-0 bg-panel"
    >
      <div className="grid h-full grid-rows-[1fr_auto] gap-x-4 gap-y-1 px-3.5 py-2 @3xl:grid-cols-[262px_1fr] @3xl:grid-rows-1">
        <div className="row-start-2 min-w-0 @3xl:row-start-1">
          <Controls
            playhead={playhead}
            play={play}
            axis={kind}
            onAxis={setKind}
            onJump={() => setTold(true)}
          />
        </div>
        <div className="row-start-1 min-h-0 min-w-0">
          {playhead.events === 0 ? (
            <p className="m-0 grid h-full place-items-center text-ink2">
              {damaged
                ? 'This log cannot be read, so it has no timeline.'
                : 'The token curve starts with the first message.'}
            </p>
          ) : (
            <Curve playhead={playhead} play={play} axis={axis} isTold={isTold} onTold={setTold} />
          )}
        </div>
      </div>
    </section>
  )
}
