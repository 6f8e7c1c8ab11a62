'use client'

import { useApp, useSession } from '@/lib/state/hooks'
import { costOf } from '@/lib/state/prices'
import { count, exact, money, percent, short } from '../ui/format'

/** What the session has used so far, and what that cost where every model's price is known. */
export function SessionCost() {
  const usage = useSession((state) => state.usage)
  const own = useApp((state) => state.settings.models)
  const { session } = usage
  if (session.requests === 0) return null
  const costs = Object.entries(usage.models).map(([model, totals]) => costOf(totals, model, own))
  const whole = costs.every((cost) => cost !== undefined)
  const cost = costs.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  const input =
    session.input_tokens + session.cache_read_input_tokens + session.cache_creation_input_tokens
  const words = [
    count(session.requests, 'request'),
    `in ${short(input)}`,
    session.cache_read_input_tokens > 0
      ? `${percent(session.cache_read_input_tokens / input)} cached`
      : null,
    `out ${short(session.output_tokens)}`,
    // A plus where some model's price is not known.
    cost > 0 ? `${money(cost)}${whole ? '' : '+'}` : null,
  ].filter(Boolean)
  return (
    <p
      className="mono m-0 min-w-0 flex-1 text-right text-2xs text-ink3 max-wide:hidden"
      title={`${exact(input)} tokens in, ${exact(session.output_tokens)} out${
        usage.unreported ? `; ${count(usage.unreported, 'reply', 'replies')} without figures` : ''
      }`}
    >
      {words.join(' · ')}
    </p>
  )
}
