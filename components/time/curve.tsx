'use client'

import { Slider } from 'radix-ui'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { useCanvas, useSize } from '@/components/inspector/canvas/use-canvas'
import { exact, moment } from '@/components/ui/format'
import { useSession } from '@/lib/state/hooks'
import type { Axis } from './axis'
import { drawCurve } from './draw-curve'
import { markAt } from './geometry'
import { GlyphHover } from './glyph-hover'
import { glyphSpoken } from './glyph-words'
import { frameOf, LABEL_ROOM } from './plot'
import { scrubWhilePressed } from './scrubbing'
import type { usePlay } from './use-play'
import type { Playhead } from './use-playhead'
import { compactionWords, turnWords, whereIs } from './where'

/** Narrower than this the axis gives way to the curve. */
const COMPACT = 520
/** Steps of the slider where it follows the clock. */
const CLOCK_UNITS = 100_000

/** The curve, and on it a slider whose thumb is the playhead. */
export function Curve({
  playhead,
  play,
  axis,
  isTold,
  onTold,
}: {
  playhead: Playhead
  axis: Axis
  play: ReturnType<typeof usePlay>
  /** The playhead came by keys or buttons: what it stands on is told. */
  isTold: boolean
  onTold(told: boolean): void
}) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const timeline = useSession((state) => state.timeline)
  const { events, moment } = playhead
  const size = useSize(box)
  const compact = size !== null && size.width < COMPACT
  const draw = useMemo(() => drawCurve(timeline, axis, compact), [timeline, axis, compact])
  const units = axis.kind === 'events' ? Math.max(1, events - 1) : CLOCK_UNITS
  useCanvas(canvas, size, draw)
  useWheel(box, playhead)
  const frame = useMemo(
    () => size && frameOf(size, timeline, axis, compact),
    [size, timeline, axis, compact],
  )

  return (
    <div ref={box} className="@container relative h-full min-h-16">
      <div aria-hidden="true" className="absolute inset-0">
        <canvas ref={canvas} className="size-full" />
      </div>
      <Slider.Root
        min={0}
        max={units}
        step={1}
        value={[Math.round(axis.shareOf(Math.max(0, moment)) * units)]}
        onValueChange={([value]) => {
          play.stop()
          if (value !== undefined) playhead.moveTo(axis.seqAt(value / units))
        }}
        onPointerDown={scrubWhilePressed}
        // The room of the axis by the box's own width (AXIS_ROOM, COMPACT): right before it is measured too.
        className="absolute left-0 right-[44px] top-0 touch-none select-none @max-[520px]:right-0 [&>span]:h-full"
        style={{ bottom: LABEL_ROOM }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === ' ') play.toggle()
          else if (!walk(event.key, event.shiftKey, playhead)) return
          else play.stop()
          onTold(event.key !== ' ')
          event.preventDefault()
        }}
      >
        <Slider.Track className="absolute inset-0 cursor-ew-resize">
          <Future playhead={playhead} axis={axis} />
        </Slider.Track>
        <Thumb playhead={playhead} axis={axis} />
      </Slider.Root>
      {frame ? <GlyphHover {...{ box, frame, playhead, isTold, onTold }} /> : null}
    </div>
  )
}

/** Keys along the log, whatever the axis: an arrow is an event. True when the playhead was moved. */
function walk(key: string, far: boolean, playhead: Playhead): boolean {
  const page = far ? 10 : 1
  const leap = Math.max(10, Math.round(playhead.events / 20))
  if (key === 'ArrowRight' || key === 'ArrowUp') playhead.stepBy(page)
  else if (key === 'ArrowLeft' || key === 'ArrowDown') playhead.stepBy(-page)
  else if (key === 'PageUp') playhead.stepBy(leap)
  else if (key === 'PageDown') playhead.stepBy(-leap)
  else if (key === 'Home') playhead.moveTo(0)
  else if (key === 'End') playhead.goLive()
  else return false
  return true
}

/** What had not happened yet, veiled. */
function Future({ playhead, axis }: { playhead: Playhead; axis: Axis }) {
  if (playhead.live || playhead.events < 2) return null
  return (
    <span
      aria-hidden="true"
      className="absolute inset-y-0 right-0 bg-panel/60"
      style={{ left: `${axis.shareOf(playhead.moment) * 100}%` }}
    />
  )
}

function Thumb({ playhead, axis }: { playhead: Playhead; axis: Axis }) {
  const timeline = useSession((state) => state.timeline)
  const log = useSession((state) => state.log)
  const where = whereIs(timeline, log.heads, playhead.moment)
  const mark = markAt(timeline, playhead.moment)
  const words = [
    `event ${playhead.moment} of ${playhead.events - 1}`,
    turnWords(where),
    compactionWords(where),
    `${exact(where.tokens)} tokens`,
    ...(mark ? [glyphSpoken(mark)] : []),
    ...(axis.kind === 'clock' && log.heads[playhead.moment]
      ? [moment(log.heads[playhead.moment]!.time)]
      : []),
    ...(playhead.live ? ['live'] : []),
  ]
  return (
    <Slider.Thumb
      aria-label="Playhead"
      aria-valuetext={words.join(', ')}
      aria-valuenow={playhead.moment}
      aria-valuemax={Math.max(1, playhead.events - 1)}
      data-testid="playhead"
      // No width of its own, so that it stands exactly where its event is drawn.
      className="group block h-full w-0 outline-none"
    >
      <span
        aria-hidden="true"
        className="figure absolute -left-px top-0 h-full w-[2px] rounded-full bg-ink"
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
