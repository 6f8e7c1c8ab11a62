'use client'

import { useState } from 'react'
import { useActions, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { Spinner } from '../ui/spinner'
import type { Effect } from './effect'
import { changeReview, closeReview, type Review, regenerate } from './review-store'
import type { Reviewed } from './use-reviewed'

const STALE =
  'What this draft would replace has changed since it was written. Regenerate it, or choose the span again.'

/** What can be done with the draft on screen. */
export function ReviewFoot({
  review,
  reviewed,
  effect,
  isPrompt,
  onPrompt,
}: {
  review: Review
  reviewed: Reviewed
  effect: Effect | null
  isPrompt: boolean
  onPrompt(show: boolean): void
}) {
  const actions = useActions()
  const writer = useSession((state) => state.role === 'writer')
  const [isCommitting, setCommitting] = useState(false)
  const { draft, edit, isCommitted, left } = reviewed
  const isReady = review.stage === 'ready'
  const isStale = Boolean(draft?.isStale) && !isCommitted
  const others = left.filter((at) => at !== review.at)

  const next = () => {
    if (others.length > 0) changeReview({ at: others[0]! })
    else closeReview()
  }
  const commit = async () => {
    if (!draft) return
    setCommitting(true)
    const done = await actions.commitDraft(draft.draftSeq, edit.text, edit.literals)
    setCommitting(false)
    if (done) next()
  }
  const discard = () => {
    if (draft && !isCommitted) void actions.discardDraft(draft.draftSeq)
    next()
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-t px-4 py-3">
      <Button disabled={!isReady} onClick={discard}>
        Discard
      </Button>
      <Button
        disabled={!isReady || !writer || isCommitted}
        onClick={() => void regenerate(actions)}
      >
        Regenerate
      </Button>
      <Button
        disabled={!draft || !isReady}
        aria-pressed={isPrompt}
        onClick={() => onPrompt(!isPrompt)}
      >
        {isPrompt ? 'Show the summary' : 'Show the prompt'}
      </Button>
      <p
        role={isStale ? 'alert' : undefined}
        className={
          isStale
            ? 'm-0 min-w-60 flex-1 text-err-ink'
            : 'm-0 min-w-60 flex-1 text-right text-ink3 max-wide:hidden'
        }
      >
        {isStale ? STALE : 'Nothing is deleted. You can restore this span at any time.'}
      </p>
      <Button
        tone="primary"
        className="max-wide:ml-auto"
        disabled={
          !isReady ||
          !draft ||
          isStale ||
          isCommitted ||
          isCommitting ||
          !writer ||
          !effect ||
          effect.flaw !== null
        }
        onClick={() => void commit()}
      >
        {isCommitting ? <Spinner /> : null}
        {isCommitted
          ? 'Committed'
          : review.runs.length > 1
            ? `Commit this text (run ${review.at + 1} of ${review.runs.length})`
            : 'Commit this text'}
      </Button>
    </div>
  )
}
