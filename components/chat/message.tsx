'use client'

import { Layers2, Pin, PinOff } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import type { Seq } from '@/lib/core/event'
import { useActions, useApp, useSession } from '@/lib/state/hooks'
import { RowMenu } from '../review/row-menu'
import { useInRegion } from '../review/use-region'
import { IconButton } from '../ui/button'
import { CopyButton } from '../ui/copy-button'
import { cx } from '../ui/cx'
import { exact, moment, short } from '../ui/format'
import { KINDS, type Kind } from '../ui/kinds'
import { useIsSelected, useStanding } from './standing'

/** Selects a node everywhere when its row is clicked, but not when the click meant something else. */
export function useSelectOnClick(seq: Seq): { onClick(event: MouseEvent): void } {
  const { select } = useActions()
  const selected = useApp((state) => state.view.node === seq)
  return {
    onClick(event) {
      const target = event.target as HTMLElement
      if (target.closest('button, a, input, textarea, label')) return
      if (!getSelection()?.isCollapsed) return
      event.stopPropagation()
      select(selected ? null : seq)
    },
  }
}

/** `#12`: selects that node everywhere. */
export function SeqLink({ seq, className }: { seq: Seq; className?: string }) {
  const { select } = useActions()
  return (
    <button
      type="button"
      aria-label={`Select #${seq}`}
      className={cx(
        'mono rounded-xs text-ink3 underline-offset-2 hover:text-ink hover:underline',
        className,
      )}
      onClick={() => select(seq)}
    >
      #{seq}
    </button>
  )
}

/** The quiet mark of what the model no longer sees, leading to what it sees instead. */
export function ShadowMark({
  by,
  brief = false,
  className,
}: {
  by: Seq
  /** Only the mark and the number, where a neighbour says it in words. */
  brief?: boolean
  className?: string
}) {
  const { select } = useActions()
  return (
    <button
      type="button"
      aria-label={`Shadowed by #${by}`}
      title="The model no longer sees this. Show what replaced it."
      className={cx(
        'mono inline-flex items-center gap-1 whitespace-nowrap rounded-xs text-ink3 underline-offset-2 hover:text-summary-ink hover:underline',
        className,
      )}
      onClick={() => select(by)}
    >
      <Layers2 size={11} aria-hidden="true" />
      {brief ? null : 'shadowed by '}#{by}
    </button>
  )
}

export type MessageProps = {
  seq: Seq
  kind: Kind
  label: string
  /** Beside the label: model, marks. */
  aside?: ReactNode
  /** Goes on what the row above began: no label, and its tools float. */
  continues?: boolean
  /** What copying gives; null hides the button. */
  text: (() => string) | null
  /** Other events shown inside, so that selecting one marks this row. */
  also?: readonly (Seq | null)[]
  children: ReactNode
}

/** One message: who, marks, and what can be done with it. */
export function Message(props: MessageProps) {
  const { seq, kind, label, aside, continues = false, text, also, children } = props
  const standing = useStanding(seq)
  const selected = useIsSelected(also ? [seq, ...also] : [seq])
  const inRegion = useInRegion(seq)
  return (
    <div
      data-shadowed={standing.replacedBy !== null || undefined}
      data-later={standing.later || undefined}
      className={cx(
        'group/message relative -mx-3 rounded-lg px-3',
        // A finger finds the row's menu beside the text, where there is no line for it.
        continues ? 'touch:pr-10' : 'pb-0.5 pt-2',
        standing.dim && 'faded',
        selected && 'bg-hover/70 ring-1 ring-line2',
        inRegion && 'bg-accent-soft',
      )}
      data-region={inRegion || undefined}
      {...useSelectOnClick(seq)}
    >
      {continues ? null : (
        <div className="mb-0.5 flex h-5 items-center gap-2">
          <h2 className={cx('m-0 text-xs font-semibold', KINDS[kind].text)}>{label}</h2>
          {aside}
          {standing.replacedBy === null ? null : <ShadowMark by={standing.replacedBy} />}
        </div>
      )}
      <MessageTools seq={seq} kind={kind} text={text} floating={continues} />
      {children}
    </div>
  )
}

function MessageTools({
  seq,
  kind,
  text,
  floating,
}: {
  seq: Seq
  kind: Kind
  text: (() => string) | null
  /** Above the row, where there is no line of its own to stand on. */
  floating: boolean
}) {
  const head = useSession((state) => state.log.heads[seq])
  const pinned = useSession((state) => state.log.state.pins.has(seq))
  const writer = useSession((state) => state.role === 'writer')
  const { setPins } = useActions()
  return (
    <div
      className={cx(
        'pointer-events-none absolute right-2 z-10 flex items-center',
        floating ? '-top-5 touch:top-0' : 'top-1 touch:-top-0.5',
      )}
    >
      <span
        className={cx(
          'pointer-events-auto flex items-center gap-1.5 rounded-md px-1.5 opacity-0 group-focus-within/message:opacity-100 group-hover/message:opacity-100 touch:px-0 touch:opacity-100',
          floating
            ? 'border bg-raised touch:border-transparent touch:bg-transparent'
            : 'bg-paper touch:bg-transparent',
        )}
      >
        <span className="contents touch:hidden">
          {head ? (
            <span
              className="mono text-ink3"
              title={`${exact(head.tokens)} tokens, ${moment(head.time)}`}
            >
              {short(head.tokens)} tok
            </span>
          ) : null}
          <SeqLink seq={seq} />
          {writer ? (
            <IconButton
              size="sm"
              label={pinned ? 'Unpin' : 'Pin: never compact this'}
              onClick={() => void setPins([seq], !pinned)}
            >
              {pinned ? <PinOff size={13} /> : <Pin size={13} />}
            </IconButton>
          ) : null}
          {text ? <CopyButton label="Copy message" text={text} /> : null}
        </span>
        <RowMenu seq={seq} kind={kind} text={text} />
      </span>
      {pinned ? (
        <span
          className="pointer-events-auto inline-flex items-center gap-1 text-xs text-ink2"
          title={`Pinned: no compaction takes it. ${exact(head?.tokens ?? 0)} tokens in every request.`}
        >
          <Pin size={11} aria-hidden="true" /> pinned, {short(head?.tokens ?? 0)} tok
        </span>
      ) : null}
    </div>
  )
}
