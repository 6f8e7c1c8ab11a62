'use client'

import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cx } from './cx'
import { plainName } from './name'

/** A line that opens. `aside` stays beside the line and may hold buttons. */
export function Fold({
  open,
  onOpenChange,
  summary,
  aside,
  label,
  className,
  triggerClassName,
  children,
}: {
  open: boolean
  onOpenChange(open: boolean): void
  summary: ReactNode
  aside?: ReactNode
  /** Accessible name, where the summary's text is not enough. */
  label?: string
  className?: string
  triggerClassName?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <div className={className}>
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-label={label === undefined ? undefined : plainName(label)}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          data-state={open ? 'open' : 'closed'}
          onClick={() => onOpenChange(!open)}
          className={cx(
            'group/fold flex min-w-0 flex-1 items-center gap-1.5 rounded-sm text-left',
            triggerClassName,
          )}
        >
          <ChevronRight
            size={13}
            aria-hidden="true"
            className="shrink-0 text-ink3 transition-transform duration-100 group-data-[state=open]/fold:rotate-90"
          />
          {summary}
        </button>
        {aside}
      </div>
      {open ? <div id={id}>{children}</div> : null}
    </div>
  )
}
