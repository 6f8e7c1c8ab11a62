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
    let end = scroller.scrollHeight - scroller.clientHeight
    const scrolled = () => {
      const newEnd = scroller.scrollHeight - scroller.clientHeight
      // An end that came nearer (a shorter list, a shorter composer) moves the reader up by itself.
      const up = scroller.scrollTop < top && newEnd >= end
      const down = scroller.scrollTop > top
      top = scroller.scrollTop
      end = newEnd
      const near = distance(scroller) <= NEAR
      // The smallest step up lets go, or the list would pull a slow reader back.
      if (up) stuck.current = false
      else if (down && near) stuck.current = true
      setAway(!stuck.current && !near)
    }
    // Before the list hears of it: it renders at once, and the effect below must know by then.
    const options = { passive: true, capture: true }
    scroller.addEventListener('scroll', scrolled, options)
    // What stands below the list grows and shrinks without a render of the list.
    const resized = new ResizeObserver(() => {
      if (stuck.current && distance(scroller) > 1) scroller.scrollTop = scroller.scrollHeight
    })
    resized.observe(scroller)
    return () => {
      scroller.removeEventListener('scroll', scrolled, options)
      resized.disconnect()
    }
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
