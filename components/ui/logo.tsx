import { cx } from './cx'

/** A written-over page: one line on top, fainter ones beneath. */
export function LogoMark({ size = 18 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" className="shrink-0">
      <rect x="1" y="2" width="18" height="5" rx="1.2" fill="var(--summary)" />
      <rect x="1" y="9" width="7.5" height="4" rx="1.2" fill="var(--user)" opacity=".75" />
      <rect x="10" y="9" width="9" height="4" rx="1.2" fill="var(--assistant)" opacity=".75" />
      <rect x="1" y="15" width="4.5" height="4" rx="1.2" fill="var(--user)" opacity=".35" />
      <rect x="6.5" y="15" width="12.5" height="4" rx="1.2" fill="var(--result)" opacity=".45" />
    </svg>
  )
}

export function Logo({ className }: { className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-2 whitespace-nowrap', className)}>
      <LogoMark />
      <span className="text-md font-[640] tracking-[-0.015em] @max-5xl:hidden">
        Palim<span className="text-accent-ink">p</span>sest
      </span>
    </span>
  )
}
