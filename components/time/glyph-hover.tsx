'use client'

import { Tooltip } from 'radix-ui'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { Mark } from '@/lib/core/projections/timeline'
import { markAt } from './geometry'
import { GlyphCard } from './glyph-card'
import { type Frame, headOf, markUnder } from './plot'
import type { Playhead } from './use-playhead'

/** Milliseconds a pointer rests on a glyph before its card comes, and is away before it goes. */
const PATIENCE = 120
/** A press that moved less than this is a click, CSS pixels. */
const STILL = 4

type Props = {
  /** What the pointer moves over. */
  box: RefObject<HTMLElement | null>
  frame: Frame
  playhead: Playhead
  /** The playhead came here by keys or buttons: the card of what it stands on is shown. */
  isTold: boolean
  onTold(told: boolean): void
}

/** The card of the glyph under the pointer, or of the one the playhead was brought to by keys. */
export function GlyphHover({ box, frame, playhead, isTold, onTold }: Props) {
  const hovered = useHovered(box, frame, playhead)
  const stood = isTold ? markAt(frame.timeline, playhead.moment) : null
  const mark = hovered.mark ?? stood
  useLetGo(isTold, onTold)
  if (!mark) return null
  const at = headOf(frame, mark)
  const close = () => {
    hovered.drop()
    onTold(false)
  }
  return (
    // Its own provider: a glyph is no button, and waits by itself.
    <Tooltip.Provider>
      <Tooltip.Root open onOpenChange={(open) => !open && close()}>
        <Tooltip.Trigger asChild>
          <span
            aria-hidden="true"
            className="pointer-events-none absolute size-0"
            style={{ left: at.x, top: Math.max(0, at.y - 6) }}
          />
        </Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content
            side="top"
            sideOffset={6}
            collisionPadding={8}
            data-testid="glyph-card"
            data-seq={mark.seq}
            onPointerEnter={hovered.hold}
            onPointerLeave={hovered.release}
            className="z-30 flex w-80 max-w-[calc(100vw-16px)] animate-fade flex-col gap-0.5 rounded-lg border border-line bg-raised px-3 py-2 text-sm shadow-float"
          >
            <GlyphCard mark={mark} isHere={playhead.moment === mark.seq} />
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  )
}

/** The mark under a resting pointer; a click on it takes the playhead there, to the event. */
function useHovered(box: RefObject<HTMLElement | null>, frame: Frame, playhead: Playhead) {
  const [mark, setMark] = useState<Mark | null>(null)
  const [pressed] = useState(() => ({ x: 0 }))
  const [timer] = useState<{ id?: ReturnType<typeof setTimeout> }>(() => ({}))
  const near = (event: MouseEvent): Mark | null => {
    const { left = 0, top = 0 } = box.current?.getBoundingClientRect() ?? {}
    return markUnder(frame, event.clientX - left, event.clientY - top)
  }
  const later = (next: Mark | null) => {
    clearTimeout(timer.id)
    timer.id = setTimeout(() => setMark(next), PATIENCE)
  }
  const onMove = useEffectEvent((event: PointerEvent) => {
    if (event.pointerType === 'touch') return
    // A drag moves the playhead, and nothing is in its way.
    if (event.buttons !== 0) drop()
    else later(near(event))
  })
  const drop = () => {
    clearTimeout(timer.id)
    setMark(null)
  }
  const onPress = useEffectEvent((event: PointerEvent) => {
    drop()
    pressed.x = event.clientX
  })
  const onClick = useEffectEvent((event: MouseEvent) => {
    const met = Math.abs(event.clientX - pressed.x) < STILL ? near(event) : null
    if (met) playhead.moveTo(met.seq)
  })
  const onLeave = useEffectEvent(() => later(null))
  useEffect(() => {
    const element = box.current
    if (!element) return
    element.addEventListener('pointermove', onMove)
    element.addEventListener('pointerleave', onLeave)
    element.addEventListener('pointerdown', onPress)
    element.addEventListener('click', onClick)
    return () => {
      clearTimeout(timer.id)
      element.removeEventListener('pointermove', onMove)
      element.removeEventListener('pointerleave', onLeave)
      element.removeEventListener('pointerdown', onPress)
      element.removeEventListener('click', onClick)
    }
  }, [box, timer])
  return {
    mark,
    drop,
    /** The pointer came onto the card itself. */
    hold: () => clearTimeout(timer.id),
    release: () => later(null),
  }
}

/** Whatever else is done, the card that keys brought goes. */
function useLetGo(isTold: boolean, onTold: (told: boolean) => void): void {
  const letGo = useEffectEvent(() => onTold(false))
  useEffect(() => {
    if (!isTold) return
    document.addEventListener('pointerdown', letGo)
    document.addEventListener('focusin', letGo)
    return () => {
      document.removeEventListener('pointerdown', letGo)
      document.removeEventListener('focusin', letGo)
    }
  }, [isTold])
}
