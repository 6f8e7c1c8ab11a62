'use client'

import { createContext, type ReactNode, use, useState } from 'react'

const Memory = createContext<Map<string, unknown> | null>(null)

/** Remembers what was unfolded in a list whose rows come and go while scrolling. */
export function RowMemory({ children }: { children: ReactNode }) {
  const [map] = useState(() => new Map<string, unknown>())
  return <Memory value={map}>{children}</Memory>
}

/** `useState` that survives the row's unmounting, under a key of its own. */
export function useRemembered<T>(key: string, initial: T): [T, (value: T) => void] {
  const memory = use(Memory)
  const [value, setValue] = useState<T>(() => (memory?.has(key) ? (memory.get(key) as T) : initial))
  return [
    value,
    (next) => {
      memory?.set(key, next)
      setValue(next)
    },
  ]
}
