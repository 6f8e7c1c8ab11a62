'use client'

import type { ComponentProps, ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { cx } from './cx'

/** Panes side by side (or one above the other) whose sizes are remembered in this browser. */
export function Split({
  id,
  panes,
  children,
  ...rest
}: ComponentProps<typeof Group> & {
  id: string
  /** Ids of the panes now inside; each combination remembers its own sizes. */
  panes: string[]
  children: ReactNode
}) {
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: `palimpsest.${id}`,
    panelIds: panes,
    storage: localStorage,
    onlySaveAfterUserInteractions: true,
  })
  return (
    <Group id={id} defaultLayout={defaultLayout} onLayoutChanged={onLayoutChanged} {...rest}>
      {children}
    </Group>
  )
}

export const Pane = Panel

/** The line between two panes: drag it, or focus it and use the arrow keys. */
export function Divider({ label, vertical = false }: { label: string; vertical?: boolean }) {
  return (
    <Separator
      aria-label={label}
      className={cx(
        'relative z-10 shrink-0 bg-line outline-none transition-colors duration-100',
        'hover:bg-line2 focus-visible:bg-accent data-[separator=active]:bg-accent',
        vertical ? 'h-px' : 'w-px',
      )}
    />
  )
}
