'use client'

import { type ReactNode, useState } from 'react'
import { useActions, useBody, useSession } from '@/lib/state/hooks'
import { Words } from '../chat/blocks'
import { failureWords } from '../chat/compaction-words'
import { Button } from '../ui/button'
import { duration, exact, short } from '../ui/format'
import { SectionTitle } from '../ui/panel'
import { ScrollBox } from '../ui/scroll-box'
import { Skeleton, Spinner } from '../ui/spinner'
import { Segmented } from '../ui/tabs'
import { useNow } from '../ui/use-now'
import { useKeptMarks } from './kept-marks'
import { type Review, regenerate, setEdit } from './review-store'
import type { Reviewed } from './use-reviewed'

/** The summary: as it streams in, then to be read or edited. */
export function SummaryPane({
  review,
  reviewed,
  tokens,
  kept,
}: {
  review: Review
  reviewed: Reviewed
  /** Of the checkpoint, for the heading. */
  tokens: number | null
  /** Literals to mark in the text. */
  kept: readonly string[]
}) {
  const [mode, setMode] = useState<'read' | 'edit'>('read')
  const { draft, written, edit } = reviewed
  if (review.stage === 'drafting') return <Streaming review={review} />
  if (!draft) return <Without review={review} />
  if (written === null)
    return (
      <Frame>
        <Skeleton className="h-3.5 w-2/3" />
      </Frame>
    )
  return (
    <Frame
      aside={
        <span className="flex items-center gap-2.5">
          <span className="mono">{tokens === null ? '' : `${exact(tokens)} tok`}</span>
          <Segmented
            label="The summary"
            value={mode}
            options={[
              { value: 'read', label: 'Read' },
              { value: 'edit', label: 'Edit' },
            ]}
            onChange={(next: 'read' | 'edit') => setMode(next)}
          />
        </span>
      }
    >
      {mode === 'edit' ? (
        <textarea
          aria-label="Summary text"
          ref={focusOnce}
          spellCheck={false}
          value={edit.text}
          onChange={(event) =>
            setEdit(review.session, draft.draftSeq, { ...edit, text: event.target.value })
          }
          className="mono block h-full min-h-60 w-full flex-1 resize-none rounded-md border border-line2 bg-paper p-2.5 leading-relaxed outline-none focus-visible:border-accent"
        />
      ) : (
        <Reading edit={edit} kept={kept} />
      )}
    </Frame>
  )
}

/** The field is what was asked for. */
const focusOnce = (field: HTMLTextAreaElement | null): void => field?.focus()

function Reading({ edit, kept }: { edit: Reviewed['edit']; kept: readonly string[] }) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  useKeptMarks(box, kept, edit.text)
  return (
    <div ref={setBox} data-testid="summary-text">
      <Words text={edit.text} />
      {edit.literals.length > 0 ? (
        <section aria-label="Appended" className="mt-3 border-t pt-2.5">
          <p className="m-0 mb-1 font-semibold">Also mentioned, word for word</p>
          <ul className="mono m-0 list-disc pl-4">
            {edit.literals.map((literal) => (
              <li key={literal} className="[overflow-wrap:anywhere]">
                {literal}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}

function Frame({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label="Summary" className="flex h-full min-h-0 flex-col">
      <div className="px-4 pt-2.5">
        <SectionTitle tall aside={aside}>
          Summary
        </SectionTitle>
      </div>
      <ScrollBox className="flex flex-1 flex-col px-4 pb-3" label="Text of the summary">
        {children}
      </ScrollBox>
    </section>
  )
}

/** The draft as it arrives; Escape ends it. */
function Streaming({ review }: { review: Review }) {
  const { cancelCompaction } = useActions()
  const live = useSession((state) => state.live.compaction)
  const now = useNow(500)
  const age = Math.max(0, now - review.startedAt)
  const text = live?.text ?? ''
  const phase = live?.waiting
    ? 'Begins when the current step has ended'
    : live?.part
      ? `${live.part.phase === 'window' ? 'Reading' : 'Merging'} part ${live.part.index} of ${live.part.of}`
      : text
        ? `${short(text.length)} characters written`
        : 'Waiting for the first words'
  return (
    <Frame
      aside={
        <Button size="sm" onClick={cancelCompaction} title="Cancel (Esc)">
          Cancel
        </Button>
      }
    >
      <p role="status" className="m-0 mb-2 flex items-center gap-2 text-ink2">
        <Spinner className="text-summary" />
        {phase}
        <span className="mono text-ink3">{age >= 1000 ? duration(age) : ''}</span>
      </p>
      <div aria-busy="true">
        {text ? <Words text={text} /> : <Skeleton className="h-3.5 w-2/3" />}
      </div>
    </Frame>
  )
}

/** Cancelled or failed: why, and again. */
function Without({ review }: { review: Review }) {
  const actions = useActions()
  const end = useSession(({ log }) =>
    log.heads.findLast(({ type, time }) => type === 'compact/end' && time >= review.startedAt),
  )
  const event = useBody(end?.seq ?? null)
  const message = event?.type === 'compact/end' ? event.data.error?.message : undefined
  const cancelled = end?.kind === 'cancelled'
  return (
    <Frame>
      <div role="status" className="m-auto flex max-w-80 flex-col items-center gap-2.5 text-center">
        <p className="m-0 font-semibold">
          {cancelled ? 'Cancelled' : review.isWithout ? 'No draft was written' : 'No draft yet'}
        </p>
        <p className="m-0 text-ink2 [overflow-wrap:anywhere]">
          {end ? failureWords(end.kind ?? null) : 'Nothing was changed.'}{' '}
          {message && !cancelled ? message : null}
        </p>
        <Button onClick={() => void regenerate(actions)}>Write a draft</Button>
      </div>
    </Frame>
  )
}
