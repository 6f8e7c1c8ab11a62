'use client'

import { lossesOf } from '@/lib/state/export-losses'
import { useMoment, useSession } from '@/lib/state/hooks'
import { FORMATS, rangeWords } from './formats'
import type { ExportForm } from './use-export-form'

/** What the chosen format holds, what it cannot, and how much of the session goes in. */
export function FormatDetails({ form }: { form: ExportForm }) {
  const { format, range } = form
  const at = useMoment()
  const heads = useSession((state) => state.log.heads)
  const imported = useSession((state) => state.header.origin !== undefined)
  const losses = lossesOf(format, range, heads, { at, imported })
  const holds = FORMATS.find((one) => one.format === format)?.holds(range)
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-4">
      <section aria-label="What it holds">
        <h3 className="m-0 mb-1.5 text-xs font-semibold text-ink2">Holds</h3>
        <p className="m-0">{holds}</p>
      </section>
      <section aria-label="What it leaves out">
        <h3 className="m-0 mb-1.5 text-xs font-semibold text-ink2">Leaves out</h3>
        {losses.length === 0 ? (
          <p className="m-0">Nothing.</p>
        ) : (
          <ul className="m-0 flex list-disc flex-col gap-0.5 pl-4 marker:text-ink3">
            {losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        )}
      </section>
      {form.ranges.length > 1 ? <Ranges form={form} at={at} /> : null}
    </div>
  )
}

function Ranges({ form: { ranges, range, setRange }, at }: { form: ExportForm; at: number }) {
  return (
    <fieldset className="m-0 border-0 p-0">
      <legend className="mb-1.5 p-0 text-xs font-semibold text-ink2">How much</legend>
      <div className="flex flex-col gap-1">
        {ranges.map((own) => (
          <label key={own} className="flex items-center gap-2">
            <input
              type="radio"
              name="export-range"
              checked={own === range}
              onChange={() => setRange(own)}
              className="accent-accent"
            />
            {rangeWords(own, at)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
