'use client'

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Pixels from the end that still count as reading along. */
export const NEAR = 48

export const distance = (element: HTMLElement): number =>
  element.scrollHeight - element.clientHeight - element.scrollTop

/**
 * Keeps the end in view while the reader is there, and lets go when the reader scrolls up. What grows,
 * shrinks or is measured late moves the end, never the reader.
 */
export function useStick(scroller: HTMLElement | null): {
  away: boolean
  stuck: RefObject<boolean>
  toEnd(): void
} {
  const stuck = useRef(true)
  const [away, setAway] = useState(false)

  useEffect(() => {
    if (!scroller) return
    let top = scroller.scrollTop
    let height = scroller.scrollHeight
    const scrolled = () => {
      // A list that got shorter is moved up by the browser; only a reader moves up in one that did not.
      const up = scroller.scrollTop < top && scroller.scrollHeight >= height
      const down = scroller.scrollTop > top
      top = scroller.scrollTop
      height = scroller.scrollHeight
      const near = distance(scroller) <= NEAR
      // The smallest step up lets go, or the list would pull a slow reader back.
      if (up) stuck.current = false
      else if (down && near) stuck.current = true
      setAway(!stuck.current && !near)
    }
    // Before the list hears of it: it renders at once, and the effect below must know by then.
    const options = { passive: true, capture: true }
    scroller.addEventListener('scroll', scrolled, options)
    return () => scroller.removeEventListener('scroll', scrolled, options)
  }, [scroller])

  // After every render of the list, which is after everything that could have moved the end.
  useLayoutEffect(() => {
    if (scroller && stuck.current && distance(scroller) > 1)
      scroller.scrollTop = scroller.scrollHeight
  })

  return {
    away,
    stuck,
    toEnd() {
      stuck.current = true
      setAway(false)
      if (scroller) scroller.scrollTop = scroller.scrollHeight
    },
  }
}
