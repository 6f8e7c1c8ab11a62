/** A glyph of the time bar in words. Pure. */

import { count, exact, percent } from '@/components/ui/format'
import type { Mark, MarkKind } from '@/lib/core/projections/timeline'

const WHAT: Record<MarkKind, string> = {
  micro: 'Old results set aside',
  prune: 'Long results shortened',
  auto: 'Compacted automatically',
  overflow: 'Compacted after an overflow',
  manual: 'Compacted by hand',
  model: 'Compacted by the model',
  region: 'A region compacted',
  restore: 'Restored',
}

/** What made it happen. */
const WHY: Record<MarkKind, string> = {
  micro: 'Micro pass, without a model',
  prune: 'Pruning, without a model',
  auto: 'The window came above its threshold',
  overflow: 'The provider found the request too large',
  manual: 'You asked for it',
  model: 'The model asked for it',
  region: 'You chose the span',
  restore: 'You asked for it',
}

export const glyphReason = ({ kind }: Mark): string => WHY[kind]

export function glyphTitle({ kind, status }: Mark): string {
  switch (status) {
    case 'done':
      return WHAT[kind]
    case 'running':
      return 'Compacting'
    case 'drafted':
      return 'Summary drafted'
    case 'failed':
    case 'cancelled':
    case 'interrupted':
      return `Compaction ${status}`
  }
}

/** `35,012 → 10,904 tokens, −69%`; what changed nothing says so. */
export function glyphEffect({ before, after, count: landed }: Mark): string {
  if (landed === 0) return `${exact(before)} tokens, nothing changed`
  const change = before > 0 ? Math.abs(after - before) / before : 0
  const sign = after < before ? '−' : '+'
  const share = change > 0 ? `, ${sign}${percent(change)}` : ''
  return `${exact(before)} → ${exact(after)} tokens${share}`
}

/** How many results a pass without a model took. */
export const glyphCount = ({ kind, count: landed }: Mark): string | null =>
  (kind === 'micro' || kind === 'prune') && landed > 0 ? count(landed, 'result') : null

/** The same for those who listen. */
export const glyphSpoken = (mark: Mark): string => `${glyphTitle(mark)}, ${glyphEffect(mark)}`
