'use client'

import { useEffect, useState } from 'react'
import { type Checker, createChecker, type Violation } from '@/lib/core/check'
import type { Log } from '@/lib/core/log'
import { useAppInstance, useSession } from '@/lib/state/hooks'
import { readBodies } from '../shared/bodies'

/** Events judged at once; the page breathes in between. */
const PIECE = 100

type Progress = { checker: Checker; checked: number; violations: Violation[] }
export type CheckState =
  | { state: 'running'; checked: number; total: number }
  | { state: 'done'; violations: readonly Violation[] }

/** How far each log has been checked; a log that grows is checked on from there. */
const known = new WeakMap<Log, Progress>()

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 200 })
    else setTimeout(resolve, 16)
  })

/** Every log rule over every event (K4), in idle pieces. */
export function useCheck(): CheckState {
  const { bodies } = useAppInstance()
  const id = useSession((state) => state.id)
  const log = useSession((state) => state.log)
  const total = useSession((state) => state.version)
  const [result, setResult] = useState<{ log: Log; value: CheckState } | null>(null)
  useEffect(() => {
    let stopped = false
    const run = async () => {
      const progress = known.get(log) ?? {
        checker: createChecker(log.header),
        checked: 0,
        violations: [],
      }
      known.set(log, progress)
      while (progress.checked < total && !stopped) {
        const from = progress.checked
        const seqs = Array.from({ length: Math.min(PIECE, total - from) }, (_, i) => from + i)
        const events = await readBodies(bodies, id, seqs)
        // Another run may have gone on while this one waited for bodies.
        if (stopped || progress.checked !== from) break
        for (const event of events) progress.violations.push(...progress.checker.add(event))
        progress.checked += events.length
        setResult({ log, value: { state: 'running', checked: progress.checked, total } })
        await idle()
      }
      if (stopped || progress.checked < total) return
      const violations = [...progress.violations, ...progress.checker.end()]
      setResult({ log, value: { state: 'done', violations } })
    }
    void run()
    return () => {
      stopped = true
    }
  }, [bodies, id, log, total])
  return result?.log === log ? result.value : { state: 'running', checked: 0, total }
}
