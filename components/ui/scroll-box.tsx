import type { ReactNode } from 'react'
import { cx } from './cx'

/** What scrolls and may hold nothing that takes the focus: the keyboard scrolls it all the same. */
export function ScrollBox({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll what has the focus
      tabIndex={0}
      className={cx('min-h-0 overflow-y-auto -outline-offset-2', className)}
    >
      {children}
    </div>
  )
}
