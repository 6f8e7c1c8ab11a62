'use client'

import { Popover as Radix } from 'radix-ui'
import {
  type ComponentProps,
  cloneElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useState,
} from 'react'
import { cx } from './cx'
import { plainName } from './name'
import { both, StandIn } from './stand-in'

type Trigger = Pick<
  ComponentProps<'button'>,
  'onClick' | 'aria-haspopup' | 'aria-expanded' | 'aria-controls'
> & { 'data-state'?: 'open' | 'closed' }

/** A region that floats at its trigger; made when it is first opened. */
export function Popover({
  trigger,
  label,
  align = 'start',
  className,
  children,
}: {
  /** One element that takes a button's props. */
  trigger: ReactElement<Trigger>
  /** Name of the floating region. */
  label: string
  align?: 'start' | 'center' | 'end'
  className?: string
  /** The region, or how it is made: `close` closes it. */
  children: ReactNode | ((close: () => void) => ReactNode)
}) {
  const [control, setControl] = useState<HTMLElement | null>(null)
  const [open, setOpen] = useState(false)
  const id = useId()
  const toggle = (event: MouseEvent<HTMLElement>) => {
    setControl(event.currentTarget)
    setOpen(!open)
  }
  return (
    <>
      {cloneElement(trigger, {
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        'data-state': open ? 'open' : 'closed',
        onClick: both(trigger.props.onClick, toggle),
      })}
      {control ? (
        <Radix.Root open={open} onOpenChange={setOpen}>
          <Radix.Trigger asChild>
            <StandIn element={control} />
          </Radix.Trigger>
          <Radix.Portal>
            <Radix.Content
              id={id}
              aria-label={plainName(label)}
              align={align}
              sideOffset={6}
              collisionPadding={8}
              className={cx(
                'z-50 w-80 max-w-[calc(100vw-16px)] animate-fade rounded-lg border border-line bg-raised p-3 shadow-float outline-none',
                className,
              )}
            >
              {typeof children === 'function' ? children(() => setOpen(false)) : children}
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      ) : null}
    </>
  )
}
