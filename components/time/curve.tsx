'use client'

import { Slider } from 'radix-ui'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { useCanvas, useSize } from '@/components/inspector/canvas/use-canvas'
import { exact } from '@/components/ui/format'
import { useSession } from '@/lib/state/hooks'
import { drawCurve } from './draw-curve'
import { AXIS_ROOM, LABEL_ROOM } from './plot'
import { scrubWhilePressed } from './scrubbing'
import type { usePlay } from './use-play'
import type { Playhead } from './use-playhead'
import { compactionWords, turnWords, whereIs } from './where'

/** Narrower than this the axis gives way to the curve. */
const COMPACT = 520

/** The curve, and on it a slider whose thumb is the playhead. */
export function Curve({
  playhead,
  play,
}: {
  playhead: Playhead
  play: ReturnType<typeof usePlay>
}) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const timeline = useSession((state) => state.timeline)
  const { events, moment } = playhead
  const size = useSize(box)
  const compact = (size?.width ?? 0) < COMPACT
  const draw = useMemo(() => drawCurve(timeline, events, compact), [timeline, events, compact])
  useCanvas(canvas, size, draw)
  useWheel(box, playhead)

  return (
    <div ref={box} className="relative h-full min-h-16">
      <div aria-hidden="true" className="absolute inset-0">
        <canvas ref={canvas} className="size-full" />
      </div>
      <Slider.Root
        min={0}
        max={Math.max(1, events - 1)}
        step={1}
        value={[moment]}
        onValueChange={([seq]) => {
          play.stop()
          if (seq !== undefined) playhead.moveTo(seq)
        }}
        onPointerDown={scrubWhilePressed}
        className="absolute left-0 top-0 touch-none select-none [&>span]:h-full"
        style={{ right: compact ? 0 : AXIS_ROOM, bottom: LABEL_ROOM }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== ' ') return
          event.preventDefault()
          play.toggle()
        }}
      >
        <Slider.Track className="absolute inset-0 cursor-ew-resize">
          <Future playhead={playhead} />
        </Slider.Track>
        <Thumb playhead={playhead} />
      </Slider.Root>
    </div>
  )
}

/** What had not happened yet, veiled. */
function Future({ playhead }: { playhead: Playhead }) {
  if (playhead.live || playhead.events < 2) return null
  return (
    <span
      aria-hidden="true"
      className="absolute inset-y-0 right-0 bg-panel/60"
      style={{ left: `${(playhead.moment / (playhead.events - 1)) * 100}%` }}
    />
  )
}

function Thumb({ playhead }: { playhead: Playhead }) {
  const timeline = useSession((state) => state.timeline)
  const log = useSession((state) => state.log)
  const where = whereIs(timeline, log.heads, playhead.moment)
  const words = [
    `event ${playhead.moment} of ${playhead.events - 1}`,
    turnWords(where),
    compactionWords(where),
    `${exact(where.tokens)} tokens`,
    ...(playhead.live ? ['live'] : []),
  ]
  return (
    <Slider.Thumb
      aria-label="Playhead"
      aria-valuetext={words.join(', ')}
      data-testid="playhead"
      // No width of its own, so that it stands exactly where its event is drawn.
      className="group block h-full w-0 outline-none"
    >
      <span
        aria-hidden="true"
        className="absolute -left-px top-0 h-full w-[2px] rounded-full bg-ink"
      />
      <span
        aria-hidden="true"
        className="absolute -left-[6px] top-0 size-3 rounded-full border-2 border-panel bg-ink group-focus-visible:outline-2 group-focus-visible:outline-offset-1 group-focus-visible:outline-accent"
      />
    </Slider.Thumb>
  )
}

/** The wheel moves the playhead: one event a notch, more on a long log. */
function useWheel(box: React.RefObject<HTMLDivElement | null>, playhead: Playhead): void {
  const latest = useRef(playhead)
  useEffect(() => {
    latest.current = playhead
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    let carried = 0
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey) return
      event.preventDefault()
      const { events, moment, moveTo } = latest.current
      const delta = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY
      carried += (delta / 100) * Math.max(1, events / 300)
      const whole = Math.trunc(carried)
      if (whole === 0) return
      carried -= whole
      moveTo(moment + whole)
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [box])
}
