import { KINDS, type Kind } from './kinds'

/** One shape for each kind, on a 10 × 10 grid, so that no meaning hangs on colour alone. */
const SHAPES: Record<Kind, React.ReactNode> = {
  user: <circle cx="5" cy="5" r="4" />,
  assistant: <rect x="1" y="1" width="8" height="8" rx="2" />,
  call: <path d="M2 1.2 9 5 2 8.8Z" />,
  result: <path d="M1 2h8v6H1z" />,
  summary: <path d="M5 .4 9.6 5 5 9.6.4 5Z" />,
  pruned: <path d="M1 4h8v2H1z" />,
  error: <path d="m1.4 3 1.6-1.6 2 2 2-2L8.6 3l-2 2 2 2L7 8.6l-2-2-2 2L1.4 7l2-2Z" />,
  system: <path d="M1 1h8v8H1zm2 2v4h4V3z" fillRule="evenodd" />,
}

export function KindMark({ kind, size = 9 }: { kind: Kind; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 10 10"
      aria-hidden="true"
      className="inline-block shrink-0"
      fill={`var(${KINDS[kind].fill})`}
    >
      {SHAPES[kind]}
    </svg>
  )
}

/** Mark and word. */
export function KindLabel({ kind, label }: { kind: Kind; label?: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <KindMark kind={kind} />
      <span className={KINDS[kind].text}>{label ?? KINDS[kind].label}</span>
    </span>
  )
}
