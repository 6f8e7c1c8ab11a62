'use client'

import { ChevronRight } from 'lucide-react'
import { Collapsible } from 'radix-ui'
import type { ReactNode } from 'react'
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
  return (
    <Collapsible.Root open={open} onOpenChange={onOpenChange} className={className}>
      <div className="flex items-center gap-2">
        <Collapsible.Trigger
          aria-label={label === undefined ? undefined : plainName(label)}
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
        </Collapsible.Trigger>
        {aside}
      </div>
      <Collapsible.Content>{children}</Collapsible.Content>
    </Collapsible.Root>
  )
}
