'use client'

import { Popover as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx'
import { plainName } from './name'

export function Popover({
  trigger,
  label,
  align = 'start',
  className,
  children,
  ...rest
}: ComponentProps<typeof Radix.Root> & {
  trigger: ReactNode
  /** Name of the floating region. */
  label: string
  align?: 'start' | 'center' | 'end'
  className?: string
}) {
  return (
    <Radix.Root {...rest}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={plainName(label)}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={cx(
            'z-50 w-80 max-w-[calc(100vw-16px)] animate-fade rounded-lg border border-line bg-raised p-3 shadow-float outline-none',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
