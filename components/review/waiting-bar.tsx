'use client'

import { FilePenLine } from 'lucide-react'
import { useActions, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { count } from '../ui/format'
import { reviewDraft } from './review-drafts'

/** Automatic runs that ask first: what they drafted, waiting for a person (C16). */
export function WaitingBar() {
  const waiting = useSession((state) => state.live.review?.draftSeqs)
  const log = useSession((state) => state.log)
  const session = useSession((state) => state.id)
  const actions = useActions()
  if (!waiting || waiting.length === 0) return null
  return (
    <section
      aria-label="Waiting for review"
      className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-summary bg-summary-soft px-3 py-2"
    >
      <FilePenLine size={15} className="shrink-0 text-summary-ink" aria-hidden="true" />
      <p className="m-0 min-w-48 flex-1">
        <b className="font-semibold">
          {waiting.length === 1
            ? 'A summary waits'
            : `${count(waiting.length, 'summary', 'summaries')} wait`}{' '}
          for your review.
        </b>{' '}
        <span className="text-ink2">The window is above its threshold; nothing was replaced.</span>
      </p>
      <span className="flex gap-1.5 max-wide:w-full max-wide:pl-6.75">
        <Button size="sm" tone="primary" onClick={() => reviewDraft(log, session, waiting)}>
          Review
        </Button>
        <Button
          size="sm"
          onClick={() => {
            for (const seq of waiting) void actions.discardDraft(seq)
          }}
        >
          Discard
        </Button>
      </span>
    </section>
  )
}
