/** What a compaction card says. Pure. */

import type { CompactTrigger } from '@/lib/core/event'
import type { CompactionStatus } from '@/lib/core/projections/transcript'

const DONE: Record<CompactTrigger, string> = {
  pressure: 'Compacted automatically',
  'context-overflow': 'Compacted after an overflow',
  manual: 'Compacted by you',
  model: 'Compacted by the model',
  region: 'Compacted a region',
}

const WHY: Record<CompactTrigger, string> = {
  pressure: 'pressure',
  'context-overflow': 'overflow',
  manual: 'manual',
  model: 'asked by the model',
  region: 'region',
}

export const triggerWords = (trigger: CompactTrigger | null): string | null =>
  trigger && WHY[trigger]

export function cardTitle(status: CompactionStatus, trigger: CompactTrigger | null): string {
  switch (status) {
    case 'running':
      return 'Compacting'
    case 'done':
      return trigger ? DONE[trigger] : 'Compacted'
    case 'failed':
      return 'Compaction failed'
    case 'cancelled':
      return 'Compaction cancelled'
    case 'interrupted':
      return 'Compaction interrupted'
    case 'drafted':
      return 'Summary drafted'
  }
}

/** Why nothing changed, by `compact/end`'s code. */
export const failureWords = (code: string | null): string =>
  (
    ({
      busy: 'Another compaction was running.',
      cancelled: 'Nothing was changed.',
      changed: 'The conversation changed meanwhile, so the summary no longer fitted.',
      summary: 'No usable summary came back, so nothing was changed.',
      commit: 'The result would not have been a valid conversation.',
      persistence: 'It could not be stored.',
      interrupted: 'The page closed while it ran. Nothing was changed.',
      drafted: 'It waits for review.',
    }) as Record<string, string>
  )[code ?? ''] ?? 'Nothing was changed.'
