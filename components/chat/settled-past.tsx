'use client'

import { createContext, type ReactNode, use } from 'react'
import type { Seq } from '@/lib/core/event'
import { useApp, useMoment } from '@/lib/state/hooks'
import { useSettled } from '../inspector/shared/use-settled'
import { useScrubbing } from '../time/scrubbing'

const Past = createContext<Seq | null>(null)

/** Keeps the conversation still while the playhead is dragged: its rows are dear, a glance at them is not missed. */
export function SettledPast({ children }: { children: ReactNode }) {
  const moment = useMoment()
  const past = useApp((state) => state.view.seq !== null) ? moment : null
  const scrubbing = useScrubbing((state) => state.scrubbing)
  const settled = useSettled(past, scrubbing ? 500 : 120)
  return <Past value={past === null ? null : settled}>{children}</Past>
}

/** The moment the conversation shows, null when LIVE: the playhead once it rests. */
export const useSettledPast = (): Seq | null => use(Past)
