'use client'

import { useState } from 'react'
import { type Camera, clamp, focusOn, isWhole, pan, reveal, unitOf, wholeOf, zoom } from './camera'

export type CameraControl = {
  camera: Camera
  zoomed: boolean
  /** Units per CSS pixel. */
  scale: number
  zoomAt(x: number, factor: number): void
  panBy(pixels: number, down: number): void
  focus(left: number, right: number): void
  reveal(left: number, right: number): void
  /** Back to what was seen before the last focus, or to the whole; false if it was the whole. */
  back(): boolean
  whole(): void
}

type State = { camera: Camera | null; stack: (Camera | null)[] }

/** The camera over a picture `total` units wide. Until somebody zooms it shows all, however it grows. */
export function useCamera(total: number, width: number, overflow: number): CameraControl {
  const [state, setState] = useState<State>({ camera: null, stack: [] })
  const all = wholeOf(total)
  const kept = state.camera && clamp(state.camera, total, overflow)
  const camera = kept ?? all
  const show = (next: Camera) => {
    const held = clamp(next, total, overflow)
    const whole = isWhole(held, total) && held.scroll === 0
    setState(({ stack }) => ({ camera: whole ? null : held, stack: whole ? [] : stack }))
  }
  return {
    camera,
    zoomed: state.camera !== null,
    scale: (camera.to - camera.from) / Math.max(1, width),
    zoomAt: (x, factor) => show(zoom(camera, unitOf(camera, x, width), factor, total)),
    panBy: (pixels, down) =>
      show(pan(camera, (pixels * (camera.to - camera.from)) / Math.max(1, width), down)),
    focus: (left, right) =>
      setState(({ camera: old, stack }) => ({
        camera: focusOn(left, right, total),
        stack: [...stack, old],
      })),
    reveal(left, right) {
      if (state.camera) show(reveal(camera, left, right, total))
    },
    back() {
      if (!state.camera) return false
      setState(({ stack }) => ({ camera: stack.at(-1) ?? null, stack: stack.slice(0, -1) }))
      return true
    },
    whole: () => setState({ camera: null, stack: [] }),
  }
}
