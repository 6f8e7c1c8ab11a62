'use client'

import { useState } from 'react'
import { EmptyState } from '@/components/ui/empty-state'
import { Spinner } from '@/components/ui/spinner'
import { callOf } from '@/lib/core/request'
import { useMoment, useRequest, useSession } from '@/lib/state/hooks'
import { useSettled } from '../shared/use-settled'
import { VirtualRows } from '../shared/virtual-rows'
import { PartRow } from './part-row'
import { rowsOf } from './parts'
import { Proof } from './proof'
import { RequestHead } from './request-head'

/** The exact body of the request the playhead stands in. */
export function RequestPanel() {
  const log = useSession((state) => state.log)
  const moment = useMoment()
  const call = moment < 0 ? -1 : callOf(log.heads, moment)
  const settled = useSettled(call)
  if (settled < 0)
    return (
      <EmptyState title="No request yet">
        Up to here nothing was sent. Every step and every summary has its exact request here.
      </EmptyState>
    )
  return <Request key={settled} seq={settled} />
}

function Request({ seq }: { seq: number }) {
  const request = useRequest(seq)
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set())
  const [active, setActive] = useState(-1)
  if (request.state === 'loading')
    return (
      <p className="m-0 flex items-center gap-2 p-4 text-ink2">
        <Spinner /> Rebuilding the request
      </p>
    )
  if (request.state === 'none')
    return <EmptyState title="No request yet">Up to here nothing was sent.</EmptyState>
  if (request.state === 'failed')
    return (
      <EmptyState title="This request cannot be rebuilt">
        {request.problem.replace(/^\w*Error: /, '')}
      </EmptyState>
    )
  const { proof } = request
  const rows = rowsOf(proof.body)
  const toggle = (key: string) => {
    const next = new Set(open)
    if (!next.delete(key)) next.add(key)
    setOpen(next)
  }
  return (
    <div className="flex h-full min-h-0 flex-col" data-testid="request" data-call={seq}>
      <RequestHead proof={proof} rows={rows} />
      <Proof proof={proof} />
      <VirtualRows
        role="list"
        label="Parts of the request"
        count={rows.length}
        estimate={28}
        measured
        keyOf={(i) => `${rows[i]!.part} ${rows[i]!.index}`}
        active={active}
        onActive={setActive}
        className="px-2 pb-2"
      >
        {(i, props) => {
          const row = rows[i]!
          const key = `${row.part} ${row.index}`
          return (
            <PartRow row={row} props={props} open={open.has(key)} onToggle={() => toggle(key)} />
          )
        }}
      </VirtualRows>
    </div>
  )
}
