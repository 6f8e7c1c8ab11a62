/** From drafts that are in the log to their review. */

import { headsOf, tokensOf } from '@/lib/core/accept'
import { draftsOf } from '@/lib/core/drafts'
import type { Seq } from '@/lib/core/event'
import type { Log } from '@/lib/core/log'
import type { Run } from '@/lib/core/range'
import { isSameRange, planOfDrafts } from './plan'
import { changeReview, showReview } from './review-store'

/** Opens the review with these drafts on screen; several drafts of one range are one run. */
export function reviewDraft(log: Log, session: string, draftSeqs: readonly Seq[]): void {
  const runs: Run[] = []
  const shown: Record<number, Seq> = {}
  for (const draft of draftsOf(log)) {
    if (!draftSeqs.includes(draft.draftSeq)) continue
    const { start, end } = draft.range
    const known = runs.findIndex((run) => isSameRange(run, draft.range))
    if (known < 0)
      runs.push({ start, end, seqs: draft.seqs, tokens: tokensOf(headsOf(log, draft.seqs)) })
    shown[known < 0 ? runs.length - 1 : known] = draft.draftSeq
  }
  if (runs.length === 0) return
  const [first] = draftsOf(log).filter(({ draftSeq }) => draftSeqs.includes(draftSeq))
  showReview(
    { session, plan: planOfDrafts(log, runs), isWhole: first?.trigger !== 'region' },
    'ready',
  )
  changeReview({ shown })
}
