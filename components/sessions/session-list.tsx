'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useActions, useApp } from '@/lib/state/hooks'
import type { SessionSummary } from '@/lib/state/model'
import { useNow } from '../ui/use-now'
import { ROW_HEIGHT, SessionRow } from './session-row'

/** The rows, newest first; arrows move, Enter opens, F2 renames, Delete removes. */
export function SessionList({
  sessions,
  onOpened,
}: {
  sessions: SessionSummary[]
  onOpened(): void
}) {
  'use no memo'
  const open = useApp((state) => state.view.session)
  const { openSession } = useActions()
  const now = useNow(60_000)
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const rows = useVirtualizer({
    count: sessions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT + 2,
    getItemKey: (index) => sessions[index]!.id,
    overscan: 6,
  })
  const tabbable = sessions.some(({ id }) => id === focused)
    ? focused
    : (sessions.find(({ id }) => id === open) ?? sessions[0])?.id

  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || !(event.target as HTMLElement).dataset.session) return
    event.preventDefault()
    const from = sessions.findIndex(({ id }) => id === tabbable)
    const to = Math.max(0, Math.min(sessions.length - 1, from + step))
    rows.scrollToIndex(to)
    const id = sessions[to]!.id
    setFocused(id)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-session="${CSS.escape(id)}"]`)?.focus(),
    )
  }

  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-2.5 pb-2.5 pt-0.5">
      <ul
        aria-label="Sessions"
        className="relative m-0 list-none p-0"
        style={{ height: rows.getTotalSize() }}
        onKeyDown={move}
      >
        {rows.getVirtualItems().map((row) => {
          const session = sessions[row.index]!
          return (
            <li
              key={row.key}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              <SessionRow
                session={session}
                open={session.id === open}
                now={now}
                tabbable={session.id === tabbable}
                onFocus={() => setFocused(session.id)}
                onOpen={() => {
                  openSession(session.id)
                  onOpened()
                }}
              />
            </li>
          )
        })}
      </ul>
    </div>
  )
}
