'use client'

import { useDeferredValue, useMemo, useState } from 'react'
import { EmptyState } from '@/components/ui/empty-state'
import { Select, TextInput } from '@/components/ui/field'
import { count } from '@/components/ui/format'
import type { Seq } from '@/lib/core/event'
import { lastAtOrBefore } from '@/lib/core/projections/timeline'
import { useActions, useApp, useAppInstance, useMoment, useSession } from '@/lib/state/hooks'
import { VirtualRows } from '../shared/virtual-rows'
import { CheckBadge } from './check-badge'
import { filterLog, GROUPS, type Group } from './filter'
import { LogRow } from './log-row'

/** Every event of the session, whatever the playhead; those after it lie on another ground. */
export function LogPanel() {
  const log = useSession((state) => state.log)
  const version = useSession((state) => state.version)
  const id = useSession((state) => state.id)
  const selected = useApp((state) => state.view.node)
  const moment = useMoment()
  const { bodies } = useAppInstance()
  const { select } = useActions()
  const [group, setGroup] = useState<Group>('all')
  const [text, setText] = useState('')
  const [open, setOpen] = useState<ReadonlySet<Seq>>(() => new Set())
  const wanted = useDeferredValue(text)
  const rows = useMemo(
    () => filterLog(log.heads.slice(0, version), group, wanted, (seq) => bodies.peek(id, seq)),
    [log, version, group, wanted, bodies, id],
  )
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
            value={group}
            onChange={(event) => setGroup(event.target.value as Group)}
          >
            {GROUPS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
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
        </span>
        <CheckBadge />
      </div>
      {rows.length === 0 ? (
        <EmptyState title="No event matches">
          Text is found in what has been read so far and in every event’s head.
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
