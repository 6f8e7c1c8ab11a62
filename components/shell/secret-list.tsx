'use client'

import type { FoundSecret } from '@/lib/state/model'

/** Places of one secret in the order of the log. */
function Places({ secret }: { secret: FoundSecret }) {
  const more = secret.count - secret.places.length
  return (
    <ul className="m-0 mt-1 list-none p-0 pl-6 font-mono text-sm text-ink2">
      {secret.places.map(({ seq, field, before, after }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places have no identity of their own and never move
        <li key={index} className="break-words">
          <span className="text-ink3">
            {seq === null ? 'header' : `#${seq}`} {field}
          </span>{' '}
          …{before}
          <mark>{secret.value.length > 40 ? `${secret.value.slice(0, 40)}…` : secret.value}</mark>
          {after}…
        </li>
      ))}
      {more > 0 ? <li>and {more.toLocaleString('en-US')} more</li> : null}
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
          : `${secrets.length.toLocaleString('en-US')} found, in ${hits.toLocaleString('en-US')} places.`}
      </p>
      <ul className="m-0 flex list-none flex-col gap-2 p-0">
        {secrets.map((secret) => (
          <li key={secret.value} className="min-w-0">
            <label className="flex items-baseline gap-1.5">
              <input
                type="checkbox"
                checked={!kept.has(secret.value)}
                onChange={({ target }) => change(secret.value, target.checked)}
              />
              <span className="min-w-0 break-all">
                <span className="text-ink2">{secret.label}</span>{' '}
                <code>{secret.value.slice(0, 80)}</code>{' '}
                <span className="text-ink3">× {secret.count.toLocaleString('en-US')}</span>
              </span>
            </label>
            <Places secret={secret} />
          </li>
        ))}
      </ul>
    </section>
  )
}
