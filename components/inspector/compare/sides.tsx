'use client'

import { useState } from 'react'
import { cx } from '@/components/ui/cx'
import { EmptyState } from '@/components/ui/empty-state'
import { count, exact } from '@/components/ui/format'
import { kindOf } from '@/components/ui/kinds'
import { SectionTitle } from '@/components/ui/panel'
import { Spinner } from '@/components/ui/spinner'
import { Segmented } from '@/components/ui/tabs'
import type { Seq } from '@/lib/core/event'
import { useBody, useSession } from '@/lib/state/hooks'
import { NodeText } from '../detail/node-text'
import { DiffView } from '../shared/diff-view'
import { SeqLink } from '../shared/seq-link'
import { VirtualRows } from '../shared/virtual-rows'
import { plainText } from '../shared/words'
import { ComparisonRow } from './compare-row'
import { Facts } from './facts'
import { type Comparison, checkpointBefore } from './moments'

type Props = { seq: Seq | null; comparison: Comparison; before: Seq; after: Seq }

/** What one change did: a checkpoint beside its span, a pruned result against its original. */
export function Sides({ seq, comparison, before, after }: Props) {
  const log = useSession((state) => state.log)
  if (seq === null)
    return (
      <EmptyState title="Nothing was replaced">
        Between these moments messages only came or stayed.
      </EmptyState>
    )
  // A node that left is shown with what took its place, if that came in between.
  const over = comparison.gone.includes(seq) ? topmost(log, seq, Math.max(before, after)) : seq
  const shadows = log.history.shadowsOf(over)
  const head = log.heads[over]!
  if (kindOf(head) === 'pruned' && shadows.length === 1)
    return <Pruned from={shadows[0]!} to={over} />
  if (shadows.length > 0) return <Checkpoint seq={over} shadows={shadows} chosen={seq} />
  return <Single seq={seq} />
}

/** The replacement at the end of the chain over `seq` at a moment. */
function topmost(
  log: { history: { replacementOf(seq: Seq, at: Seq): Seq | null } },
  seq: Seq,
  at: Seq,
): Seq {
  let top = seq
  for (let next = log.history.replacementOf(top, at); next !== null; ) {
    top = next
    next = log.history.replacementOf(top, at)
  }
  return top
}

function Waiting() {
  return (
    <p className="m-0 flex items-center gap-2 p-3.5 text-ink2">
      <Spinner /> Reading
    </p>
  )
}

function Pruned({ from, to }: { from: Seq; to: Seq }) {
  const before = useBody(from)
  const after = useBody(to)
  return (
    <div className="h-full overflow-y-auto px-3.5 py-2.5" data-testid="pruned-diff">
      <SectionTitle>
        What was cut: <SeqLink seq={from} /> became <SeqLink seq={to} />
      </SectionTitle>
      {before && after ? (
        <DiffView before={plainText(before)} after={plainText(after)} label="What was cut" />
      ) : (
        <Waiting />
      )}
    </div>
  )
}

function Checkpoint({ seq, shadows, chosen }: { seq: Seq; shadows: readonly Seq[]; chosen: Seq }) {
  const log = useSession((state) => state.log)
  const was = shadows.reduce((sum, node) => sum + log.heads[node]!.tokens, 0)
  const is = log.heads[seq]!.tokens
  return (
    <div className="@container h-full min-h-0" data-testid="checkpoint-sides">
      <div className="grid h-full min-h-0 grid-rows-2 @lg:grid-cols-2 @lg:grid-rows-1">
        <div className="flex min-h-0 flex-col px-2 py-2.5 @max-lg:border-b">
          <div className="px-1.5">
            <SectionTitle aside={`${exact(was)} tok`}>
              Shadowed: {count(shadows.length, 'node')}
            </SectionTitle>
          </div>
          <VirtualRows
            role="list"
            label="Shadowed nodes"
            count={shadows.length}
            estimate={27}
            keyOf={(i) => shadows[i]!}
            active={shadows.indexOf(chosen)}
            onActive={() => {}}
          >
            {(i, props) => (
              <ComparisonRow
                row={{ row: 'node', title: 'gone', seq: shadows[i]! }}
                props={props}
                chosen={chosen}
                dense
              />
            )}
          </VirtualRows>
        </div>
        <InPlace key={seq} seq={seq} shadows={shadows} tokens={is} />
      </div>
    </div>
  )
}

type View = 'record' | 'facts' | 'previous'
const VIEWS: { value: View; label: string }[] = [
  { value: 'record', label: 'Record' },
  { value: 'facts', label: 'Facts' },
  { value: 'previous', label: 'Since the last' },
]

/** What stands in the place of a span: its text, what became of the facts, what it says anew. */
function InPlace({ seq, shadows, tokens }: { seq: Seq; shadows: readonly Seq[]; tokens: number }) {
  const [view, setView] = useState<View>('record')
  const event = useBody(seq)
  const text = event ? plainText(event) : null
  return (
    <div className="flex min-h-0 flex-col px-3.5 py-2.5 @lg:border-l">
      <SectionTitle aside={`${exact(tokens)} tok`}>
        What stands in its place: <SeqLink seq={seq} />
      </SectionTitle>
      <div className="pb-2">
        <Segmented
          label="View of the record"
          value={view}
          options={VIEWS}
          onChange={(next: View) => setView(next)}
        />
      </div>
      <section
        aria-label="The record"
        tabIndex={view === 'facts' ? undefined : 0}
        className={cx('min-h-0 flex-1', view === 'facts' ? '' : 'overflow-y-auto')}
      >
        {!event ? <Waiting /> : null}
        {event && view === 'record' ? <NodeText event={event} /> : null}
        {view === 'facts' ? <Facts nodes={shadows} text={text} /> : null}
        {text !== null && view === 'previous' ? <Since seq={seq} text={text} /> : null}
      </section>
    </div>
  )
}

/** A record against the one before it. */
function Since({ seq, text }: { seq: Seq; text: string }) {
  const before = useSession((state) => checkpointBefore(state.log.heads, seq))
  const event = useBody(before)
  if (before === null) return <p className="m-0 text-ink2">This is the first record.</p>
  if (!event) return <Waiting />
  return (
    <div data-testid="record-diff" data-before={before}>
      <p className="m-0 mb-2 text-ink2">
        <SeqLink seq={before} /> became <SeqLink seq={seq} />
      </p>
      <DiffView before={plainText(event)} after={text} label="What the record says anew" />
    </div>
  )
}

function Single({ seq }: { seq: Seq }) {
  const event = useBody(seq)
  return (
    <div className="h-full overflow-y-auto px-3.5 py-2.5">
      <SectionTitle>
        <SeqLink seq={seq} />
      </SectionTitle>
      {event ? <NodeText event={event} /> : <Waiting />}
    </div>
  )
}
