'use client'

import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Seq } from '@/lib/core/event'
import { hitStrata, type StrataLayout } from '@/lib/core/projections/strata-layout'
import { type Camera, type Rows, rowAt, unitOf } from './camera'
import { type Bracket, bracketAt } from './scene'
import type { CameraControl } from './use-camera'

/** Less than this many CSS pixels is a click. */
const SLOP = 4

export type Hover = { seq: Seq; x: number; y: number }

type Picture = {
  layout: StrataLayout
  camera: Camera
  rows: Rows
  width: number
  control: CameraControl
  brackets: readonly Bracket[]
}

type Tellings = {
  onSelect(seq: Seq | null): void
  onFocus(index: number): void
  /** Indices of the top row under the two ends of a drag. */
  onRange(one: number, other: number): void
}

type Drag = { mode: 'pan' | 'range' | 'click'; x: number; y: number; index: number; moved: boolean }

/** Distance of two fingers along the picture. */
function span(fingers: ReadonlyMap<number, number>): number {
  const [one = 0, other = 0] = fingers.values()
  return Math.abs(one - other)
}

/** Pointer and wheel on the picture. Gives what is under the pointer, once a frame at most. */
export function useGestures(
  box: RefObject<HTMLElement | null>,
  picture: Picture,
  tell: Tellings,
): { hover: Hover | null; panning: boolean } {
  const [hover, setHover] = useState<Hover | null>(null)
  const [panning, setPanning] = useState(false)
  const drag = useRef<Drag | null>(null)
  const held = useRef(false)
  const frame = useRef(0)
  /** Fingers on the picture, by pointer id. */
  const fingers = useRef(new Map<number, number>())

  const locate = (event: MouseEvent) => {
    const rect = box.current?.getBoundingClientRect()
    const x = event.clientX - (rect?.left ?? 0)
    const y = event.clientY - (rect?.top ?? 0)
    const { layout, camera, rows, width } = picture
    const depth = rowAt(rows, camera, y, layout.rows)
    const index = hitStrata(layout, depth, unitOf(camera, x, width))
    return { x, y, depth, index }
  }
  const topIndexAt = (x: number) => {
    const { layout, camera, width } = picture
    const unit = Math.min(Math.max(0, unitOf(camera, x, width)), layout.total - 1e-6)
    return hitStrata(layout, 0, unit)
  }
  const onDown = useEffectEvent((event: PointerEvent) => {
    const at = locate(event)
    if (event.pointerType === 'touch') fingers.current.set(event.pointerId, at.x)
    if (fingers.current.size > 1) {
      drag.current = null
      return
    }
    const pans = event.button === 1 || held.current
    if (event.button !== 0 && !pans) return
    const mode = pans ? 'pan' : at.depth === 0 && event.pointerType !== 'touch' ? 'range' : 'click'
    drag.current = { mode, ...at, moved: false }
    if (pans) event.preventDefault()
    box.current?.setPointerCapture(event.pointerId)
  })
  const onMove = useEffectEvent((event: PointerEvent) => {
    const at = locate(event)
    if (fingers.current.size === 2) {
      pinch(event.pointerId, at.x)
      return
    }
    const now = drag.current
    if (!now) {
      cancelAnimationFrame(frame.current)
      frame.current = requestAnimationFrame(() =>
        setHover(at.index < 0 ? null : { seq: picture.layout.seq[at.index]!, x: at.x, y: at.y }),
      )
      return
    }
    if (!now.moved && Math.hypot(at.x - now.x, at.y - now.y) < SLOP) return
    now.moved = true
    setHover(null)
    if (now.mode === 'range') {
      const other = topIndexAt(at.x)
      if (other >= 0) tell.onRange(now.index, other)
      return
    }
    setPanning(true)
    picture.control.panBy(now.x - at.x, now.y - at.y)
    now.x = at.x
    now.y = at.y
  })
  const pinch = (id: number, x: number) => {
    const before = span(fingers.current)
    fingers.current.set(id, x)
    const after = span(fingers.current)
    const [one = 0, other = 0] = fingers.current.values()
    if (before > 8 && after > 8) picture.control.zoomAt((one + other) / 2, after / before)
  }
  const onUp = useEffectEvent((event: PointerEvent) => {
    fingers.current.delete(event.pointerId)
    const done = drag.current
    drag.current = null
    setPanning(false)
    if (!done || done.moved || done.mode === 'pan') return
    const { layout, camera, rows, width, brackets } = picture
    const bracket = bracketAt(brackets, rows, camera, unitOf(camera, done.x, width), done.y)
    tell.onSelect(done.index >= 0 ? layout.seq[done.index]! : (bracket?.seq ?? null))
  })
  const onDouble = useEffectEvent((event: MouseEvent) => {
    const { index } = locate(event)
    if (index >= 0) tell.onFocus(index)
  })
  const onLeave = useEffectEvent(() => {
    cancelAnimationFrame(frame.current)
    setHover(null)
  })
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    const { control } = picture
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
    if (sideways || event.shiftKey) control.panBy(event.deltaX || event.deltaY, 0)
    else if (event.altKey) control.panBy(0, event.deltaY)
    else control.zoomAt(locate(event).x, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0022)))
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === ' ') held.current = event.type === 'keydown'
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    element.addEventListener('pointerdown', onDown)
    element.addEventListener('pointermove', onMove)
    element.addEventListener('pointerup', onUp)
    element.addEventListener('pointercancel', onUp)
    element.addEventListener('pointerleave', onLeave)
    element.addEventListener('dblclick', onDouble)
    element.addEventListener('wheel', onWheel, { passive: false })
    element.addEventListener('keydown', onKey)
    element.addEventListener('keyup', onKey)
    return () => {
      element.removeEventListener('pointerdown', onDown)
      element.removeEventListener('pointermove', onMove)
      element.removeEventListener('pointerup', onUp)
      element.removeEventListener('pointercancel', onUp)
      element.removeEventListener('pointerleave', onLeave)
      element.removeEventListener('dblclick', onDouble)
      element.removeEventListener('wheel', onWheel)
      element.removeEventListener('keydown', onKey)
      element.removeEventListener('keyup', onKey)
      cancelAnimationFrame(frame.current)
    }
  }, [box])
  return { hover, panning }
}
