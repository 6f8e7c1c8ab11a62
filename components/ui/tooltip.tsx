'use client'

import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Kbd } from './kbd'

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={450} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
)

type Props = {
  label: ReactNode
  keys?: string | undefined
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** One element that takes a ref and props. */
  children: ReactNode
}

export function Tooltip({ label, keys, side = 'bottom', children }: Props) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={5}
          collisionPadding={8}
          className="z-50 flex max-w-72 animate-fade items-center gap-2 rounded-md bg-ink px-2 py-1 text-sm text-paper shadow-float"
        >
          {label}
          {keys ? <Kbd inverse>{keys}</Kbd> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
