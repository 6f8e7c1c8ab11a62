'use client'

import { Tooltip as Radix } from 'radix-ui'
import {
  type ComponentProps,
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Kbd } from './kbd'
import { both, StandIn } from './stand-in'

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={450} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
)

type Control = Pick<ComponentProps<'button'>, 'onPointerEnter' | 'onFocus'>

/** The control a tip is for, and the event that asked for it. */
type Touched = { element: HTMLElement; event: Event }

type Props = {
  label: ReactNode
  keys?: string | undefined
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** One element that takes handlers. */
  children: ReactElement<Control>
}

/** Words on a control, made when it is first pointed at or focused. */
export function Tooltip({ label, keys, side = 'bottom', children }: Props) {
  const [touched, setTouched] = useState<Touched | null>(null)
  const touch = ({
    currentTarget,
    nativeEvent,
  }: PointerEvent<HTMLElement> | FocusEvent<HTMLElement>) =>
    setTouched((was) => was ?? { element: currentTarget, event: nativeEvent })
  const { onPointerEnter, onFocus } = children.props
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: both(onPointerEnter, touch),
        onFocus: both(onFocus, touch),
      })}
      {touched ? (
        <Radix.Root>
          <Radix.Trigger asChild>
            <ListeningStandIn touched={touched} />
          </Radix.Trigger>
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
      ) : null}
    </>
  )
}

type Handlers = Pick<
  ComponentProps<'button'>,
  'onPointerMove' | 'onPointerLeave' | 'onPointerDown' | 'onFocus' | 'onBlur' | 'onClick'
>

const EVENTS: Record<keyof Handlers, string> = {
  onPointerMove: 'pointermove',
  onPointerLeave: 'pointerleave',
  onPointerDown: 'pointerdown',
  onFocus: 'focus',
  onBlur: 'blur',
  onClick: 'click',
}

/** Tells the trigger what happens on its control, beginning with what made it. */
function ListeningStandIn({
  touched: { element, event },
  ref,
  'aria-describedby': describedBy,
  ...handlers
}: {
  touched: Touched
  ref?: ComponentProps<typeof StandIn>['ref']
  'aria-describedby'?: string
} & Handlers) {
  const isTold = useRef(false)
  useLayoutEffect(() => {
    const tell = (name: keyof Handlers, heard: Event) =>
      // Radix reads of an event only what React's and the browser's have in common.
      (handlers[name] as ((event: Event) => void) | undefined)?.(heard)
    if (!isTold.current && event.type === 'focusin' && element.matches(':focus'))
      tell('onFocus', event)
    else if (!isTold.current && element.matches(':hover')) tell('onPointerMove', event)
    isTold.current = true
    const listening = new AbortController()
    for (const [name, type] of Object.entries(EVENTS))
      element.addEventListener(type, (heard) => tell(name as keyof Handlers, heard), listening)
    return () => listening.abort()
  })
  useEffect(() => {
    if (describedBy === undefined) return
    element.setAttribute('aria-describedby', describedBy)
    return () => element.removeAttribute('aria-describedby')
  }, [element, describedBy])
  return <StandIn element={element} {...(ref ? { ref } : {})} />
}
