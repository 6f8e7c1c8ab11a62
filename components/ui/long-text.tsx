'use client'

import { useState } from 'react'
import { Button } from './button'
import { cx } from './cx'
import { bytes } from './format'
import { firstPiece, safeCut } from './pieces'

const FIRST_CHARS = 4000
const FIRST_LINES = 24
const PIECE = 60_000

/** Verbatim text: its beginning, then more on demand, in pieces. */
export function LongText({
  text,
  className,
  onGrow,
}: {
  text: string
  className?: string
  /** Called when more is shown; the list around it measures again by itself. */
  onGrow?(): void
}) {
  const [end, setEnd] = useState(() => firstPiece(text, FIRST_CHARS, FIRST_LINES))
  const left = text.length - end
  return (
    <div className={cx('min-w-0', className)}>
      <pre className="mono m-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text.slice(0, end)}
        {left > 0 ? <span className="text-ink3"> …</span> : null}
      </pre>
      {left > 0 ? (
        <div className="mt-1.5 flex items-center gap-2 font-sans">
          <Button
            size="sm"
            onClick={() => {
              setEnd(safeCut(text, end + PIECE))
              onGrow?.()
            }}
          >
            {left <= PIECE ? 'Show all' : 'Show more'}
          </Button>
          <span className="text-sm text-ink2">{bytes(left)} more</span>
        </div>
      ) : null}
    </div>
  )
}
