import { Slot } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx'
import { plainName } from './name'
import { Tooltip } from './tooltip'

type Tone = 'plain' | 'primary' | 'quiet' | 'danger' | 'accent'
type Size = 'sm' | 'md' | 'lg'

const TONES: Record<Tone, string> = {
  plain: 'border-line bg-panel text-ink hover:bg-hover active:bg-active',
  primary: 'border-ink bg-ink text-paper hover:opacity-90 active:opacity-80',
  quiet:
    'border-transparent bg-transparent text-ink2 hover:bg-hover hover:text-ink active:bg-active',
  danger: 'border-line bg-panel text-err-ink hover:bg-err-soft active:bg-err-soft',
  accent: 'border-line bg-panel text-accent-ink hover:bg-accent-soft active:bg-accent-soft',
}
const SIZES: Record<Size, string> = {
  sm: 'h-6 px-2 text-sm rounded-md gap-1',
  md: 'h-7 px-2.5 text-base rounded-md gap-1.5',
  lg: 'h-8 px-3.5 text-base rounded-md gap-1.5',
}

export type ButtonProps = ComponentProps<'button'> & {
  tone?: Tone
  size?: Size
  /** Renders its only child (a link) in the button's clothes. */
  asChild?: boolean
}

export function Button({ tone = 'plain', size = 'md', asChild, className, ...rest }: ButtonProps) {
  const Element = asChild ? Slot.Root : 'button'
  return (
    <Element
      type={asChild ? undefined : 'button'}
      className={cx(
        'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap border font-[480]',
        'transition-colors duration-75 disabled:opacity-50 disabled:hover:bg-panel',
        TONES[tone],
        SIZES[size],
        className,
      )}
      {...rest}
    />
  )
}

export type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** Its accessible name and tooltip. */
  label: string
  /** Shown beside the label in the tooltip, as in `⌘K`. */
  keys?: string
  tone?: Tone
  size?: 'sm' | 'md'
  children: ReactNode
}

/** A button that is only an icon; its name is told to everyone. */
export function IconButton({
  label,
  keys,
  tone = 'quiet',
  size = 'md',
  className,
  children,
  ...rest
}: IconButtonProps) {
  const plain = plainName(label)
  return (
    <Tooltip label={plain} keys={keys}>
      <button
        type="button"
        aria-label={plain}
        className={cx(
          'inline-grid shrink-0 place-items-center rounded-md border transition-colors duration-75 disabled:opacity-45',
          size === 'sm' ? 'size-6' : 'size-7',
          TONES[tone],
          className,
        )}
        {...rest}
      >
        {children}
      </button>
    </Tooltip>
  )
}
