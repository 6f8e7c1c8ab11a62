'use client'

import { draftAt } from '@/lib/core/drafts'
import type { Seq } from '@/lib/core/event'
import type { Log } from '@/lib/core/log'
import { useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { reviewDraft } from './review-drafts'

/** `version` is that of the log, which grows in place. */
const stateOf = (log: Log, _version: number, draftSeq: Seq) => draftAt(log, draftSeq)

/** What became of a draft, and the way to its review while it still fits. */
export function DraftedLine({ draftSeq }: { draftSeq: Seq }) {
  const log = useSession((state) => state.log)
  const version = useSession((state) => state.version)
  const session = useSession((state) => state.id)
  const draft = stateOf(log, version, draftSeq)
  if (!draft) return null
  if (draft.committedBy !== null && draft.isStale)
    return <p className="m-0 w-full text-ink2">It was committed.</p>
  if (draft.isStale)
    return (
      <p className="m-0 w-full text-ink2">
        What it would replace has changed since, so it no longer fits.
      </p>
    )
  return (
    <p className="m-0 flex w-full items-center gap-2 text-ink2">
      <span className="min-w-0 flex-1">
        {draft.isDiscarded
          ? 'It was discarded, and still fits.'
          : 'It waits for review. Nothing has changed yet.'}
      </span>
      <Button size="sm" onClick={() => reviewDraft(log, session, [draftSeq])}>
        Review
      </Button>
    </p>
  )
}
