import { useEffect, useRef } from 'react'

/** How long a pointer or the focus rests on something that is meant: longer than it takes to pass over. */
const REST_MS = 80

/** Props of something that has `work` done ahead once the pointer or the focus rests on it. */
export function useDwell(work: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const end = () => clearTimeout(timer.current)
  const begin = () => {
    end()
    timer.current = setTimeout(work, REST_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return { onPointerEnter: begin, onPointerLeave: end, onFocus: begin, onBlur: end }
}
