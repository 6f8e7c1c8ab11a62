'use client'

import { useEffect, useRef, useState } from 'react'
import { useActions, useSession } from '@/lib/state/hooks'

const PAUSE_MS = 400

/** The text being written: kept here while typing, saved after a pause and when the page hides. */
export function useDraft(): [text: string, write: (text: string) => void, clear: () => void] {
  const stored = useSession((state) => state.draft)
  const { saveDraft } = useActions()
  const [text, setText] = useState(stored)
  const waiting = useRef<{ text: string; timer: ReturnType<typeof setTimeout> } | null>(null)

  useEffect(() => {
    const flush = () => {
      if (!waiting.current) return
      clearTimeout(waiting.current.timer)
      saveDraft(waiting.current.text)
      waiting.current = null
    }
    document.addEventListener('visibilitychange', flush)
    window.addEventListener('pagehide', flush)
    return () => {
      document.removeEventListener('visibilitychange', flush)
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [saveDraft])

  const write = (next: string) => {
    setText(next)
    if (waiting.current) clearTimeout(waiting.current.timer)
    const timer = setTimeout(() => {
      waiting.current = null
      saveDraft(next)
    }, PAUSE_MS)
    waiting.current = { text: next, timer }
  }
  const clear = () => {
    if (waiting.current) clearTimeout(waiting.current.timer)
    waiting.current = null
    setText('')
    saveDraft('')
  }
  return [text, write, clear]
}
