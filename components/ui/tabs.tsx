'use client'

import { Tabs as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx'

/** `<Tabs value onValueChange><TabList label="Inspector"><Tab value="a">A</Tab></TabList><TabPanel value="a"/></Tabs>` */
export function Tabs({ className, ...rest }: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root className={cx('flex min-h-0 min-w-0 flex-col', className)} {...rest} />
}

export function TabList({
  label,
  children,
  className,
}: {
  label: string
  children: ReactNode
  className?: string
}) {
  return (
    <Radix.List
      aria-label={label}
      className={cx(
        'flex shrink-0 gap-0.5 overflow-x-auto border-b px-3 pt-2 [scrollbar-width:none]',
        className,
      )}
    >
      {children}
    </Radix.List>
  )
}

export function Tab({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cx(
        '-mb-px whitespace-nowrap border-b-2 border-transparent px-2.5 pb-1.5 pt-1 text-ink2 hover:text-ink',
        'data-[state=active]:border-accent data-[state=active]:font-[550] data-[state=active]:text-ink',
        'focus-visible:rounded-sm focus-visible:-outline-offset-2',
        className,
      )}
      {...rest}
    />
  )
}

export function TabPanel({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Content
      className={cx('min-h-0 min-w-0 flex-1 overflow-hidden outline-none', className)}
      {...rest}
    />
  )
}

/** A choice among few, all visible. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: T
  options: { value: T; label: string }[]
  onChange(value: T): void
}) {
  return (
    <div role="radiogroup" aria-label={label} className="flex gap-0.5 rounded-lg bg-hover p-0.5">
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            'flex-1 cursor-default whitespace-nowrap rounded-md px-2.5 py-1 text-center has-focus-visible:outline-2 has-focus-visible:outline-accent',
            option.value === value
              ? 'bg-panel font-[550] text-ink shadow-xs'
              : 'text-ink2 hover:text-ink',
          )}
        >
          <input
            type="radio"
            className="sr-only"
            name={label}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
