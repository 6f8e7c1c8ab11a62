'use client'

import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx'
import { Kbd } from './kbd'

const SURFACE =
  'z-50 min-w-44 max-w-80 animate-fade overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float max-h-(--radix-dropdown-menu-content-available-height)'
const ITEM =
  'flex min-h-7 w-full cursor-default select-none items-center gap-2 rounded-md px-2 py-1 text-left outline-none data-[highlighted]:bg-hover data-[disabled]:text-ink3 data-[disabled]:opacity-60'

/** `<Menu trigger={<Button>Export</Button>}><MenuItem onSelect>…</MenuItem></Menu>` */
export function Menu({
  trigger,
  children,
  align = 'start',
  className,
  ...rest
}: ComponentProps<typeof Radix.Root> & {
  trigger: ReactNode
  align?: 'start' | 'center' | 'end'
  className?: string
}) {
  return (
    <Radix.Root modal={false} {...rest}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={5}
          collisionPadding={8}
          className={cx(SURFACE, className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function MenuItem({
  icon,
  keys,
  about,
  tone,
  children,
  ...rest
}: Omit<ComponentProps<typeof Radix.Item>, 'about'> & {
  icon?: ReactNode
  keys?: string
  /** A second, quieter line. */
  about?: ReactNode
  tone?: 'danger'
}) {
  return (
    <Radix.Item className={cx(ITEM, tone === 'danger' && 'text-err-ink')} {...rest}>
      {icon ? <span className="grid w-4 shrink-0 place-items-center text-ink3">{icon}</span> : null}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{children}</span>
        {about ? <span className="block text-sm text-ink2">{about}</span> : null}
      </span>
      {keys ? <Kbd>{keys}</Kbd> : null}
    </Radix.Item>
  )
}

export function MenuCheck({
  about,
  children,
  ...rest
}: Omit<ComponentProps<typeof Radix.CheckboxItem>, 'about'> & { about?: ReactNode }) {
  return (
    <Radix.CheckboxItem className={ITEM} {...rest}>
      <span className="grid w-4 shrink-0 place-items-center text-accent-ink">
        <Radix.ItemIndicator>
          <Check size={14} />
        </Radix.ItemIndicator>
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate">{children}</span>
        {about ? <span className="block text-sm text-ink2">{about}</span> : null}
      </span>
    </Radix.CheckboxItem>
  )
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-2 pb-0.5 pt-1.5 text-xs font-semibold text-ink3">
    {children}
  </Radix.Label>
)

export const MenuSeparator = () => <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
