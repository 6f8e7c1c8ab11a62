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
  reveal = null,
}: {
  text: string
  className?: string
  /** Words, in lower case, whose first place must be seen. */
  reveal?: string | null
}) {
  const [grown, setGrown] = useState(() => firstPiece(text, FIRST_CHARS, FIRST_LINES))
  const wanted = reveal ? text.toLowerCase().indexOf(reveal) : -1
  const end = wanted < grown ? grown : safeCut(text, wanted + FIRST_CHARS)
  const left = text.length - end
  return (
    <div className={cx('min-w-0', className)}>
      <pre className="mono m-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text.slice(0, end)}
        {left > 0 ? <span className="text-ink3"> …</span> : null}
      </pre>
      {left > 0 ? (
        <div className="mt-1.5 flex items-center gap-2 font-sans">
          <Button size="sm" onClick={() => setGrown(safeCut(text, end + PIECE))}>
            {left <= PIECE ? 'Show all' : 'Show more'}
          </Button>
          <span className="text-sm text-ink2">{bytes(left)} more</span>
        </div>
      ) : null}
    </div>
  )
}
