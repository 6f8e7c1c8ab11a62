'use client'

import { useState } from 'react'

/**
 * For the content of a modal sheet, mounted with it: gives the focus back to what had it before, as Radix
 * does only for triggers of its own. Whoever took the focus in the meantime (a key pressed right after
 * Escape) keeps it.
 */
export function useOpener(): (event: Event) => void {
  const [opener] = useState(() => document.activeElement)
  return (event) => {
    event.preventDefault()
    const isFree = document.activeElement === null || document.activeElement === document.body
    if (isFree && opener instanceof HTMLElement && opener.isConnected) opener.focus()
  }
}
