'use client'

import { useEffect, useEffectEvent } from 'react'

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select') !== null)

/** Text that begins like a record, and not like what people say. */
const isTranscript = (text: string): boolean => /^\s*[[{]/.test(text)

/** Files, or the text of a transcript, pasted anywhere but into a field. */
export function usePaste(onPaste: (files: File[]) => void): void {
  const pasted = useEffectEvent(onPaste)
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { clipboardData: data } = event
      if (!data || event.defaultPrevented || isEditable(event.target)) return
      const text = data.getData('text/plain')
      const files = [...data.files]
      if (files.length === 0 && isTranscript(text)) files.push(new File([text], 'pasted text'))
      if (files.length === 0) return
      event.preventDefault()
      pasted(files)
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [])
}
