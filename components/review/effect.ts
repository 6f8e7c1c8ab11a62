/** What a draft's text would do to the next request. Pure. */

import { checkSummary, headsOf, tokensOf } from '@/lib/core/accept'
import { checkpointBlocks } from '@/lib/core/checkpoint'
import type { Policy } from '@/lib/core/event'
import type { Log } from '@/lib/core/log'
import { readMeter } from '@/lib/core/meter'
import { estimateMessage } from '@/lib/core/price'
import type { Run } from '@/lib/core/range'

export type Effect = {
  /** Tokens of the next request now and after the commit, in the provider's measure. */
  before: number
  after: number
  /** Of what would be shadowed, and of what would stand in its place. */
  shadowed: number
  summary: number
  /** Why this text may not stand for the range (C6), for people. */
  flaw: string | null
}

/** `version` is that of the log, which grows in place. */
export function effectOf(
  log: Log,
  version: number,
  run: Run,
  text: string,
  literals: readonly string[],
  minGain: Policy['minGain'],
): Effect {
  const { total, scale } = readMeter(log, version - 1)
  const heads = headsOf(log, run.seqs)
  const shadowed = Math.round(scale * tokensOf(heads))
  const summary = Math.round(scale * estimateMessage(checkpointBlocks(text, heads, literals)))
  const flaw = checkSummary(log, { range: run, trigger: 'region' }, text, minGain)
  return {
    before: total,
    after: Math.max(0, total - shadowed + summary),
    shadowed,
    summary,
    flaw: flaw?.message ?? null,
  }
}
