'use client'

import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx'

const BOX =
  'w-full rounded-md border border-line2 bg-panel px-2 text-ink outline-none focus-visible:border-accent focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-accent/30 disabled:opacity-60'

export const TextInput = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input autoComplete="off" spellCheck={false} className={cx(BOX, 'h-7', className)} {...rest} />
)

export const TextArea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea className={cx(BOX, 'resize-y py-1.5', className)} {...rest} />
)

export const Select = ({ className, ...rest }: ComponentProps<'select'>) => (
  <span className={cx('relative block', className)}>
    <select className={cx(BOX, 'h-7 appearance-none pr-7')} {...rest} />
    <ChevronDown
      size={13}
      aria-hidden="true"
      className="pointer-events-none absolute right-2 top-1/2 -translate-y-1/2 text-ink3"
    />
  </span>
)

/** A label over a control and what to know about it beneath. The control gets `id` and `aria-describedby`. */
export function Field({
  label,
  about,
  problem,
  children,
}: {
  label: string
  about?: ReactNode
  problem?: string | null
  children(control: { id: string; 'aria-describedby': string | undefined }): ReactNode
}) {
  const id = useId()
  const note = about || problem ? `${id}-note` : undefined
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-[520]">
        {label}
      </label>
      {children({ id, 'aria-describedby': note })}
      {note ? (
        <p id={note} className={cx('m-0 mt-1 text-sm', problem ? 'text-err-ink' : 'text-ink2')}>
          {problem ?? about}
        </p>
      ) : null}
    </div>
  )
}
