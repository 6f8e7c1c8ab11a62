'use client'

import type { Reading } from '@/lib/core/meter'
import { REQUEST_LIMITS, thresholdOf } from '@/lib/core/policy'
import { useIsLive, useMoment, useReading, useSession } from '@/lib/state/hooks'
import { Pins, ToolsOff } from '../review/pins'
import { cx } from '../ui/cx'
import { bytes, exact, percent, short } from '../ui/format'
import { Popover } from '../ui/popover'
import { TokenCount } from './token-count'

type Part = keyof Reading['parts']

export const PARTS: { part: Part; label: string; fill: string }[] = [
  { part: 'system', label: 'system prompt', fill: 'var(--system)' },
  { part: 'tools', label: 'tool definitions', fill: 'var(--tools)' },
  { part: 'summary', label: 'summaries', fill: 'var(--summary)' },
  { part: 'user', label: 'user', fill: 'var(--user)' },
  { part: 'assistant', label: 'assistant', fill: 'var(--assistant)' },
  { part: 'results', label: 'tool results', fill: 'var(--result)' },
]

const WORDS: Record<Reading['kind'], string> = {
  measured: 'Measured by the provider with its last reply.',
  mixed: 'Measured by the provider, what changed since is estimated.',
  estimated: 'Estimated from the text; the provider has not measured it yet.',
}

/** The whole of the bar in tokens: the window, or a little more than what matters where it is unknown. */
const spanOf = (reading: Reading): number =>
  Math.max(
    reading.window ?? Math.max(reading.threshold ?? 0, reading.total) * 1.25,
    reading.total,
    1,
  )

/** Bytes are worth a word once they, not tokens, are what fills up (M4). */
const bytesMatter = (reading: Reading): boolean =>
  reading.bytes > REQUEST_LIMITS.bytes / 4 || reading.media > REQUEST_LIMITS.media / 4

export function MeterBar({ reading, className }: { reading: Reading; className?: string }) {
  const span = spanOf(reading)
  const share = (tokens: number) => `${Math.min(100, (tokens / span) * 100)}%`
  return (
    <span className={cx('figure relative block h-2 w-full', className)}>
      <span className="absolute inset-0 flex overflow-hidden rounded-full bg-hover">
        {PARTS.map(({ part, fill }) =>
          reading.parts[part] > 0 ? (
            <span
              key={part}
              className="h-full min-w-px border-r border-panel last:border-0"
              style={{ width: share(reading.parts[part]), background: fill }}
            />
          ) : null,
        )}
        {reading.window ? (
          <span
            className="hatch absolute inset-y-0 right-0"
            style={{ width: share(reading.maxTokens) }}
          />
        ) : null}
      </span>
      {reading.threshold === undefined ? null : (
        <span
          className="absolute -inset-y-0.75 w-0.5 rounded-full bg-err"
          style={{ left: `calc(${share(reading.threshold)} - 1px)` }}
        />
      )}
    </span>
  )
}

/** `31.2k / 200k · compacts at 160k` */
export function meterWords(reading: Reading): string {
  const total = `${reading.kind === 'estimated' ? '~' : ''}${short(reading.total)}`
  const window = reading.window === undefined ? '' : ` / ${short(reading.window)}`
  const limit = reading.threshold === undefined ? '' : ` · compacts at ${short(reading.threshold)}`
  const size = bytesMatter(reading) ? ` · ${bytes(reading.bytes)}` : ''
  return `${total}${window}${limit}${size}`
}

/** The reading at the playhead; live, judged by the limits the next step will have. */
export function useShownReading(): Reading {
  const reading = useReading()
  const live = useIsLive()
  const chosen = useSession((state) => state.chosen)
  if (!live) return reading
  const { contextWindow, params, policy } = chosen
  return {
    ...reading,
    window: contextWindow,
    maxTokens: params.max_tokens,
    threshold: thresholdOf(policy, contextWindow, params.max_tokens),
  }
}

/** The context meter: by part, with the threshold tick; pressing it shows the figures. */
export function Meter() {
  const reading = useShownReading()
  const live = useIsLive()
  const moment = useMoment()
  return (
    <Popover
      label="Context by part"
      className="w-88"
      trigger={
        <button
          type="button"
          aria-label={`Context: ${meterWords(reading)}`}
          className="flex min-w-24 flex-1 items-center gap-3 rounded-md px-2 py-1.5 hover:bg-hover data-[state=open]:bg-hover"
        >
          <MeterBar reading={reading} className="min-w-12 max-w-85 flex-1" />
          <span className="mono shrink-0 truncate text-ink2 @max-5xl:hidden">
            {meterWords(reading)}
            {live ? null : <span className="text-accent-ink"> · at #{moment}</span>}
          </span>
        </button>
      }
    >
      <MeterDetail reading={reading} />
    </Popover>
  )
}

function MeterDetail({ reading }: { reading: Reading }) {
  return (
    <div className="flex flex-col gap-3">
      <MeterBar reading={reading} />
      <table className="mono w-full border-collapse">
        <tbody>
          {PARTS.map(({ part, label, fill }) => (
            <tr key={part} className="[&>*]:py-0.5">
              <th scope="row" className="text-left font-normal text-ink2">
                <i
                  className="figure mr-2 inline-block size-2.25 rounded-xs"
                  style={{ background: fill }}
                />
                {label}
              </th>
              <td className="text-right">{exact(reading.parts[part])}</td>
              <td className="w-14 text-right text-ink3">
                {percent(reading.total ? reading.parts[part] / reading.total : 0)}
              </td>
            </tr>
          ))}
          <tr className="border-t [&>*]:pt-1.5">
            <th scope="row" className="text-left font-semibold">
              in the window
            </th>
            <td className="text-right font-semibold">{exact(reading.total)}</td>
            <td className="text-right text-ink3">
              {reading.window ? percent(reading.total / reading.window) : null}
            </td>
          </tr>
        </tbody>
      </table>
      <MeterLimits reading={reading} />
      <Pins />
      <ToolsOff />
    </div>
  )
}

function MeterLimits({ reading }: { reading: Reading }) {
  return (
    <div className="flex flex-col gap-1 text-sm text-ink2">
      <p className="m-0">{WORDS[reading.kind]}</p>
      <TokenCount estimate={reading.total} />
      <p className="m-0">
        {reading.threshold === undefined
          ? 'The window is unknown and no threshold is set, so nothing is compacted before the provider refuses.'
          : `Compacts above ${exact(reading.threshold)}.`}{' '}
        {reading.window
          ? `The window holds ${exact(reading.window)}, of which ${exact(reading.maxTokens)} are kept free for the reply.`
          : null}
      </p>
      <p className="m-0">
        The request weighs {bytes(reading.bytes)} of {bytes(REQUEST_LIMITS.bytes)}
        {reading.media
          ? ` and carries ${reading.media} of ${REQUEST_LIMITS.media} images or documents`
          : ''}
        .
      </p>
    </div>
  )
}
