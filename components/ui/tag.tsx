import type { ReactNode } from 'react'
import { cx } from './cx'
import { KINDS, type Kind } from './kinds'

/** A small word about something. With a `kind` it takes that colour. */
export function Tag({
  children,
  kind,
  struck = false,
  title,
}: {
  children: ReactNode
  kind?: Kind
  /** Crossed out: lost, removed. */
  struck?: boolean
  title?: string
}) {
  return (
    <span
      title={title}
      className={cx(
        'mono inline-flex h-5 max-w-full items-center gap-1 truncate rounded-sm border border-line px-1.5',
        kind ? KINDS[kind].text : 'text-ink2',
        struck && 'line-through',
      )}
    >
      {children}
    </span>
  )
}
