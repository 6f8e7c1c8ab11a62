'use client'

import { Download } from 'lucide-react'
import { Fragment } from 'react'
import type { EventOf } from '@/lib/core/event'
import type { CompactionView } from '@/lib/core/projections/transcript'
import { useActions, useBody, useSession } from '@/lib/state/hooks'
import { cacheWords, costWords } from '../review/cost-words'
import { RestoreButton } from '../review/restore-button'
import { UndoRestore } from '../review/undo-restore'
import { useCost } from '../review/use-cost'
import { Button } from '../ui/button'
import { cx } from '../ui/cx'
import { Facts } from '../ui/facts'
import { Fold } from '../ui/fold'
import { count, exact, percent, short } from '../ui/format'
import { KINDS } from '../ui/kinds'
import { Menu, MenuItem } from '../ui/menu'
import { Words } from './blocks'
import { useCardState } from './card-state'
import { useChatView } from './chat-view'
import { cardTitle, triggerWords } from './compaction-words'
import { DiscardedRow, EndedCard, useDiscarded } from './ended-card'
import { useRemembered } from './memory'
import { SeqLink, useSelectOnClick } from './message'
import { sharesOf } from './rows'
import { RunningCard } from './running-card'
import { useFound, useIsSelected, useStanding } from './standing'

/** A compaction in its place: why, how long, cost, before and after, and the ways back. */
export function CompactionCard({ node }: { node: CompactionView }) {
  const standing = useStanding(node.checkpointSeq ?? node.seq)
  const selected = useIsSelected([
    node.startSeq,
    node.summarySeq,
    node.checkpointSeq,
    node.endSeq,
    ...node.windowSeqs,
  ])
  const done = node.status === 'done'
  const discarded = useDiscarded(node)
  const select = useSelectOnClick(node.checkpointSeq ?? node.startSeq ?? node.seq)
  if (discarded !== null) return <DiscardedRow node={node} draftSeq={discarded} />
  return (
    <section
      aria-label={cardTitle(node.status, node.trigger)}
      data-status={node.status}
      className={cx(
        'my-3 rounded-lg border px-3 py-2.5',
        done || node.status === 'running'
          ? 'border-summary bg-summary-soft'
          : 'border-line bg-panel',
        !done && node.status !== 'running' && 'border-dashed border-line2',
        standing.dim && 'faded',
        selected && 'ring-2 ring-summary/50',
      )}
      {...select}
    >
      {node.status === 'running' ? (
        <RunningCard node={node} />
      ) : done ? (
        <DoneCard node={node} />
      ) : (
        <EndedCard node={node} />
      )}
    </section>
  )
}

type Summary = EventOf<'compact/summary'>['data']

const useSummary = (node: CompactionView): Summary | null => {
  const event = useBody(node.summarySeq)
  return event?.type === 'compact/summary' ? event.data : null
}

function DoneCard({ node }: { node: CompactionView }) {
  const summary = useSummary(node)
  const focus = useFocus(node)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <h2 className="m-0 text-base font-semibold text-summary-ink">
          {cardTitle('done', node.trigger)}
        </h2>
        <span className="ml-auto flex gap-1.5">
          <CardActions node={node} />
        </span>
      </div>
      <KindsBar node={node} />
      <Outcome node={node} />
      {focus ? (
        <p className="m-0 mt-1.5 text-ink2">
          Focus: <span className="text-ink">{focus}</span>
        </p>
      ) : null}
      {summary ? <SummaryFold node={node} summary={summary} /> : null}
    </>
  )
}

/** What the summary was asked to keep: of its own call, or of the reviewed draft's (C14, C16). */
function useFocus(node: CompactionView): string | undefined {
  const start = useBody(node.startSeq)
  const drafted = useSession(({ log }) => {
    const cites = node.startSeq === null ? undefined : log.heads[node.startSeq]?.cites
    if (cites === undefined) return null
    // A bracket's own start is the nearest before it: no two are open at once (C2).
    let seq = cites
    while (seq >= 0 && log.heads[seq]!.type !== 'compact/start') seq -= 1
    return seq < 0 ? null : seq
  })
  const asked = useBody(drafted)
  const said = asked ?? start
  return said?.type === 'compact/start' ? said.data.instructions : undefined
}

