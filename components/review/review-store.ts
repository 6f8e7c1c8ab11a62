/** The review that is open, and what was typed into drafts: kept while the page lives, never stored. */

import { create } from 'zustand'
import type { Range, Seq } from '@/lib/core/event'
import type { Run } from '@/lib/core/range'
import type { Actions } from '@/lib/state/model'
import { showDialog, useScreen } from '../shell/screen'
import type { Plan, PlanRow } from './plan'

export type Edit = {
  text: string
  /** Lost literals that are put below it by code. */
  literals: readonly string[]
}

export type Review = {
  session: string
  /** What `compact` would take, not a chosen region. */
  isWhole: boolean
  runs: readonly Run[]
  rows: readonly PlanRow[]
  /** The run on screen. */
  at: number
  focus: string
  /** Writes the summaries in place of the session's choice. */
  model: string | undefined
  stage: 'drafting' | 'ready'
  /** When the newest drafts were asked for, Unix milliseconds. */
  startedAt: number
  /** The newest attempt gave no draft. */
  isWithout: boolean
  /** Which draft of a run is on screen; the newest where none was chosen. */
  shown: Readonly<Record<number, Seq>>
}

type Store = {
  review: Review | null
  /** The two ends of the region the compact dialog is about; null for the whole session. */
  asked: { one: Seq; other: Seq } | null
  /** By session and draft. */
  edits: Readonly<Record<string, Edit>>
}

export const useReview = create<Store>()(() => ({ review: null, asked: null, edits: {} }))

export const changeReview = (change: Partial<Review>): void =>
  useReview.setState(({ review }) => ({ review: review && { ...review, ...change } }))

const editKey = (session: string, draftSeq: Seq) => `${session} ${draftSeq}`

/** What a person made of a draft; undefined while it is as it was written. */
export const useEdit = (session: string, draftSeq: Seq): Edit | undefined =>
  useReview(({ edits }) => edits[editKey(session, draftSeq)])

export const setEdit = (session: string, draftSeq: Seq, edit: Edit): void =>
  useReview.setState(({ edits }) => ({
    edits: { ...edits, [editKey(session, draftSeq)]: edit },
  }))

export type Ask = {
  session: string
  plan: Plan
  isWhole: boolean
  focus?: string
  model?: string | undefined
}

/** Opens the compact dialog for a region. */
export function askCompact(one: Seq, other: Seq): void {
  useReview.setState({ asked: { one, other } })
  showDialog('compact')
}

/** Writes drafts. */
type Drafter = Pick<Actions, 'draft'>

/** Opens the review and has its drafts written. */
export async function startReview(actions: Drafter, ask: Ask): Promise<void> {
  showReview(ask, 'drafting')
  await writeDrafts(actions, ask.isWhole ? null : ask.plan.runs)
}

/** Opens the review of drafts that are there already. */
export function showReview(
  { session, plan, isWhole, focus = '', model }: Ask,
  stage: Review['stage'],
) {
  const { runs, rows } = plan
  useReview.setState({
    review: {
      session,
      isWhole,
      runs,
      rows,
      at: 0,
      focus,
      model,
      stage,
      startedAt: Date.now(),
      isWithout: false,
      shown: {},
    },
  })
  showDialog('review')
}

/** New drafts of these ranges, one after the other, or of what `compact` would take; those before stay. */
async function writeDrafts(actions: Drafter, ranges: readonly Range[] | null): Promise<void> {
  const mine = useReview.getState().review
  if (!mine) return
  const options = {
    ...(mine.focus.trim() && { focus: mine.focus.trim() }),
    ...(mine.model && { model: mine.model }),
  }
  changeReview({ stage: 'drafting', startedAt: Date.now(), isWithout: false })
  // One wish for all of them: another session may be on screen before the last is written.
  const drafts = await actions.draft(ranges, options)
  const isWithout = drafts === null || drafts.length === 0
  const now = useReview.getState().review
  if (now?.session === mine.session && now.runs === mine.runs)
    changeReview({ stage: 'ready', isWithout })
}

/** Another draft of the run on screen; it is shown when it is there. */
export function regenerate(actions: Drafter): Promise<void> {
  const { review } = useReview.getState()
  if (!review) return Promise.resolve()
  const { [review.at]: _, ...shown } = review.shown
  changeReview({ shown })
  const isOnly = review.isWhole && review.runs.length === 1
  return writeDrafts(actions, isOnly ? null : [review.runs[review.at]!])
}

/** Leaves the review; what was drafted stays in the log, what was typed stays here. */
export function closeReview(): void {
  useReview.setState({ review: null })
  if (useScreen.getState().dialog === 'review') showDialog(null)
}
