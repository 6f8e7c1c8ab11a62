import { cx } from './cx'

export function Kbd({ children, inverse = false }: { children: string; inverse?: boolean }) {
  return (
    <kbd
      className={cx(
        'mono inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-xs border px-1 text-2xs leading-none',
        inverse ? 'border-current/30 text-current' : 'border-line2 bg-panel text-ink2',
      )}
    >
      {children}
    </kbd>
  )
}
