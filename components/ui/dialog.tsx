'use client'

import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button'
import { cx } from './cx'
import { plainName } from './name'
import { ScrollBox } from './scroll-box'
import { useOpener } from './use-opener'

type Props = {
  open: boolean
  onOpenChange(open: boolean): void
  title: string
  /** One sentence under the title. */
  about?: ReactNode
  width?: 'sm' | 'md' | 'lg' | 'xl'
  footer?: ReactNode
  /** Only to be read: nothing in it takes the focus, so its body does, for the keys that scroll. */
  isText?: boolean
  children: ReactNode
}

const WIDTHS = { sm: 'max-w-96', md: 'max-w-140', lg: 'max-w-180', xl: 'max-w-300' }

/** A modal sheet: title, scrolling body, footer. On a narrow screen it rises from the bottom. */
export function Dialog({ open, onOpenChange, ...sheet }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-veil" />
        <div className="pointer-events-none fixed inset-0 z-40 grid place-items-end wide:place-items-center wide:p-6">
          <Sheet {...sheet} />
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Sheet({
  title,
  about,
  width = 'md',
  footer,
  isText = false,
  children,
}: Omit<Props, 'open' | 'onOpenChange'>) {
  const giveBack = useOpener()
  return (
    <Radix.Content
      {...(about ? {} : { 'aria-describedby': undefined })}
      onOpenAutoFocus={(event) => {
        // A field that wants the focus has it already; otherwise the sheet itself, not its close button.
        event.preventDefault()
        ;(event.currentTarget as HTMLElement).focus()
      }}
      onCloseAutoFocus={giveBack}
      className={cx(
        'pointer-events-auto flex max-h-[92dvh] w-full animate-rise flex-col overflow-hidden border border-line bg-raised shadow-float outline-none',
        'rounded-t-xl wide:max-h-[min(86dvh,760px)] wide:rounded-xl',
        WIDTHS[width],
        'max-wide:max-w-none',
      )}
    >
      <div className="flex items-start gap-3 border-b px-4 py-3">
        <div className="min-w-0 flex-1">
          <Radix.Title className="m-0 text-lg font-semibold">{plainName(title)}</Radix.Title>
          {about ? (
            <Radix.Description className="m-0 mt-0.5 text-ink2">{about}</Radix.Description>
          ) : null}
        </div>
        <Radix.Close asChild>
          <IconButton label="Close" keys="Esc" size="sm">
            <X size={15} />
          </IconButton>
        </Radix.Close>
      </div>
      {isText ? (
        <ScrollBox label={plainName(title)} className="flex-1 px-4 py-3.5">
          {children}
        </ScrollBox>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3.5">{children}</div>
      )}
      {footer ? (
        <div className="flex flex-wrap items-center gap-2 border-t px-4 py-3">{footer}</div>
      ) : null}
    </Radix.Content>
  )
}
