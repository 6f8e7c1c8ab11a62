'use client'

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Palette, readPalette } from './palette'

/** CSS pixels; `ratio` device pixels to each. */
export type Size = { width: number; height: number; ratio: number }
export type Draw = (context: CanvasRenderingContext2D, size: Size, palette: Palette) => void

/** Counts what changes every colour or face on screen: theme, contrast mode, fonts that arrive. */
function useThemeEpoch(): number {
  const [epoch, setEpoch] = useState(0)
  useEffect(() => {
    const bump = () => setEpoch((value) => value + 1)
    const observer = new MutationObserver(bump)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'class'] })
    const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
      matchMedia(query),
    )
    for (const query of queries) query.addEventListener('change', bump)
    document.fonts.addEventListener('loadingdone', bump)
    return () => {
      observer.disconnect()
      for (const query of queries) query.removeEventListener('change', bump)
      document.fonts.removeEventListener('loadingdone', bump)
    }
  }, [])
  return epoch
}

/** Size of the box of an element without padding, kept exact to the device pixel; null before it is known. */
export function useSize(ref: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null)
  // Known before the first paint, so that the first frame has the picture.
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const note = ({ width, height }: DOMRectReadOnly) => {
      const ratio = devicePixelRatio || 1
      setSize((old) =>
        old && old.width === width && old.height === height && old.ratio === ratio
          ? old
          : { width, height, ratio },
      )
    }
    note(element.getBoundingClientRect())
    const observer = new ResizeObserver(([entry]) => entry && note(entry.contentRect))
    // The device box also tells when only the pixel ratio changed; Safari does not know it.
    try {
      observer.observe(element, { box: 'device-pixel-content-box' })
    } catch {
      observer.observe(element)
    }
    return () => observer.disconnect()
  }, [ref])
  return size
}

/**
 * Draws on the canvas when it first has a size, and once a frame at most whenever `draw`, the size or the
 * theme changes. `draw` gets a context scaled to CSS pixels over a cleared canvas.
 */
export function useCanvas(
  canvas: RefObject<HTMLCanvasElement | null>,
  size: Size | null,
  draw: Draw,
): void {
  const epoch = useThemeEpoch()
  const palette = useRef<{ epoch: number; value: Palette } | null>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element || !size || size.width === 0 || size.height === 0) return
    const paint = () => {
      const context = element.getContext('2d')
      if (!context) return
      if (palette.current?.epoch !== epoch) palette.current = { epoch, value: readPalette(element) }
      const width = Math.round(size.width * size.ratio)
      const height = Math.round(size.height * size.ratio)
      if (element.width !== width) element.width = width
      if (element.height !== height) element.height = height
      context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0)
      context.clearRect(0, 0, size.width, size.height)
      draw(context, size, palette.current.value)
      element.dataset.drawn = String(Number(element.dataset.drawn ?? 0) + 1)
    }
    if (element.dataset.drawn === undefined) return paint()
    const frame = requestAnimationFrame(paint)
    return () => cancelAnimationFrame(frame)
  }, [canvas, size, draw, epoch])
}
