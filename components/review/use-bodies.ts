'use client'

import { useEffect, useSyncExternalStore } from 'react'
import type { Seq, SessionEvent } from '@/lib/core/event'
import { useAppInstance, useSession } from '@/lib/state/hooks'

/** A few events, all at once; null until every one is here. Not for spans: bodies are pushed out again. */
export function useBodies(seqs: readonly Seq[]): SessionEvent[] | null {
  const { bodies } = useAppInstance()
  const id = useSession((state) => state.id)
  const here = useSyncExternalStore(
    bodies.subscribe,
    () => seqs.reduce((sum, seq) => sum + (bodies.peek(id, seq) ? 1 : 0), 0),
    () => 0,
  )
  const wanted = seqs.join()
  useEffect(() => {
    if (wanted !== '') bodies.load(id, wanted.split(',').map(Number))
  }, [bodies, id, wanted])
  if (here < seqs.length) return null
  return seqs.flatMap((seq) => bodies.peek(id, seq) ?? [])
}
