/** When a session compacts: presets, the threshold, and what a measurement calls for (C7). */

import type { Policy } from './event'

/** Code points a prune keeps and the limit it starts from (X2). */
const PRUNE = { thresholdChars: 8192, headChars: 4096, tailChars: 1024 }
/** A summary must save this much to be worth what it loses (C6). */
const MIN_GAIN = { ratio: 0.1, tokens: 500 }

/** `standard` weighs the provider's cache against the room won; `teaching` shows every layer early. */
export const PRESETS: { standard: Policy; teaching: Policy } = {
  standard: {
    preset: 'standard',
    threshold: { ratio: 0.8 },
    micro: { when: 'worthwhile', keepRecent: 3, minChars: 100, exempt: [], recallHint: true },
    prune: PRUNE,
    keepTail: 'recent',
    minGain: MIN_GAIN,
  },
  teaching: {
    preset: 'teaching',
    threshold: { absolute: 50_000, ratio: 0.8 },
    micro: { when: 'always', keepRecent: 3, minChars: 100, exempt: [], recallHint: false },
    prune: PRUNE,
    keepTail: 'newest-unit',
    minGain: MIN_GAIN,
  },
}

/**
 * Tokens above which pressure begins (C7): the smaller of the absolute figure and the ratio of what the
 * window leaves after the reserved output. Undefined, and pressure off, when neither is known.
 */
export function thresholdOf(
  policy: Policy,
  window: number | undefined,
  maxTokens: number,
): number | undefined {
  const { absolute, ratio } = policy.threshold
  const relative =
    window === undefined ? undefined : Math.max(0, Math.floor(ratio * (window - maxTokens)))
  if (absolute === undefined) return relative
  return relative === undefined ? absolute : Math.min(absolute, relative)
}

/**
 * What a request to the Messages API may hold (M4): 32 MB of JSON and 100 media blocks, as its
 * documentation states. Other providers allow as much or more.
 */
export const REQUEST_LIMITS = { bytes: 32_000_000, media: 100 }
/** Share of the byte limit at which pressure begins: the rest is room for one more big attachment. */
const BYTE_PRESSURE = 0.8

type Load = { total: number; bytes: number; media: number; window?: number; maxTokens: number }

/** Whether media, not tokens, are about to overflow the request (M4). */
export const isHeavy = (load: { bytes: number; media: number }): boolean =>
  load.bytes > BYTE_PRESSURE * REQUEST_LIMITS.bytes || load.media > REQUEST_LIMITS.media

/**
 * What a reading calls for (C7): nothing at or below the threshold, above it a prune, and a summary
 * only when the reading taken after the prune is still above. The threshold is that of `policy` with
 * the reading's window, so that a model switch can be judged before its header is written.
 */
export function decide(load: Load, policy: Policy, pruned = false): 'rest' | 'prune' | 'compact' {
  const threshold = thresholdOf(policy, load.window, load.maxTokens)
  const above = threshold !== undefined && load.total > threshold
  if (!above && !isHeavy(load)) return 'rest'
  return pruned ? 'compact' : 'prune'
}
