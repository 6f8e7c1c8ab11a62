'use client'

import { ChevronRight } from 'lucide-react'
import { CopyButton } from '@/components/ui/copy-button'
import { cx } from '@/components/ui/cx'
import { bytes, exact } from '@/components/ui/format'
import { LongText } from '@/components/ui/long-text'
import type { RowProps } from '../shared/virtual-rows'
import type { RequestRow } from './parts'

const TONE: Record<string, string> = {
  user: 'text-user-ink',
  assistant: 'text-assistant-ink',
  system: 'text-system-ink',
  parameters: 'text-ink2',
}

/** One part of the body: a line, and when opened its JSON. */
export function PartRow({
  row,
  props,
  open,
  endsPrefix,
  onToggle,
}: {
  row: RequestRow
  props: RowProps
  open: boolean
  /** The first part that the request before had not sent like this. */
  endsPrefix: boolean
  onToggle(): void
}) {
  return (
    <div data-part={row.part} className="rounded-sm hover:bg-hover">
      {endsPrefix ? <Rule word="differs from the request before" tone="text-err-ink" /> : null}
      <button
        type="button"
        {...props}
        aria-expanded={open}
        onClick={onToggle}
        className="flex h-7 w-full items-center gap-2 px-1 text-left outline-offset-[-2px]"
      >
        <ChevronRight size={12} className={cx('shrink-0 text-ink3', open && 'rotate-90')} />
        <span
          className={cx(
            'mono w-27 shrink-0 truncate',
            TONE[row.label] ?? (row.part === 'tools' ? 'text-call-ink' : 'text-ink'),
          )}
        >
          {row.part === 'messages' ? `${row.index} ${row.label}` : row.label}
        </span>
        <span className="mono min-w-0 flex-1 truncate text-ink2">{row.preview}</span>
        <span className="mono shrink-0 text-ink2">{bytes(row.bytes)}</span>
        <span className="mono w-14 shrink-0 text-right">
          {row.tokens > 0 ? exact(row.tokens) : ''}
        </span>
      </button>
      {open ? (
        <div className="relative mb-1 ml-6 rounded-md border bg-paper p-2 pr-9">
          <LongText text={JSON.stringify(row.value, null, 2)} />
          <CopyButton
            label="Copy this part"
            className="absolute right-1 top-1"
            text={() => JSON.stringify(row.value, null, 2)}
          />
        </div>
      ) : null}
      {row.breakpoint ? <Rule word="cache breakpoint" tone="text-accent-ink" /> : null}
    </div>
  )
}

/** A line across the list. A breakpoint asks the provider to cache everything above it. */
function Rule({ word, tone }: { word: string; tone: string }) {
  return (
    <div className={cx('flex items-center gap-2 px-1 py-0.5 text-xs', tone)} data-rule={word}>
      <span aria-hidden="true" className="h-px flex-1 border-t border-dashed border-current" />
      {word}
      <span aria-hidden="true" className="h-px flex-1 border-t border-dashed border-current" />
    </div>
  )
}
