'use client'

import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useSession } from '@/lib/state/hooks'
import { triggerWords } from '../chat/compaction-words'
import { IconButton } from '../ui/button'
import { count } from '../ui/format'
import { plainName } from '../ui/name'
import { Segmented } from '../ui/tabs'
import { cacheWords, costWords } from './cost-words'
import { changeReview, type Review } from './review-store'
import { useCost } from './use-cost'
import type { Reviewed } from './use-reviewed'

const CHIP = 'whitespace-nowrap rounded-md border px-2 py-0.5'

/** What is compacted, and which draft of how many is on screen, with its cost. */
export function ReviewHead({ review, reviewed }: { review: Review; reviewed: Reviewed }) {
  const { run } = reviewed
  return (
    <div className="flex items-center gap-x-3 gap-y-2 border-b px-4 py-3 max-wide:flex-wrap">
      <Radix.Title className="m-0 whitespace-nowrap text-lg font-semibold">
        Compact #{run.start}–#{run.end}
      </Radix.Title>
      <span className={CHIP}>{count(run.seqs.length, 'node')}</span>
      <span className={CHIP}>
        {triggerWords(reviewed.draft?.trigger ?? (review.isWhole ? 'manual' : 'region'))}
      </span>
      {review.focus ? (
        <span
          className={`${CHIP} min-w-24 max-w-80 shrink-[30] truncate max-wide:min-w-0`}
          title={plainName(review.focus)}
        >
          focus: <b className="font-semibold">{plainName(review.focus)}</b>
        </span>
      ) : null}
      {review.runs.length > 1 ? (
        <Segmented
          label="Run"
          value={String(review.at)}
          options={review.runs.map((_, at) => ({
            value: String(at),
            label: reviewed.left.includes(at) ? `Run ${at + 1}` : `Run ${at + 1} ✓`,
          }))}
          onChange={(at: string) => changeReview({ at: Number(at) })}
        />
      ) : null}
      <span className="min-w-0 flex-1 max-wide:hidden" />
      {review.stage === 'ready' && reviewed.draft ? (
        <DraftWords review={review} reviewed={reviewed} />
      ) : null}
      <Radix.Close asChild>
        <IconButton label="Close" keys="Esc" size="sm" className="max-wide:order-first">
          <X size={15} />
        </IconButton>
      </Radix.Close>
    </div>
  )
}

function DraftWords({ review, reviewed }: { review: Review; reviewed: Reviewed }) {
  const { drafts, draft } = reviewed
  const heads = useSession((state) => state.log.heads)
  const cost = useCost(draft!.compactionId, draft!.draftSeq)
  const index = drafts.indexOf(draft!)
  const show = (at: number) =>
    changeReview({ shown: { ...review.shown, [review.at]: drafts[at]!.draftSeq } })
  const model = heads[draft!.startSeq]?.name
  const words = [
    `draft ${index + 1} of ${drafts.length}`,
    model,
    ...(cost ? costWords(cost) : []),
  ].filter(Boolean)
  return (
    <span className="flex min-w-0 items-center gap-1 wide:max-w-[75%] wide:shrink-0">
      {drafts.length > 1 ? (
        <>
          <IconButton
            size="sm"
            label="The draft before"
            disabled={index === 0}
            onClick={() => show(index - 1)}
          >
            <ChevronLeft size={14} />
          </IconButton>
          <IconButton
            size="sm"
            label="The draft after"
            disabled={index === drafts.length - 1}
            onClick={() => show(index + 1)}
          >
            <ChevronRight size={14} />
          </IconButton>
        </>
      ) : null}
      <span
        data-testid="draft-words"
        className="mono min-w-0 text-ink2 wide:truncate"
        title={cost ? cacheWords(cost) : undefined}
      >
        {words.join(' · ')}
      </span>
    </span>
  )
}
