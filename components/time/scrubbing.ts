/** Whether the playhead is being dragged: what is dear to show waits until it rests. */

import { create } from 'zustand'

export const useScrubbing = create<{ scrubbing: boolean }>()(() => ({ scrubbing: false }))

/** On until the pointer that pressed is let go of, wherever that happens. */
export function scrubWhilePressed(): void {
  useScrubbing.setState({ scrubbing: true })
  const end = () => {
    removeEventListener('pointerup', end)
    removeEventListener('pointercancel', end)
    useScrubbing.setState({ scrubbing: false })
  }
  addEventListener('pointerup', end)
  addEventListener('pointercancel', end)
}
