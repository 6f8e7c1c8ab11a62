'use client'

import { useSyncExternalStore } from 'react'

/** Whether a media query holds, live. False while rendering on the server. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    () => false,
  )
}

/** Below this the panes no longer fit side by side (the `wide` breakpoint of globals.css). */
export const useNarrow = (): boolean => useMedia('(max-width: 959.98px)')
