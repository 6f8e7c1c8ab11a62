import { cx } from './cx'
import { exact, short } from './format'

/** A count as `31.2k` with the exact value on hover. */
export function Num({
  value,
  unit,
  className,
}: {
  value: number
  unit?: string
  className?: string
}) {
  const text = short(value)
  const whole = exact(value)
  return (
    <span
      className={cx('tabular-nums', className)}
      title={text === whole && !unit ? undefined : unit ? `${whole} ${unit}` : whole}
    >
      {text}
    </span>
  )
}
