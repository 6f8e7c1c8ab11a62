'use client'

import { cx } from '../ui/cx'
import type { ExportForm } from './use-export-form'

/** One of all formats. */
export function FormatList({ formats, format, setFormat }: ExportForm) {
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="mb-1.5 p-0 text-xs font-semibold text-ink2">Format</legend>
      <div className="grid grid-cols-1 gap-0.5 min-[430px]:grid-cols-2 wide:grid-cols-1">
        {formats.map(({ format: own, icon: Icon, label }) => (
          <label
            key={own}
            className={cx(
              'relative flex items-center gap-2 rounded-md border px-2 py-1.5 has-focus-visible:outline-2 has-focus-visible:outline-accent',
              own === format
                ? 'border-accent bg-accent-soft font-[550] text-ink'
                : 'border-transparent text-ink2 hover:bg-hover hover:text-ink',
            )}
          >
            <input
              type="radio"
              name="export-format"
              value={own}
              checked={own === format}
              onChange={() => setFormat(own)}
              className="absolute inset-0 m-0 cursor-default opacity-0"
            />
            <Icon size={14} aria-hidden="true" className="shrink-0" />
            <span className="min-w-0 flex-1 truncate">{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
