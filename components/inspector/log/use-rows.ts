'use client'

import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Seq } from '@/lib/core/event'
import { useAppInstance, useMoment, useSession } from '@/lib/state/hooks'
import { readBodies } from '../shared/bodies'
import { useSettled } from '../shared/use-settled'
import { bodyHolds, type Filter, filterLog } from './filter'

/** Bodies looked through at once; the page breathes in between. */
const PIECE = 200

export type Found = {
  rows: readonly Seq[]
  /** Bodies still to be looked through. */
  left: number
}

const NONE: ReadonlySet<Seq> = new Set()
const breathe = (): Promise<void> => new Promise((done) => setTimeout(done))

/** The rows of a filter: at once what heads tell, then what bodies hold, piece by piece. */
export function useRows(filter: Filter, typed: string): Found {
  const { bodies } = useAppInstance()
  const id = useSession((state) => state.id)
  const log = useSession((state) => state.log)
  const version = useSession((state) => state.version)
  const moment = useSettled(useMoment())
  const text = useSettled(useDeferredValue(typed), typed === '' ? 0 : 200)
  const at = filter.standing === 'any' ? version - 1 : moment
  const { sure, unread } = useMemo(
    () => filterLog(log, version, filter, text, at),
    [log, version, filter, text, at],
  )
  const [read, setRead] = useState<{ of: readonly Seq[]; done: number; hits: ReadonlySet<Seq> }>()
  useEffect(() => {
    let stopped = false
    const run = async () => {
      const hits = new Set<Seq>()
      for (let from = 0; from < unread.length && !stopped; from += PIECE) {
        const events = await readBodies(bodies, id, unread.slice(from, from + PIECE))
        if (stopped) return
        for (const event of events) if (bodyHolds(event, text)) hits.add(event.seq)
        setRead({ of: unread, done: from + events.length, hits: new Set(hits) })
        await breathe()
      }
    }
    void run()
    return () => {
      stopped = true
    }
  }, [bodies, id, unread, text])
  const current = read?.of === unread ? read : null
  const hits = current?.hits ?? NONE
  const rows = useMemo(
    () => (hits.size === 0 ? sure : [...sure, ...hits].sort((a, b) => a - b)),
    [sure, hits],
  )
  return { rows, left: unread.length - (current?.done ?? 0) }
}
