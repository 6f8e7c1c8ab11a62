'use client'

import { Dialog as Radix } from 'radix-ui'
import { useDeferredValue, useMemo, useState } from 'react'
import { useActions, useSession } from '@/lib/state/hooks'
import { useScreen } from '../shell/screen'
import { cx } from '../ui/cx'
import { Segmented } from '../ui/tabs'
import { effectOf } from './effect'
import { EffectPane } from './effect-pane'
import { FactsPane } from './facts-pane'
import { PromptPane } from './prompt-pane'
import { ReviewFoot } from './review-foot'
import { ReviewHead } from './review-head'
import { closeReview, type Review, setEdit, useReview } from './review-store'
import { ShadowList } from './shadow-list'
import { SummaryPane } from './summary-pane'
import { useFacts } from './use-facts'
import { type Reviewed, useReviewed } from './use-reviewed'

/** Draft, compare, edit, commit (C16): what goes, what comes in its place, and what that does. */
export function ReviewDialog() {
  const isOpen = useScreen((state) => state.dialog === 'review')
  const session = useSession((state) => state.id)
  const review = useReview((state) => state.review)
  return isOpen && review?.session === session ? <Sheet review={review} /> : null
}

type Pane = 'shadowed' | 'summary' | 'effect'
const PANES: { value: Pane; label: string }[] = [
  { value: 'shadowed', label: 'Shadowed' },
  { value: 'summary', label: 'Summary' },
  { value: 'effect', label: 'Effect' },
]

function Sheet({ review }: { review: Review }) {
  const { cancelCompaction } = useActions()
  const reviewed = useReviewed(review)
  const isDrafting = review.stage === 'drafting'
  return (
    <Radix.Root open onOpenChange={(open) => !open && closeReview()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-veil" />
        <div className="pointer-events-none fixed inset-0 z-40 grid place-items-end wide:place-items-center wide:p-6">
          <Radix.Content
            aria-describedby={undefined}
            onOpenAutoFocus={(event) => {
              event.preventDefault()
              ;(event.currentTarget as HTMLElement).focus()
            }}
            onEscapeKeyDown={(event) => {
              if (!isDrafting) return
              event.preventDefault()
              cancelCompaction()
            }}
            // What was typed is worth more than a click beside it.
            onInteractOutside={(event) => event.preventDefault()}
            className="pointer-events-auto flex h-[96dvh] w-full animate-rise flex-col overflow-hidden rounded-t-xl border border-line bg-raised shadow-float outline-none wide:h-[min(88dvh,760px)] wide:max-w-300 wide:rounded-xl"
          >
            <ReviewHead review={review} reviewed={reviewed} />
            <Body review={review} reviewed={reviewed} />
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

const COLUMN = 'min-h-0 min-w-0 wide:border-l wide:first:border-l-0'

function Body({ review, reviewed }: { review: Review; reviewed: Reviewed }) {
  const [pane, setPane] = useState<Pane>('summary')
  const [isPrompt, setPrompt] = useState(false)
  const log = useSession((state) => state.log)
  const version = useSession((state) => state.version)
  const minGain = useSession((state) => state.chosen.policy.minGain)
  const { run, draft, edit } = reviewed
  const settled = useDeferredValue(edit)
  const hasText = review.stage === 'ready' && draft !== null && !draft.isStale
  const effect = useMemo(
    () =>
      hasText && settled.text !== ''
        ? effectOf(log, version, run, settled.text, settled.literals, minGain)
        : null,
    [log, version, run, settled, minGain, hasText],
  )
  const facts = useFacts(log, run, edit, minGain)
  const kept = useMemo(
    () =>
      facts?.traces.filter(({ fate }) => fate === 'kept').map(({ fact }) => fact.text.trim()) ?? [],
    [facts],
  )
  const hidden = (one: Pane) => (pane === one ? null : 'max-wide:hidden')
  return (
    <>
      <div className="border-b px-4 py-2 wide:hidden">
        <Segmented
          label="Part of the review"
          value={pane}
          options={PANES}
          onChange={(next: Pane) => setPane(next)}
        />
      </div>
      <div className="grid min-h-0 flex-1 wide:grid-cols-[1fr_1fr_292px]">
        <div className={cx(COLUMN, hidden('shadowed'))}>
          <ShadowList rows={review.rows} tokens={run.tokens} />
        </div>
        <div className={cx(COLUMN, hidden('summary'))}>
          {isPrompt && draft ? (
            <PromptPane startSeq={draft.startSeq} />
          ) : (
            <SummaryPane
              review={review}
              reviewed={reviewed}
              tokens={effect?.summary ?? null}
              kept={kept}
            />
          )}
        </div>
        <div className={cx(COLUMN, hidden('effect'))}>
          <EffectPane effect={effect} rows={review.rows} runs={review.runs.length}>
            {hasText ? (
              <FactsPane
                facts={facts}
                onAppend={(lost) =>
                  setEdit(review.session, draft.draftSeq, {
                    ...edit,
                    literals: [...edit.literals, ...lost],
                  })
                }
              />
            ) : null}
          </EffectPane>
        </div>
      </div>
      <ReviewFoot
        review={review}
        reviewed={reviewed}
        effect={effect}
        isPrompt={isPrompt}
        onPrompt={setPrompt}
      />
    </>
  )
}
