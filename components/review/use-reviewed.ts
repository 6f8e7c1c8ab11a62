'use client'

import { type DraftState, draftsOf } from '@/lib/core/drafts'
import type { Seq } from '@/lib/core/event'
import type { Log } from '@/lib/core/log'
import type { Run } from '@/lib/core/range'
import { useBody, useSession } from '@/lib/state/hooks'
import { isSameRange } from './plan'
import { type Edit, type Review, useEdit } from './review-store'

export type Reviewed = {
  run: Run
  /** Every draft of this run, oldest first. */
  drafts: readonly DraftState[]
  /** The one on screen. */
  draft: DraftState | null
  /** As the model wrote it; null while it is read. */
  written: string | null
  /** As it would be committed. */
  edit: Edit
  /** It is what the model sees now. */
  isCommitted: boolean
  /** Runs that still wait, by index. */
  left: number[]
}

const known = new WeakMap<Log, { version: number; drafts: DraftState[] }>()

/** The log grows in place: `version` tells when, and lets what is found be kept until then. */
function draftsAt(log: Log, version: number): readonly DraftState[] {
  const last = known.get(log)
  if (last?.version === version) return last.drafts
  const drafts = draftsOf(log)
  known.set(log, { version, drafts })
  return drafts
}

/** The drafts of each run as the log has them now. */
export function useReviewed(review: Review): Reviewed {
  const log = useSession((state) => state.log)
  const version = useSession((state) => state.version)
  const all = draftsAt(log, version)
  const of = (run: Run) =>
    all.filter(({ range, seqs }) => isSameRange(range, run) && seqs.length === run.seqs.length)
  const run = review.runs[review.at]!
  const drafts = of(run)
  const draft = drafts.find((one) => one.draftSeq === review.shown[review.at]) ?? drafts.at(-1)
  const body = useBody(draft?.draftSeq ?? null)
  const written = body?.type === 'compact/draft' ? body.data.summary : null
  const typed = useEdit(review.session, (draft?.draftSeq ?? -1) as Seq)
  return {
    run,
    drafts,
    draft: draft ?? null,
    written,
    edit: typed ?? { text: written ?? '', literals: [] },
    isCommitted: drafts.some(({ isStanding }) => isStanding),
    left: review.runs.flatMap((one, at) =>
      of(one).some(({ isStanding }) => isStanding) ? [] : [at],
    ),
  }
}
