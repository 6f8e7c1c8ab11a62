'use client'

import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useScreen } from '../shell/screen'
import { IconButton } from '../ui/button'
import { exact } from '../ui/format'
import { Spinner } from '../ui/spinner'
import { useFind } from './use-find'
import { useHighlights } from './use-highlights'

const close = () => useScreen.setState({ finding: false })

/** Finds words in the whole session, loaded or not. */
export function FindBar({
  scroller,
  onFound,
}: {
  scroller: HTMLElement | null
  /** The row to bring into view; null when nothing matches. */
  onFound(row: number | null): void
}) {
  const find = useFind()
  const input = useRef<HTMLInputElement>(null)
  const { seq, row } = find
  const words = find.query.trim().toLowerCase()
  useEffect(() => {
    input.current?.focus()
    return () => {
      onFound(null)
      useScreen.setState({ found: null })
    }
  }, [onFound])
  useEffect(() => {
    useScreen.setState({ found: seq === null ? null : { seq, words } })
    onFound(row)
  }, [seq, row, words, onFound])
  useHighlights(scroller, words, row)
  return (
    <search
      aria-label="Find in this session"
      className="flex shrink-0 items-center gap-1.5 border-b bg-panel px-3 py-1.5"
    >
      <input
        ref={input}
        type="search"
        aria-label="Find"
        placeholder="Find in this session"
        value={find.query}
        onChange={(event) => find.search(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find.move(event.shiftKey ? -1 : 1)
          else if (event.key === 'Escape') close()
          else return
          event.preventDefault()
        }}
        className="h-7 min-w-0 flex-1 rounded-md border border-line2 bg-paper px-2 outline-none focus-visible:border-accent"
      />
      <span role="status" className="mono min-w-24 text-center text-ink2">
        {find.query.trim() === ''
          ? ''
          : find.total === 0
            ? find.searching
              ? 'searching'
              : 'nothing found'
            : `${exact(find.position + 1)} of ${exact(find.total)}`}
      </span>
      {find.searching ? <Spinner /> : null}
      <IconButton
        size="sm"
        label="Previous match"
        disabled={find.total === 0}
        onClick={() => find.move(-1)}
      >
        <ChevronUp size={14} />
      </IconButton>
      <IconButton
        size="sm"
        label="Next match"
        disabled={find.total === 0}
        onClick={() => find.move(1)}
      >
        <ChevronDown size={14} />
      </IconButton>
      <IconButton size="sm" label="Close find" onClick={close}>
        <X size={14} />
      </IconButton>
    </search>
  )
}
