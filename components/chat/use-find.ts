'use client'

import { useEffect, useState } from 'react'
import type { EventHead, Seq } from '@/lib/core/event'
import { useAppInstance, useSession } from '@/lib/state/hooks'
import { rowOf } from './rows'
import { matches } from './search-text'

/** Bodies asked for at once; small enough that the newest of them are never pushed out of the cache. */
const BATCH = 64
const WAIT_MS = 180

/** Types with words to search in; the checkpoint repeats its summary, so only one of them is searched. */
const isSearched = (head: EventHead): boolean =>
  head.type === 'assistant/message' ||
  head.type === 'tool/result' ||
  head.type === 'compact/summary' ||
  head.type === 'request/failed' ||
  (head.type === 'user/message' && head.kind !== 'checkpoint')

export type Find = {
  query: string
  search(query: string): void
  searching: boolean
  total: number
  /** Index of the current match among them. */
  position: number
  /** Event of the current match; null without one. */
  seq: Seq | null
  /** The row that shows it. */
  row: number | null
  move(step: 1 | -1): void
}

/** Searches every event of the session, newest first, reading bodies as it goes. */
export function useFind(): Find {
  const { bodies } = useAppInstance()
  const id = useSession((state) => state.id)
  const log = useSession((state) => state.log)
  const transcript = useSession((state) => state.transcript)
  const [query, setQuery] = useState('')
  const [hits, setHits] = useState<Seq[]>([])
  const [searching, setSearching] = useState(false)
  const [chosen, setChosen] = useState<Seq | null>(null)
  const wanted = query.trim().toLowerCase()

  useEffect(() => {
    setHits([])
    setChosen(null)
    setSearching(wanted !== '')
    if (wanted === '') return
    let left: Seq[] = log.heads.filter(isSearched).map(({ seq }) => seq)
    let batch: Seq[] = []
    let stopped = false
    const next = () => {
      batch = left.slice(-BATCH)
      left = left.slice(0, -BATCH)
      if (batch.length === 0) return setSearching(false)
      bodies.load(id, batch)
      // What is already there tells nobody, so look at once.
      queueMicrotask(read)
    }
    const read = () => {
      if (stopped || batch.length === 0) return
      const rest: Seq[] = []
      const found: Seq[] = []
      for (const seq of batch) {
        const event = bodies.peek(id, seq)
        if (!event) rest.push(seq)
        else if (matches(event, wanted)) found.push(seq)
      }
      batch = rest
      if (found.length > 0) setHits((hits) => [...hits, ...found].sort((a, b) => a - b))
      if (rest.length === 0) setTimeout(() => !stopped && next())
    }
    const unsubscribe = bodies.subscribe(read)
    const timer = setTimeout(next, WAIT_MS)
    return () => {
      stopped = true
      clearTimeout(timer)
      unsubscribe()
    }
    // What is appended while searching is found when the words change; a search must not begin anew.
  }, [wanted, bodies, id, log])

  // The newest match, nearest to where a reader usually is, unless another was gone to.
  const at = chosen === null ? hits.length - 1 : hits.indexOf(chosen)
  const current = hits[at] ?? null
  return {
    query,
    search: setQuery,
    searching,
    total: hits.length,
    position: Math.max(0, at),
    seq: current,
    row: current === null ? null : rowOf(transcript, current),
    move: (step) => setChosen(hits[(at + step + hits.length) % hits.length] ?? null),
  }
}
