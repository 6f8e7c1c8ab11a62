'use client'

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Pixels from the end that still count as reading along. */
export const NEAR = 48
/** A scroll this soon after a wheel, a touch, a key or a press is the reader's own. */
const INPUT_MS = 500

export const distance = (element: HTMLElement): number =>
  element.scrollHeight - element.clientHeight - element.scrollTop

/**
 * Keeps the end in view while the reader is there, and lets go when the reader scrolls away. What grows,
 * shrinks or is measured late never counts as scrolling away.
 */
export function useStick(
  scroller: HTMLElement | null,
  toEnd: () => void,
): { away: boolean; stuck: RefObject<boolean> } {
  const stuck = useRef(true)
  const [away, setAway] = useState(false)

  useEffect(() => {
    if (!scroller) return
    let input = 0
    const touch = () => {
      input = performance.now()
    }
    const scrolled = () => {
      if (distance(scroller) <= NEAR) stuck.current = true
      else if (performance.now() - input < INPUT_MS) stuck.current = false
      setAway(!stuck.current)
    }
    const inputs = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
    for (const name of inputs) scroller.addEventListener(name, touch, { passive: true })
    scroller.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      for (const name of inputs) scroller.removeEventListener(name, touch)
      scroller.removeEventListener('scroll', scrolled)
    }
  }, [scroller])

  // After every render of the list, which is after everything that could have moved the end.
  useLayoutEffect(() => {
    if (scroller && stuck.current && distance(scroller) > 1) toEnd()
  })

  return { away, stuck }
}
