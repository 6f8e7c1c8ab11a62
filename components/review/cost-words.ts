/** What a compaction cost, in words. Pure. */

import { duration, exact, money, percent } from '../ui/format'
import type { Economics } from './use-cost'

/** `in 149,020 (96% cached) · out 1,742 · $0.031`; what is not known is left out. */
export function costWords(cost: Economics): string[] {
  const { calls, unreported, input, cached, usage, dollars, ms, isCut } = cost
  const reported = calls > unreported
  // What broke off was still being written.
  const more = isCut ? ' or more' : ''
  return [
    ms > 0 ? duration(ms) : '',
    calls > 1 ? `${calls} calls` : '',
    reported ? `in ${exact(input)}${cached > 0 ? ` (${percent(cached)} cached)` : ''}` : '',
    reported ? `out ${exact(usage.output_tokens)}${more}` : '',
    dollars === undefined ? '' : `${money(dollars)}${more}`,
  ].filter(Boolean)
}

/** The tokens in by cache state, for those who point at it. */
export function cacheWords({ usage, calls, unreported, wasted }: Economics): string {
  const parts = [
    `${exact(usage.input_tokens)} new`,
    `${exact(usage.cache_creation_input_tokens)} written to the cache`,
    `${exact(usage.cache_read_input_tokens)} read from it`,
  ]
  const lacks = unreported > 0 ? `; ${unreported} of ${calls} calls gave no figures` : ''
  const vain =
    wasted > 0 ? `; ${wasted} of ${calls} ${calls === 1 ? 'call' : 'calls'} came to nothing` : ''
  return `Tokens in: ${parts.join(', ')}${lacks}${vain}`
}
