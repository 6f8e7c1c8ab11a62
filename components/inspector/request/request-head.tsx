'use client'

import { bytes, exact, percent } from '@/components/ui/format'
import type { EventHead, Seq } from '@/lib/core/event'
import { type RequestProof, useBody, useSession } from '@/lib/state/hooks'
import { Name } from '../../ui/name'
import { SeqLink } from '../shared/seq-link'
import type { PartName, RequestRow } from './parts'
import { type Since, SinceLine } from './since'
import { TakeAlong } from './take-along'

const NAMES: { part: PartName; label: string }[] = [
  { part: 'tools', label: 'tools' },
  { part: 'system', label: 'system' },
  { part: 'messages', label: 'messages' },
]

/** Which call this is, its size by part, what the provider counted, and ways to take it along. */
export function RequestHead({
  proof,
  rows,
  since,
}: {
  proof: RequestProof
  rows: readonly RequestRow[]
  since: Since
}) {
  const head = useSession((state) => state.log.heads[proof.seq])
  const sum = (part: PartName, of: 'tokens' | 'bytes') =>
    rows.filter((row) => row.part === part).reduce((total, row) => total + row[of], 0)
  const weight = rows.reduce((total, row) => total + row.bytes, 0)
  return (
    <div className="flex flex-col gap-1.5 px-3.5 pb-1.5 pt-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <b className="font-semibold">{head ? callName(head) : 'Request'}</b>
        <SeqLink seq={proof.seq} />
        <span className="mono min-w-0 flex-1 truncate text-ink2">
          <Name>{proof.body.model}</Name>
        </span>
        <TakeAlong proof={proof} weight={weight} />
      </div>
      <p className="mono m-0 flex flex-wrap gap-x-3 text-ink2">
        {NAMES.map(({ part, label }) => (
          <span key={part}>
            {label} <span className="text-ink">{exact(sum(part, 'tokens'))}</span>
          </span>
        ))}
        <span>estimated tokens</span>
        <span>{bytes(weight)}</span>
      </p>
      <Reported seq={proof.seq} />
      <SinceLine since={since} seq={proof.seq} />
    </div>
  )
}

function callName(head: EventHead): string {
  if (head.type === 'step/start') return `Turn ${head.turn} · step ${head.step}`
  return 'Summary request'
}

/** The usage the provider reported with the reply. */
function Reported({ seq }: { seq: Seq }) {
  const reply = useSession((state) => replyTo(state.log.heads, seq))
  const event = useBody(reply)
  if (!event || (event.type !== 'assistant/message' && event.type !== 'compact/summary'))
    return null
  const usage = event.data.usage
  if (!usage) return <p className="m-0 text-ink2">The reply came without usage.</p>
  const cached = usage.cache_read_input_tokens ?? 0
  const written = usage.cache_creation_input_tokens ?? 0
  const input = usage.input_tokens + cached + written
  return (
    <p className="mono m-0 text-ink2">
      reported: in {exact(input)} · cache read {exact(cached)} (
      {percent(input ? cached / input : 0)}) · cache write {exact(written)} · out{' '}
      {exact(usage.output_tokens)}
    </p>
  )
}

/** The event that carries the answer: before the next call is opened. */
function replyTo(heads: readonly EventHead[], seq: Seq): Seq | null {
  const wanted = heads[seq]?.type === 'step/start' ? 'assistant/message' : 'compact/summary'
  for (let at = seq + 1; at < heads.length; at += 1) {
    const { type } = heads[at]!
    if (type === wanted) return at
    if (type === 'step/end' || type === 'compact/end' || type === 'step/start') return null
  }
  return null
}
