/** The picture by keyboard. */

import type { KeyboardEvent } from 'react'
import type { Seq } from '@/lib/core/event'
import { neighbour, type StrataLayout } from '@/lib/core/projections/strata-layout'
import type { TopRange } from './range'
import type { CameraControl } from './use-camera'

type Keys = {
  event: KeyboardEvent
  layout: StrataLayout
  index: number
  control: CameraControl
  range: TopRange | null
  snap(one: number, other: number): TopRange | null
  onRange(range: TopRange | null): void
  select(seq: Seq | null): void
  focus(index: number): void
  width: number
}

const WALK = {
  ArrowUp: 'parent',
  ArrowDown: 'child',
  ArrowLeft: 'left',
  ArrowRight: 'right',
} as const

/** Keys on the picture; true when one did something. */
export function pressKey(k: Keys): boolean {
  const { event, layout, index, control, range } = k
  if (event.metaKey || event.ctrlKey || event.altKey || layout.count === 0) return false
  const top = layout.rowStart[1]! - 1
  const direction = WALK[event.key as keyof typeof WALK]
  if (direction && event.shiftKey && (direction === 'left' || direction === 'right')) {
    const anchor = index >= 0 && index <= top ? index : top
    const edge = !range ? anchor : direction === 'right' ? range.to + 1 : range.from - 1
    const held = Math.min(top, Math.max(0, edge))
    const from = !range ? anchor : direction === 'right' ? range.from : range.to
    k.onRange(k.snap(from, held))
    return true
  }
  if (direction) {
    k.select(layout.seq[index < 0 ? top : neighbour(layout, index, direction)]!)
    return true
  }
  switch (event.key) {
    case 'Home':
    case 'End':
      k.select(layout.seq[event.key === 'Home' ? 0 : top]!)
      return true
    case 'Enter':
      if (index >= 0) k.focus(index)
      return index >= 0
    case 'Escape':
      if (range) k.onRange(null)
      else if (!control.back()) k.select(null)
      return true
    case '+':
    case '=':
      control.zoomAt(k.width / 2, 1.5)
      return true
    case '-':
      control.zoomAt(k.width / 2, 1 / 1.5)
      return true
    case '0':
      control.whole()
      return true
    default:
      return false
  }
}
