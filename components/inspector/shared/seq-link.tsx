'use client'

import { cx } from '@/components/ui/cx'
import type { Seq } from '@/lib/core/event'
import { useActions } from '@/lib/state/hooks'

/** `#388`: selects that event, here and everywhere. */
export function SeqLink({ seq, className }: { seq: Seq; className?: string }) {
  const { select } = useActions()
  return (
    <button
      type="button"
      data-link={seq}
      onClick={(event) => {
        event.stopPropagation()
        select(seq)
      }}
      className={cx(
        'mono rounded-xs text-accent-ink underline decoration-transparent underline-offset-2 hover:decoration-current',
        className,
      )}
    >
      #{seq}
    </button>
  )
}

/** `#4–#371`, or the few there are. */
export function SeqSpan({ seqs }: { seqs: readonly Seq[] }) {
  if (seqs.length === 0) return null
  if (seqs.length === 1) return <SeqLink seq={seqs[0]!} />
  return (
    <span className="whitespace-nowrap">
      <SeqLink seq={seqs[0]!} />–<SeqLink seq={seqs.at(-1)!} />
    </span>
  )
}
