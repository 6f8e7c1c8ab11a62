'use no memo'
'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { cx } from '@/components/ui/cx'

type Props = {
  label: string
  /** `listbox` rows are chosen, `list` rows hold controls of their own, `tree` rows also nest. */
  role: 'listbox' | 'list' | 'tree'
  count: number
  /** Height of a row before it is measured, CSS pixels. */
  estimate: number
  /** Rows differ in height and must be measured. */
  measured?: boolean
  keyOf(index: number): string | number
  /** The row in focus, or -1. It is scrolled into sight when it changes. */
  active: number
  onActive(index: number): void
  /** Whether a row can take focus; all can if left out. */
  isStop?(index: number): boolean
  /** A row to keep in sight while none is active, without taking focus. */
  anchor?: number
  /** Keys other than moving; return true when done with the event. */
  onKey?(event: KeyboardEvent, index: number): boolean
  /** Gives the row; `props` belong on the element that takes focus. */
  children(index: number, props: RowProps): ReactNode
  className?: string
  footer?: ReactNode
}

export type RowProps = { tabIndex: 0 | -1; 'data-row': number }

const STEPS: Record<string, (at: number, count: number, page: number) => number> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, _, page) => at + page,
  PageUp: (at, _, page) => at - page,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** A list of any length of which only what is in sight exists, walked with the arrow keys. */
export function VirtualRows(props: Props) {
  const { count, estimate, active, onActive, keyOf } = props
  const box = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => estimate,
    getItemKey: keyOf,
    overscan: 6,
  })
  const focusNext = useRef(false)
  useEffect(() => {
    if (active < 0 || active >= count) return
    const { range } = rows
    const inSight = range && active > range.startIndex && active < range.endIndex - 1
    if (focusNext.current) rows.scrollToIndex(active, { align: 'auto' })
    else if (!inSight) rows.scrollToIndex(active, { align: 'center' })
    if (!focusNext.current) return
    focusNext.current = false
    const frame = requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-row="${active}"]`)?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [active, count, rows])

  const { anchor = -1 } = props
  useEffect(() => {
    if (active < 0 && anchor >= 0) rows.scrollToIndex(anchor, { align: 'center' })
  }, [active, anchor, rows])

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (target.dataset.row === undefined && target !== box.current) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const at = Number(target.dataset.row ?? active)
    // With shift the owner of the list may widen a choice instead.
    if (event.shiftKey && props.onKey?.(event, at)) return event.preventDefault()
    const step = STEPS[event.key]
    if (!step) {
      if (props.onKey?.(event, at)) event.preventDefault()
      return
    }
    event.preventDefault()
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / estimate) - 1)
    const next = Math.max(0, Math.min(count - 1, step(at, count, page)))
    focusNext.current = true
    onActive(next)
  }

  const inside = rows.getVirtualItems()
  const { isStop = () => true } = props
  const tabbable = inside.some((item) => item.index === active)
    ? active
    : inside.find((item) => isStop(item.index))?.index
  const isList = props.role === 'list'
  const widget = { role: props.role, 'aria-label': props.label, onKeyDown }
  const item = (index: number) =>
    isList
      ? { role: 'listitem', 'aria-setsize': count, 'aria-posinset': index + 1 }
      : { role: 'presentation' }
  return (
    <div
      ref={box}
      data-rows={count}
      className={cx('h-full min-h-0 overflow-y-auto overscroll-contain', props.className)}
    >
      <div {...widget} className="relative w-full" style={{ height: rows.getTotalSize() }}>
        {inside.map(({ index, key, start }) => (
          <div
            key={key}
            {...item(index)}
            ref={props.measured ? rows.measureElement : undefined}
            data-index={index}
            className="absolute left-0 top-0 w-full"
            style={{
              transform: `translateY(${start}px)`,
              height: props.measured ? undefined : estimate,
            }}
          >
            {props.children(index, {
              tabIndex: index === tabbable ? 0 : -1,
              'data-row': index,
            })}
          </div>
        ))}
      </div>
      {props.footer}
    </div>
  )
}
