'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './button'

/** Copies what `text` gives when pressed, and says that it did. */
export function CopyButton({
  text,
  label = 'Copy',
  className,
}: {
  text: string | (() => string | Promise<string>)
  label?: string
  className?: string
}) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 1600)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setState('done')
    } catch {
      setState('failed')
    }
  }
  return (
    <IconButton
      size="sm"
      label={state === 'done' ? 'Copied' : state === 'failed' ? 'Copying was refused' : label}
      onClick={copy}
      {...(className ? { className } : {})}
    >
      {state === 'done' ? <Check size={13} /> : <Copy size={13} />}
    </IconButton>
  )
}
