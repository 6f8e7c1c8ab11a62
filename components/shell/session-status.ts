'use client'

import { useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { useAppInstance } from '@/lib/state/hooks'
import type { SessionState } from '@/lib/state/model'

const nothing = () => () => {}

/** Status of the open session; null where none is open. For what stays mounted across sessions. */
export function useSessionStatus(): SessionState['status'] | null {
  const current = useStore(useAppInstance().session, (state) => state.current)
  return useSyncExternalStore(
    current?.subscribe ?? nothing,
    () => current?.getState().status ?? null,
    () => null,
  )
}
