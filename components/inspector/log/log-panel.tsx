'use client'

import { useState } from 'react'
import { EmptyState } from '@/components/ui/empty-state'
import { Select, TextInput } from '@/components/ui/field'
import { count, exact } from '@/components/ui/format'
import type { Seq } from '@/lib/core/event'
import { lastAtOrBefore } from '@/lib/core/projections/timeline'
import { useActions, useApp, useMoment, useSession } from '@/lib/state/hooks'
import { VirtualRows } from '../shared/virtual-rows'
import { CheckBadge } from './check-badge'
import { GROUPS, type Group, NO_FILTER, STANDINGS, type Standing } from './filter'
import { LogRow } from './log-row'
import { useRows } from './use-rows'

/** Every event of the session, whatever the playhead; those after it lie on another ground. */
export function LogPanel() {
  const version = useSession((state) => state.version)
  const selected = useApp((state) => state.view.node)
  const moment = useMoment()
  const { select } = useActions()
  const [filter, setFilter] = useState(NO_FILTER)
  const [text, setText] = useState('')
  const [open, setOpen] = useState<ReadonlySet<Seq>>(() => new Set())
  const { rows, left } = useRows(filter, text)
  const toggle = (seq: Seq) => {
    const next = new Set(open)
    if (!next.delete(seq)) next.add(seq)
    setOpen(next)
    select(seq)
  }
  if (version === 0)
    return (
      <EmptyState title="The log is empty">
        Every fact of the session is appended here and never changed.
      </EmptyState>
    )
  return (
    <div className="flex h-full min-h-0 flex-col" data-testid="log">
      <div className="flex flex-wrap items-center gap-2 px-3.5 py-2.5">
        <div className="w-42 shrink-0">
          <Select
            aria-label="Kinds of events"
            value={filter.group}
            onChange={(event) => setFilter({ ...filter, group: event.target.value as Group })}
          >
            {GROUPS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </div>
        <div className="w-36 shrink-0">
          <Select
            aria-label="Standing of events"
            value={filter.standing}
            onChange={(event) => setFilter({ ...filter, standing: event.target.value as Standing })}
          >
            {STANDINGS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </div>
        <div className="w-18 shrink-0">
          <TextInput
            inputMode="numeric"
            aria-label="Turn"
            placeholder="Turn"
            value={filter.turn ?? ''}
            onChange={(event) => {
              const turn = Number.parseInt(event.target.value, 10)
              setFilter({ ...filter, turn: Number.isNaN(turn) ? null : turn })
            }}
          />
        </div>
        <div className="min-w-24 flex-1">
          <TextInput
            type="search"
            aria-label="Text in the log"
            placeholder="Text, type or #seq"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <span className="mono text-ink2" data-testid="log-count">
          {rows.length === version
            ? count(version, 'event')
            : `${rows.length} of ${count(version, 'event')}`}
          {left > 0 ? `, ${exact(left)} to read` : ''}
        </span>
        <CheckBadge />
      </div>
      {rows.length === 0 ? (
        <EmptyState title="No event matches">
          {left > 0
            ? `Looking through ${count(left, 'more event')}.`
            : 'Neither a head nor a text holds this.'}
        </EmptyState>
      ) : (
        <VirtualRows
          role="list"
          label="Events"
          count={rows.length}
          estimate={26}
          measured
          keyOf={(i) => rows[i]!}
          active={selected === null ? -1 : rows.indexOf(selected)}
          anchor={lastAtOrBefore(rows, (seq) => seq, moment)}
          onActive={(i) => select(rows[i]!)}
          className="px-2 pb-2"
        >
          {(i, props) => {
            const seq = rows[i]!
            return (
              <LogRow
                seq={seq}
                props={props}
                open={open.has(seq)}
                selected={seq === selected}
                future={seq > moment}
                now={seq === moment}
                onToggle={() => toggle(seq)}
              />
            )
          }}
        </VirtualRows>
      )}
    </div>
  )
}
