'use client'

import { CircleAlert, CircleStop, RotateCcw, TriangleAlert, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TurnSpan } from '@/lib/core/projections/timeline'
import type { ViewNode } from '@/lib/core/projections/transcript'
import { useActions, useBody, useSession } from '@/lib/state/hooks'
import { UndoRestore } from '../review/undo-restore'
import { Button } from '../ui/button'
import { cx } from '../ui/cx'
import { isBusy } from './busy'
import { SeqLink, useSelectOnClick } from './message'
import { errorWords } from './problems'
import { useIsSelected, useStanding } from './standing'

/** One quiet line about something that happened. */
export function Line({
  seq,
  icon,
  children,
  tone,
}: {
  seq: number
  icon: ReactNode
  children: ReactNode
  tone?: 'error'
}) {
  const standing = useStanding(seq)
  const selected = useIsSelected([seq])
  return (
    <div
      className={cx(
        '-mx-3 my-1 flex items-start gap-2 rounded-lg px-3 py-1',
        tone === 'error' ? 'text-err-ink' : 'text-ink2',
        standing.dim && 'faded',
        selected && 'bg-hover/70 ring-1 ring-line2',
      )}
      {...useSelectOnClick(seq)}
    >
      <span aria-hidden="true" className="mt-0.75 shrink-0">
        {icon}
      </span>
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</div>
      <SeqLink seq={seq} />
    </div>
  )
}

export function FailureRow({ node }: { node: Extract<ViewNode, { kind: 'failure' }> }) {
  const event = useBody(node.seq)
  const failure = event?.type === 'request/failed' ? event.data : null
  return (
    <Line seq={node.seq} icon={<CircleAlert size={13} />} tone="error">
      Request failed: {errorWords(node.code)}
      {failure ? (
        <>
          {failure.error.status ? ` (${failure.error.status})` : ''}
          {failure.attempt > 1 ? `, attempt ${failure.attempt}` : ''}
          {failure.error.message ? (
            <span className="block text-ink2">{failure.error.message}</span>
          ) : null}
        </>
      ) : null}
    </Line>
  )
}

export function RestoreRow({ node }: { node: Extract<ViewNode, { kind: 'restore' }> }) {
  return (
    <Line seq={node.seq} icon={<RotateCcw size={13} />}>
      Restored: the model sees again what <SeqLink seq={node.replacementSeq} /> had replaced.{' '}
      <UndoRestore replacementSeq={node.replacementSeq} />
    </Line>
  )
}

type End = { words: string; icon: ReactNode; tone?: 'error' }

const ENDS: Record<string, End> = {
  cancelled: { words: 'Stopped by you.', icon: <CircleStop size={13} /> },
  error: { words: 'The turn ended with an error.', icon: <CircleAlert size={13} />, tone: 'error' },
  'max-steps': {
    words: 'Stopped at the step limit, which the settings can raise.',
    icon: <TriangleAlert size={13} />,
  },
  'max-tokens': {
    words: 'The reply reached its longest allowed length.',
    icon: <TriangleAlert size={13} />,
  },
  interrupted: {
    words: 'Interrupted: the page closed, another tab took over, or a fork begins here.',
    icon: <Unplug size={13} />,
  },
}

/** Ends a turn can be taken up from, where the model had more to do or to say. */
const CONTINUES: ReadonlySet<string> = new Set(['max-tokens', 'max-steps', 'interrupted'])

function ContinueButton({ turn }: { turn: TurnSpan }) {
  const { retry } = useActions()
  const isOffered = useSession(
    ({ log, live, role }) =>
      role === 'writer' && turn.turn === log.state.lastTurn && !isBusy(live.phase),
  )
  if (!isOffered || !CONTINUES.has(turn.reason ?? '')) return null
  return (
    <Button size="sm" className="ml-2" onClick={() => void retry()}>
      Continue
    </Button>
  )
}

/** How a turn ended, where that needs a word. */
export function TurnEnd({ turn }: { turn: TurnSpan }) {
  const end: End = ENDS[turn.reason ?? ''] ?? {
    words: `The turn ended: ${turn.reason ?? 'unknown'}.`,
    icon: <CircleStop size={13} />,
  }
  return (
    <Line seq={turn.end ?? turn.start} icon={end.icon} {...(end.tone ? { tone: end.tone } : {})}>
      {end.words}
      <ContinueButton turn={turn} />
    </Line>
  )
}
