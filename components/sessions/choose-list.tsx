'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { count, moment, when } from '../ui/format'
import { Name } from '../ui/name'
import type { ChoiceRow } from './choose-rows'

const ROW_PX = 40

type Props = {
  rows: readonly ChoiceRow[]
  chosen: ReadonlySet<string>
  onChange(key: string, on: boolean): void
}

/** Conversations with a box each; of thousands only what is in sight exists. */
export function ChooseList({ rows, chosen, onChange }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [now] = useState(() => Date.now())
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
  })
  const height = list.getTotalSize()
  return (
    <div ref={box} className="h-[min(24rem,50dvh)] overflow-y-auto rounded-md border">
      <ul aria-label="Conversations" className="relative m-0 list-none p-0" style={{ height }}>
        {list.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index]
          return row ? (
            <li
              key={key}
              className="absolute inset-x-0 border-b border-line last:border-0"
              style={{ top: start, height: ROW_PX }}
            >
              <label className="flex h-full cursor-pointer items-center gap-2.5 px-2.5 hover:bg-hover">
                <input
                  type="checkbox"
                  className="accent-accent"
                  checked={chosen.has(row.key)}
                  onChange={({ target }) => onChange(row.key, target.checked)}
                />
                <span className="min-w-0 flex-1 truncate">
                  <Name>{row.title}</Name>
                </span>
                <span className="shrink-0 text-sm tabular-nums text-ink3">
                  {count(row.messages, 'message')}
                </span>
                <span
                  className="w-24 shrink-0 max-wide:w-14 text-right text-sm tabular-nums text-ink3"
                  title={row.updatedAt === null ? undefined : moment(row.updatedAt)}
                >
                  {row.updatedAt === null ? 'no date' : when(row.updatedAt, now)}
                </span>
              </label>
            </li>
          ) : null
        })}
      </ul>
    </div>
  )
}
