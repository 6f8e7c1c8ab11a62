import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx'

/** A region of the workbench: fills its place, scrolls inside. */
export function Panel({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      className={cx('flex h-full min-h-0 min-w-0 flex-col overflow-hidden bg-panel', className)}
      {...rest}
    />
  )
}

/** Words and values in two columns: `<Facts><Fact name="Node">#388</Fact></Facts>`. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="m-0 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink2">{name}</dt>
      <dd className="m-0 min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

export function SectionTitle({
  children,
  aside,
  tall = false,
}: {
  children: ReactNode
  aside?: ReactNode
  /** As high as with a control in it, so that titles side by side stand on one line. */
  tall?: boolean
}) {
  return (
    <h3
      className={cx(
        'm-0 flex gap-2 text-xs font-semibold text-ink2',
        tall ? 'mb-1 h-7 items-center' : 'mb-2 items-baseline',
      )}
    >
      {children}
      {aside ? <span className="ml-auto font-normal">{aside}</span> : null}
    </h3>
  )
}
