import { cx } from '../ui/cx'
import type { CommandSpec } from './commands'

export const optionId = (name: string): string => `command-${name}`

/** What a `/` could become; the composer keeps the focus and the keys. */
export function CommandMenu({
  specs,
  active,
  onChoose,
}: {
  specs: readonly CommandSpec[]
  active: number
  onChoose(spec: CommandSpec): void
}) {
  return (
    <div
      id="commands"
      role="listbox"
      aria-label="Commands"
      className="absolute inset-x-0 bottom-full z-20 mb-1.5 animate-rise rounded-lg border bg-raised p-1 shadow-float"
    >
      {specs.map((spec, i) => (
        <div
          key={spec.name}
          id={optionId(spec.name)}
          role="option"
          tabIndex={-1}
          aria-selected={i === active}
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(spec)
          }}
          className={cx(
            'flex cursor-default items-baseline gap-2 rounded-md px-2.5 py-1.5',
            i === active && 'bg-hover',
          )}
        >
          <span className="mono font-semibold">/{spec.name}</span>
          {spec.argument ? <span className="mono text-ink3">{spec.argument}</span> : null}
          <span className="ml-auto truncate text-ink2">{spec.about}</span>
        </div>
      ))}
    </div>
  )
}
