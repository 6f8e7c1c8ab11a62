import { sha } from './sign.mjs'
import { totalOf } from './tokens.mjs'

/** A prefix shorter than this is not cached. */
const MINIMUM_PREFIX = 1024
/** Positions checked from each breakpoint back, the breakpoint itself included. */
const LOOK_BACK = 20
const LIFETIME_MS = { '5m': 5 * 60_000, '1h': 60 * 60_000 }

/**
 * The provider's prompt cache: prefixes written at breakpoints, found again by looking back from
 * breakpoints, living five minutes (or an hour) from their last use by `now()`.
 */
export function createPromptCache(now) {
  const entries = new Map()
  const isLive = (hash) => (entries.get(hash)?.expires ?? 0) > now()

  /** @returns usage of the input; writes and refreshes entries on the way. */
  function bill(model, segments) {
    const hashes = []
    const upTo = []
    let hash = model
    let sum = 0
    for (const segment of segments) {
      hash = sha(`${hash}\n${segment.key}`)
      sum += segment.tokens
      hashes.push(hash)
      upTo.push(sum)
    }
    const breakpoints = segments.flatMap((segment, at) => (segment.ttl ? [at] : []))
    let hit = -1
    for (const at of breakpoints) {
      for (let p = at; p >= 0 && at - p < LOOK_BACK; p--) {
        if (p > hit && isLive(hashes[p])) hit = p
      }
    }
    const read = hit < 0 ? 0 : upTo[hit]
    if (hit >= 0) {
      const entry = entries.get(hashes[hit])
      entry.expires = now() + entry.lifetime
    }
    const written = { '5m': 0, '1h': 0 }
    let from = read
    for (const at of breakpoints) {
      if (upTo[at] < MINIMUM_PREFIX) continue
      const lifetime = LIFETIME_MS[segments[at].ttl]
      entries.set(hashes[at], { expires: now() + lifetime, lifetime })
      if (upTo[at] <= from) continue
      written[segments[at].ttl] += upTo[at] - from
      from = upTo[at]
    }
    return {
      input_tokens: totalOf(segments) - from,
      cache_creation_input_tokens: from - read,
      cache_read_input_tokens: read,
      cache_creation: {
        ephemeral_5m_input_tokens: written['5m'],
        ephemeral_1h_input_tokens: written['1h'],
      },
    }
  }
  return { bill, clear: () => entries.clear() }
}
