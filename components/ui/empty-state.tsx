import type { ReactNode } from 'react'

/** Nothing here: what would be, and what to do about it. */
export function EmptyState({
  title,
  children,
  icon,
  actions,
}: {
  title: string
  children?: ReactNode
  icon?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className="grid h-full min-h-40 place-items-center p-6">
      <div className="flex max-w-80 flex-col items-center gap-1.5 text-center">
        {icon ? <div className="mb-1 text-faint">{icon}</div> : null}
        <p className="m-0 font-[550] text-ink">{title}</p>
        {children ? <div className="text-ink2">{children}</div> : null}
        {actions ? <div className="mt-2 flex gap-1.5">{actions}</div> : null}
      </div>
    </div>
  )
}
