'use client'

import { useEffect, useState } from 'react'
import { useApp, useSession } from '@/lib/state/hooks'
import { plainName } from '../ui/name'
import { useSessionStatus } from './session-status'

/** The tab's title: the session, a dot while it works, a tick when it is done and nobody was looking. */
export function DocumentTitle() {
  const status = useSessionStatus()
  return status === null || status === 'missing' ? <PlainTitle /> : <SessionTitle />
}

function PlainTitle() {
  const boot = useApp((state) => state.boot)
  useEffect(() => {
    document.title = boot === 'failed' ? 'Palimpsest could not start' : 'Palimpsest'
  }, [boot])
  return null
}

function SessionTitle() {
  const title = useSession((state) => state.title) || 'Untitled session'
  const busy = useSession((state) => !['idle', 'failed'].includes(state.live.phase))
  const [wasBusy, setWasBusy] = useState(busy)
  const [unseen, setUnseen] = useState(false)
  if (wasBusy !== busy) {
    setWasBusy(busy)
    if (wasBusy && document.hidden) setUnseen(true)
    if (busy) setUnseen(false)
  }
  useEffect(() => {
    const seen = () => !document.hidden && setUnseen(false)
    document.addEventListener('visibilitychange', seen)
    return () => document.removeEventListener('visibilitychange', seen)
  }, [])
  useEffect(() => {
    document.title = `${busy ? '● ' : unseen ? '✓ ' : ''}${plainName(title)}`
  }, [title, busy, unseen])
  return null
}
