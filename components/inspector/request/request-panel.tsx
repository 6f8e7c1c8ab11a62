'use client'

import { useMemo, useState } from 'react'
import { EmptyState } from '@/components/ui/empty-state'
import { Spinner } from '@/components/ui/spinner'
import { callOf } from '@/lib/core/request'
import { type RequestProof, useMoment, useRequest, useSession } from '@/lib/state/hooks'
import { useSettled } from '../shared/use-settled'
import { VirtualRows } from '../shared/virtual-rows'
import { PartRow } from './part-row'
import { rowsOf } from './parts'
import { keyOf } from './prefix'
import { Proof } from './proof'
import { RequestHead } from './request-head'
import { useSince } from './since'

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
  return <Body proof={request.proof} seq={seq} />
}

function Body({ proof, seq }: { proof: RequestProof; seq: number }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set())
  const [active, setActive] = useState(-1)
  const since = useSince(proof)
  const rows = useMemo(() => rowsOf(proof.body), [proof])
  const toggle = (key: string) => {
    const next = new Set(open)
    if (!next.delete(key)) next.add(key)
    setOpen(next)
  }
  return (
    <div className="flex h-full min-h-0 flex-col" data-testid="request" data-call={seq}>
      <RequestHead proof={proof} rows={rows} since={since} />
      <Proof proof={proof} />
      <VirtualRows
        role="list"
        label="Parts of the request"
        count={rows.length}
        estimate={28}
        measured
        keyOf={(i) => keyOf(rows[i]!)}
        active={active}
        onActive={setActive}
        className="px-2 pb-2"
      >
        {(i, props) => {
          const row = rows[i]!
          const key = keyOf(row)
          return (
            <PartRow
              row={row}
              props={props}
              open={open.has(key)}
              endsPrefix={since?.prefix.endsAt === key}
              onToggle={() => toggle(key)}
            />
          )
        }}
      </VirtualRows>
    </div>
  )
}
