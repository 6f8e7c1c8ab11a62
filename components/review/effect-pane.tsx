'use client'

import type { ReactNode } from 'react'
import { useSession } from '@/lib/state/hooks'
import { count, exact, short } from '../ui/format'
import { SectionTitle } from '../ui/panel'
import { ScrollBox } from '../ui/scroll-box'
import type { Effect } from './effect'
import type { PlanRow } from './plan'

/** What the commit would come to, and what it leaves out. */
export function EffectPane({
  effect,
  rows,
  runs,
  children,
}: {
  effect: Effect | null
  rows: readonly PlanRow[]
  runs: number
  /** The facts. */
  children: ReactNode
}) {
  return (
    <ScrollBox label="Effect" className="flex h-full flex-col gap-4 px-4 pb-3 pt-2.5">
      <div>
        <SectionTitle tall>Effect</SectionTitle>
        {effect ? <Surface effect={effect} /> : <p className="m-0 text-ink2">Not known yet.</p>}
      </div>
      {children}
      <NotIncluded rows={rows} runs={runs} />
    </ScrollBox>
  )
}

function Surface({ effect }: { effect: Effect }) {
  const window = useSession((state) => state.chosen.contextWindow)
  const { before, after } = effect
  const whole = Math.max(before, after, 1)
  const saves = before - after
  const width = (tokens: number) => `${(tokens / whole) * 100}%`
  return (
    <div data-testid="effect" data-before={before} data-after={after}>
      <p className="mono m-0 text-ink2">
        surface {exact(before)} → <span className="text-ink">{exact(after)}</span>
        {window === undefined ? '' : ` of ${short(window)}`}
      </p>
      <div
        aria-hidden="true"
        className="figure relative my-1.5 h-2.5 overflow-hidden rounded-full bg-hover"
      >
        <span className="absolute inset-y-0 left-0 bg-result/35" style={{ width: width(before) }} />
        <span className="absolute inset-y-0 left-0 bg-ink/25" style={{ width: width(after) }} />
        <span
          className="absolute inset-y-0 bg-summary"
          style={{ left: width(after - effect.summary), width: width(effect.summary) }}
        />
      </div>
      <p className="mono m-0 text-ink2">
        {saves > 0
          ? `saves ${short(saves)} tokens a request`
          : `adds ${short(-saves)} tokens a request`}
      </p>
      {effect.flaw ? (
        <p role="alert" className="m-0 mt-2 text-err-ink">
          {effect.flaw}
        </p>
      ) : null}
    </div>
  )
}

function NotIncluded({ rows, runs }: { rows: readonly PlanRow[]; runs: number }) {
  const kept = rows.filter((row) => row.kept !== null)
  if (kept.length === 0) return null
  const pinned = kept.filter((row) => row.kept === 'pinned').map((row) => `#${row.seq}`)
  const others = kept.length - pinned.length
  const list = pinned.length > 4 ? `${pinned.slice(0, 3).join(', ')}, …` : pinned.join(', ')
  const parts = [
    pinned.length > 0 ? `${count(pinned.length, 'pinned node')} (${list})` : null,
    others > 0
      ? `${count(others, 'node')} that ${others === 1 ? 'stays as it is' : 'stay as they are'}`
      : null,
  ].filter(Boolean)
  const verb = kept.length === 1 ? 'It parts' : 'They part'
  const splits = runs > 1 ? `${verb} the span into ${runs} runs, each with a summary.` : ''
  return (
    <div>
      <SectionTitle>Not included</SectionTitle>
      <p className="m-0 text-ink2">
        {parts.join(' and ')}. {splits}
      </p>
    </div>
  )
}
