'use client'

import { Facts } from '@/components/ui/panel'
import { Spinner } from '@/components/ui/spinner'
import type { Seq } from '@/lib/core/event'
import { useApp, useBody, useMoment, useSession } from '@/lib/state/hooks'
import { linksAt } from '../shared/indexes'
import { CompactionFacts } from './compaction-facts'
import { DetailActions } from './detail-actions'
import { LinkFacts, NodeFact } from './node-facts'
import { NodeText } from './node-text'
import { Overview } from './overview'

/** Everything known about the selected event, as of the playhead. */
export function Detail() {
  const selected = useApp((state) => state.view.node)
  const known = useSession((state) => selected !== null && selected < state.version)
  if (selected === null || !known) return <Overview />
  return <Selected key={selected} seq={selected} />
}

function Selected({ seq }: { seq: Seq }) {
  const log = useSession((state) => state.log)
  const moment = useMoment()
  const event = useBody(seq)
  const head = log.heads[seq]!
  const links = linksAt(log, seq, moment)
  const compactionId = head.compactionId
  return (
    <section
      aria-label={`Event ${seq}`}
      data-testid="detail"
      data-seq={seq}
      className="flex h-full min-h-0 flex-col gap-2.5 overflow-y-auto px-3.5 py-2.5"
    >
      <Facts>
        <NodeFact head={head} />
        <LinkFacts head={head} links={links} moment={moment} />
        {compactionId && links.bracket ? <CompactionFacts bracket={links.bracket} /> : null}
      </Facts>
      <DetailActions head={head} links={links} event={event} />
      {event ? (
        <NodeText event={event} />
      ) : (
        <p className="m-0 flex items-center gap-2 text-ink2">
          <Spinner /> Reading the event
        </p>
      )}
    </section>
  )
}
