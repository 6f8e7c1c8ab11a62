'use client'

import { useState } from 'react'
import type { FoundSecret } from '@/lib/state/export-model'
import { Button } from '../ui/button'
import { exact } from '../ui/format'
import { fieldWords } from './field-words'

/** Places seen at once; the rest is a click away. */
const FEW = 5

const shown = (value: string, most: number): string =>
  value.length > most ? `${value.slice(0, most)}…` : value

/** Places of one secret in the order of the log. */
function Places({ secret }: { secret: FoundSecret }) {
  const [all, setAll] = useState(false)
  const { places, count, value } = secret
  const listed = all ? places : places.slice(0, FEW)
  return (
    <ul className="m-0 mt-1 list-none p-0 pl-6 font-mono text-sm text-ink2">
      {listed.map(({ seq, field, before, after }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places have no identity of their own and never move
        <li key={index} className="break-words">
          <span className="text-ink3">
            {seq === null ? '' : `#${seq} `}
            {fieldWords(field)}
          </span>{' '}
          {before ? `…${before}` : ''}
          <mark className="rounded-xs bg-summary-soft px-0.5 text-summary-ink">
            {shown(value, 40)}
          </mark>
          {after ? `${after}…` : ''}
        </li>
      ))}
      {places.length > FEW ? (
        <li>
          <Button size="sm" tone="quiet" className="-ml-2" onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${exact(places.length)} places`}
          </Button>
        </li>
      ) : null}
      {all && count > places.length ? (
        <li>and {exact(count - places.length)} more, taken out as well</li>
      ) : null}
    </ul>
  )
}

/** Every secret that was found with the places it stands in; a box each, to take it out or leave it. */
export function SecretList({
  secrets,
  kept,
  onKept,
}: {
  secrets: readonly FoundSecret[]
  kept: ReadonlySet<string>
  onKept(kept: ReadonlySet<string>): void
}) {
  const hits = secrets.reduce((sum, { count }) => sum + count, 0)
  const change = (value: string, isOut: boolean) => {
    const next = new Set(kept)
    if (isOut) next.delete(value)
    else next.add(value)
    onKept(next)
  }
  return (
    <section aria-label="Secrets found">
      <p className="m-0 mb-2 font-[520]" role="status">
        {secrets.length === 0
          ? 'Nothing was found.'
          : `${exact(secrets.length)} found, in ${exact(hits)} ${hits === 1 ? 'place' : 'places'}. What is ticked goes.`}
      </p>
      <ul className="m-0 flex list-none flex-col gap-2 p-0">
        {secrets.map((secret) => (
          <li key={secret.value} className="min-w-0">
            <label className="flex items-baseline gap-1.5">
              <input
                type="checkbox"
                className="accent-accent"
                checked={!kept.has(secret.value)}
                onChange={({ target }) => change(secret.value, target.checked)}
              />
              <span className="min-w-0 break-all">
                <span className="text-ink2">{secret.label}</span>{' '}
                <code>{shown(secret.value, 80)}</code>{' '}
                <span className="text-ink3">× {exact(secret.count)}</span>
              </span>
            </label>
            <Places secret={secret} />
          </li>
        ))}
      </ul>
    </section>
  )
}
