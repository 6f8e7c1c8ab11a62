'use client'

import { useEffect, useRef, useState } from 'react'
import { useActions, useSession } from '@/lib/state/hooks'

const PAUSE_MS = 400

/** The text being written: kept here while typing, saved after a pause, when the page hides and at the end. */
export function useDraft() {
  const stored = useSession((state) => state.draft)
  const session = useSession((state) => state.header.id)
  const { saveDraft } = useActions()
  const [text, setText] = useState(stored)
  const latest = useRef(stored)
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null)

  useEffect(() => {
    const flush = () => {
      if (waiting.current === null) return
      clearTimeout(waiting.current)
      waiting.current = null
      saveDraft(session, latest.current)
    }
    document.addEventListener('visibilitychange', flush)
    window.addEventListener('pagehide', flush)
    return () => {
      document.removeEventListener('visibilitychange', flush)
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [saveDraft, session])

  const change = (next: string) => {
    latest.current = next
    setText(next)
    if (waiting.current !== null) clearTimeout(waiting.current)
    waiting.current = null
  }
  const write = (next: string) => {
    change(next)
    waiting.current = setTimeout(() => {
      waiting.current = null
      saveDraft(session, next)
    }, PAUSE_MS)
  }
  const clear = () => {
    change('')
    saveDraft(session, '')
  }
  /** What could not be sent comes back, above what was written since. */
  const putBack = (unsent: string) => {
    const next = [unsent, latest.current].filter((part) => part !== '').join('\n')
    change(next)
    saveDraft(session, next)
  }
  return { text, write, clear, putBack }
}
