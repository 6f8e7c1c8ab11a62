'use client'

import { useEffect, useState } from 'react'

/** The value once it has not changed for a moment: what is dear to show need not follow a drag. */
export function useSettled<T>(value: T, ms = 120): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
