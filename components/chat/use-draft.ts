'use client'

import { useEffect, useRef, useState } from 'react'
import { useActions, useSession } from '@/lib/state/hooks'

const PAUSE_MS = 400

type Draft = { text: string; files: readonly File[] }

/**
 * What is being written and the files with it: kept here while typing, saved after a pause, when the page hides
 * and at the end. Files are saved at once: nobody adds one with every key.
 */
export function useDraft() {
  const text = useSession((state) => state.draft)
  const files = useSession((state) => state.attached)
  const session = useSession((state) => state.header.id)
  const { saveDraft } = useActions()
  const [draft, setDraft] = useState<Draft>({ text, files })
  const latest = useRef(draft)
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null)

  useEffect(() => {
    const flush = () => {
      if (waiting.current === null) return
      clearTimeout(waiting.current)
      waiting.current = null
      saveDraft(session, latest.current.text, latest.current.files)
    }
    document.addEventListener('visibilitychange', flush)
    window.addEventListener('pagehide', flush)
    return () => {
      document.removeEventListener('visibilitychange', flush)
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [saveDraft, session])

  const change = (part: Partial<Draft>) => {
    latest.current = { ...latest.current, ...part }
    setDraft(latest.current)
    if (waiting.current !== null) clearTimeout(waiting.current)
    waiting.current = null
  }
  const keep = (part: Partial<Draft>) => {
    change(part)
    saveDraft(session, latest.current.text, latest.current.files)
  }
  const write = (text: string) => {
    change({ text })
    waiting.current = setTimeout(() => {
      waiting.current = null
      saveDraft(session, latest.current.text, latest.current.files)
    }, PAUSE_MS)
  }
  return {
    ...draft,
    write,
    add: (files: readonly File[]) => keep({ files: [...latest.current.files, ...files] }),
    remove: (file: File) => keep({ files: latest.current.files.filter((other) => other !== file) }),
    clear: () => keep({ text: '', files: [] }),
    /** What could not be sent comes back, above what was written since. */
    putBack: (unsent: Draft) =>
      keep({
        text: [unsent.text, latest.current.text].filter((part) => part !== '').join('\n'),
        files: [...unsent.files, ...latest.current.files],
      }),
  }
}
