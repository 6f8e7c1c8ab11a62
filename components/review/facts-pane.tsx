'use client'

import { useState } from 'react'
import type { FactKind } from '@/lib/core/facts'
import { countFates, type FateCounts, KINDS_BY_WORTH, type Trace } from '@/lib/core/facts-trace'
import { useActions } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { cx } from '../ui/cx'
import { exact, percent } from '../ui/format'
import { Name, plainName } from '../ui/name'
import { SectionTitle } from '../ui/panel'
import { Skeleton } from '../ui/spinner'
import type { Facts } from './use-facts'

const NAMES: Record<FactKind, [one: string, many: string]> = {
  instruction: ['instruction', 'instructions'],
  error: ['error', 'errors'],
  path: ['path', 'paths'],
  url: ['address', 'addresses'],
  identifier: ['identifier', 'identifiers'],
  number: ['number', 'numbers'],
  version: ['version', 'versions'],
  flag: ['flag', 'flags'],
  hash: ['hash', 'hashes'],
  decision: ['decision', 'decisions'],
  effect: ['side effect', 'side effects'],
}

/** Shown before all are asked for, and then. */
const FEW = 6
const MANY = 200

/** What of the span's facts the text keeps, changes and loses. */
export function FactsPane({
  facts,
  onAppend,
}: {
  facts: Facts | null
  onAppend(literals: readonly string[]): void
}) {
  if (!facts)
    return (
      <div>
        <SectionTitle>Facts</SectionTitle>
        <Skeleton className="h-3.5 w-2/3" />
      </div>
    )
  const { traces, offered } = facts
  const by = (fate: Trace['fate']) => traces.filter((trace) => trace.fate === fate)
  const lost = sorted(by('lost'))
  const changed = sorted(by('changed'))
  const kept = by('kept').length
  return (
    <section aria-label="Facts" data-kept={kept} data-lost={lost.length}>
      <SectionTitle
        aside={`kept ${exact(kept)} · changed ${exact(changed.length)} · lost ${exact(lost.length)}`}
      >
        Facts
      </SectionTitle>
      {traces.length === 0 ? (
        <p className="m-0 text-ink2">
          No paths, numbers, identifiers or instructions stand in this span.
        </p>
      ) : null}
      {countFates(traces).map((counts) => (
        <KindLine key={counts.kind} counts={counts} />
      ))}
      <FateList fate="changed" traces={changed} />
      <FateList fate="lost" traces={lost} />
      {lost.length > 0 ? (
        <Button
          size="sm"
          className="mt-2"
          disabled={offered.length === 0}
          title={
            offered.length === 0
              ? 'There is no room for more: the summary would not save enough.'
              : 'Put word for word below the summary, by code'
          }
          onClick={() => onAppend(offered)}
        >
          {offered.length === lost.length || offered.length === 0
            ? `Append the ${exact(lost.length)} lost`
            : `Append ${exact(offered.length)} of the ${exact(lost.length)} lost`}
        </Button>
      ) : null}
    </section>
  )
}

const sorted = (traces: readonly Trace[]): Trace[] =>
  traces.toSorted(
    (a, b) => KINDS_BY_WORTH.indexOf(a.fact.kind) - KINDS_BY_WORTH.indexOf(b.fact.kind),
  )

function KindLine({ counts }: { counts: FateCounts }) {
  const { kind, total, kept } = counts
  return (
    <p className="m-0 flex gap-1.5 py-0.5">
      <span className={kept === 0 ? 'text-ink3' : 'text-assistant-ink'}>kept</span>
      <span className="min-w-0 flex-1">
        {exact(kept)} of {exact(total)} {NAMES[kind][total === 1 ? 0 : 1]}
      </span>
      <span className="mono text-ink2">{percent(kept / total)}</span>
    </p>
  )
}

function FateList({ fate, traces }: { fate: 'changed' | 'lost'; traces: readonly Trace[] }) {
  const [isWhole, setWhole] = useState(false)
  const { select } = useActions()
  const some = traces.slice(0, isWhole ? MANY : FEW)
  const rest = traces.length - some.length
  return (
    <>
      {some.map(({ fact, now }) => (
        <p key={`${fact.seq} ${fact.offset} ${fact.kind}`} className="m-0 flex gap-1.5 py-0.5">
          <span className={cx('shrink-0', fate === 'lost' ? 'text-err-ink' : 'text-call-ink')}>
            {fate}
          </span>
          <span
            className="mono min-w-0 flex-1 truncate leading-[inherit]"
            title={plainName(`${NAMES[fact.kind][0]}: ${fact.text}${now ? ` → ${now}` : ''}`)}
          >
            <Name>{fact.text.replace(/\s+/g, ' ')}</Name>
            {now ? (
              <span className="text-ink2">
                {' → '}
                <Name>{now}</Name>
              </span>
            ) : null}
          </span>
          <button
            type="button"
            aria-label={`Select #${fact.seq}`}
            className="mono text-ink3 hover:text-ink hover:underline"
            onClick={() => select(fact.seq)}
          >
            #{fact.seq}
          </button>
        </p>
      ))}
      {rest > 0 ? (
        <button
          type="button"
          disabled={isWhole}
          className="block text-ink2 underline-offset-2 hover:text-ink hover:underline disabled:no-underline"
          onClick={() => setWhole(true)}
        >
          and {exact(rest)} more {fate}
        </button>
      ) : null}
    </>
  )
}
