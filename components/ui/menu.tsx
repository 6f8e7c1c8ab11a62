'use client'

import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useState,
} from 'react'
import { cx } from './cx'
import { Kbd } from './kbd'
import { both, StandIn } from './stand-in'

const SURFACE =
  'z-50 min-w-44 max-w-80 animate-fade overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float max-h-(--radix-dropdown-menu-content-available-height)'
const ITEM =
  'flex min-h-7 w-full cursor-default select-none items-center gap-2 rounded-md px-2 py-1 text-left outline-none data-[highlighted]:bg-hover data-[disabled]:text-ink3 data-[disabled]:opacity-60'

type Trigger = Pick<
  ComponentProps<'button'>,
  | 'id'
  | 'onFocus'
  | 'onPointerDown'
  | 'onKeyDown'
  | 'aria-haspopup'
  | 'aria-expanded'
  | 'aria-controls'
> & { 'data-state'?: 'open' | 'closed' }

/** `<Menu trigger={<Button>Export</Button>}><MenuItem onSelect>…</MenuItem></Menu>`; made when it is first needed. */
export function Menu({
  trigger,
  children,
  align = 'start',
  className,
}: {
  /** One element that takes a button's props. */
  trigger: ReactElement<Trigger>
  children: ReactNode
  align?: 'start' | 'center' | 'end'
  className?: string
}) {
  // Known from the first focus on: how a menu is entered depends on the key that opens it, which it must hear.
  const [control, setControl] = useState<HTMLElement | null>(null)
  const [open, setOpen] = useState(false)
  const id = useId()
  const { onFocus, onPointerDown, onKeyDown } = trigger.props
  const press = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.currentTarget.disabled || event.button !== 0 || event.ctrlKey) return
    setControl(event.currentTarget)
    setOpen(!open)
    // The focus goes to the menu that opens.
    if (!open) event.preventDefault()
  }
  const key = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key === 'Enter' || event.key === ' ') setOpen(!open)
    else if (event.key === 'ArrowDown') setOpen(true)
    else return
    event.preventDefault()
  }
  return (
    <>
      {cloneElement(trigger, {
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? `${id}-menu` : undefined,
        'data-state': open ? 'open' : 'closed',
        onFocus: both(onFocus, (event) => setControl(event.currentTarget)),
        onPointerDown: both(onPointerDown, press),
        onKeyDown: both(onKeyDown, key),
      })}
      {control ? (
        <Radix.Root modal={false} open={open} onOpenChange={setOpen}>
          <Radix.Trigger asChild>
            <StandIn element={control} />
          </Radix.Trigger>
          <Radix.Portal>
            <Radix.Content
              id={`${id}-menu`}
              aria-labelledby={id}
              align={align}
              sideOffset={5}
              collisionPadding={8}
              className={cx(SURFACE, className)}
            >
              {children}
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      ) : null}
    </>
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