function CardActions({ node }: { node: CompactionView }) {
  const actions = useActions()
  const { standing } = useCardState(node)
  const compare = () => {
    actions.setPlayhead(node.checkpointSeq ?? node.endSeq)
    actions.setCompare(node.startSeq ?? node.seq)
    actions.setPanel('compare')
  }
  return (
    <>
      <Button size="sm" onClick={compare}>
        Compare
      </Button>
      {standing === 'in place' || standing === 'merged' ? (
        <RestoreButton seq={node.checkpointSeq!} />
      ) : standing === 'restored' ? (
        <UndoRestore replacementSeq={node.checkpointSeq!} />
      ) : null}
      <Menu
        align="end"
        trigger={
          <Button size="sm" aria-label="Download what was there before">
            <Download size={12} aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem
          about="The log up to this compaction."
          onSelect={() =>
            void actions.exportSession('native', { until: node.startSeq ?? node.seq })
          }
        >
          Before, as JSONL
        </MenuItem>
        <MenuItem
          about="The conversation up to this compaction."
          onSelect={() =>
            void actions.exportSession('markdown', { until: node.startSeq ?? node.seq })
          }
        >
          Before, as Markdown
        </MenuItem>
      </Menu>
    </>
  )
}

/** What was replaced, by kind, against the room it took. */
function KindsBar({ node }: { node: CompactionView }) {
  const heads = useSession((state) => state.log.heads)
  const shares = sharesOf(node.shadowedSeqs, heads)
  const total = shares.reduce((sum, { tokens }) => sum + tokens, 0)
  const before = useSession((state) => state.timeline.total[node.startSeq ?? node.seq] ?? 0)
  // What the bar leaves empty stayed in the window.
  const span = Math.max(total, before)
  if (total === 0) return null
  const words = shares
    .map(({ kind, tokens }) => `${KINDS[kind].label} ${percent(tokens / total)}`)
    .join(', ')
  return (
    <div
      role="img"
      aria-label={`Replaced: ${words}`}
      title={`Replaced: ${words}`}
      className="figure my-2 flex h-1.5 gap-px overflow-hidden rounded-full bg-hover"
    >
      {shares.map(({ kind, tokens }) => (
        <span
          key={kind}
          className={cx('h-full min-w-0.5', KINDS[kind].bg)}
          style={{ width: `${(tokens / span) * 100}%` }}
        />
      ))}
    </div>
  )
}

/** Before and after, how much, why, what it cost and saves; then where its checkpoint is now. */
function Outcome({ node }: { node: CompactionView }) {
  const total = useSession((state) => state.timeline.total)
  const length = useSession((state) => state.timeline.length)
  const { standing, by } = useCardState(node)
  const cost = useCost(node.compactionId, node.endSeq)
  const to = node.checkpointSeq ?? node.endSeq ?? node.seq
  const before = total[node.startSeq ?? node.seq] ?? 0
  const after = to < length ? (total[to] ?? 0) : 0
  const saved = cost?.savedPerRequest ?? 0
  const facts = [
    <Fragment key="tokens">
      {exact(before)} → <span className="text-ink">{exact(after)}</span> tokens
    </Fragment>,
    before > after ? `−${percent((before - after) / before)}` : null,
    node.shadowedSeqs.length ? count(node.shadowedSeqs.length, 'node') : null,
    triggerWords(node.trigger),
    standing === 'merged' && by !== null ? (
      <Fragment key="merged">
        merged into <SeqLink seq={by} />
      </Fragment>
    ) : null,
    standing === 'restored' ? (
      <span key="restored" className="text-assistant-ink">
        restored: the originals are back
      </span>
    ) : null,
  ]
  return (
    <>
      <p className="mono m-0 text-ink2">
        <Facts facts={facts} />
      </p>
      {cost ? (
        <p className="mono m-0 text-ink2" title={cacheWords(cost)} data-testid="economics">
          <Facts
            facts={[...costWords(cost), saved > 0 ? `saves ${short(saved)} a request` : null]}
          />
        </p>
      ) : null}
    </>
  )
}

function SummaryFold({ node, summary }: { node: CompactionView; summary: Summary }) {
  // In the model's view the record is what is there to read.
  const model = useChatView((state) => state.model)
  const [opened, setOpen] = useRemembered(`summary ${node.seq} ${model}`, model)
  const open = useFound(node.summarySeq) !== null || opened
  return (
    <Fold
      open={open}
      onOpenChange={setOpen}
      className="mt-1.5"
      summary={
        <span className="text-ink2">
          Summary
          {summary.edited ? ', edited by hand' : ''}
          {summary.certainty === 'exact' ? '' : `, range ${summary.certainty}`}
        </span>
      }
      aside={node.checkpointSeq === null ? null : <SeqLink seq={node.checkpointSeq} />}
    >
      <div className="mt-1.5 border-l-2 border-summary/40 pl-3">
        <Words text={summary.summary} />
      </div>
    </Fold>
  )
}
