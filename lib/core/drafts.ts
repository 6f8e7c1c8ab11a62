/** Summaries that wait for a person: which there are, and whether they still fit (C16). From heads alone. */

import type { CompactTrigger, Range, Seq } from './event'
import { type Log, surfaceOf } from './log'
import { isAutomatic, spanOf } from './state'
import { positionOf } from './surface'

export type DraftState = {
  /** The `compact/draft`. */
  draftSeq: Seq
  startSeq: Seq
  compactionId: string
  trigger: CompactTrigger
  range: Range
  /** What it would shadow, in surface order. */
  seqs: Seq[]
  /** Its own span is not what it was; nothing else makes a draft stale. */
  isStale: boolean
  /** The `compact/start` of the bracket that committed it, even where that was restored since. */
  committedBy: Seq | null
  /** It was committed, and its span has not come back: what the model sees has the text in it. */
  isStanding: boolean
  /** A person did not want it. */
  isDiscarded: boolean
}

const isSame = (a: readonly Seq[], b: readonly Seq[]): boolean =>
  a.length === b.length && a.every((seq, index) => seq === b[index])

/** Every draft of the log, oldest first; regenerating keeps those before. */
export function draftsOf(log: Log): DraftState[] {
  const starts = new Map<string, Seq>()
  const cites = new Map<string, Seq>()
  const drafts: DraftState[] = []
  for (const { seq, type, compactionId = '', kind, cites: cited } of log.heads) {
    if (type === 'compact/start') {
      starts.set(compactionId, seq)
      if (cited !== undefined) cites.set(compactionId, cited)
    } else if (type === 'compact/draft') {
      const state = stateOf(log, seq, starts.get(compactionId))
      if (state) drafts.push(state)
    } else if (type === 'compact/end' && cites.has(compactionId)) {
      const draft = drafts.find((one) => one.draftSeq === cites.get(compactionId))
      if (draft && kind === undefined) {
        draft.committedBy = starts.get(compactionId) ?? null
        draft.isStanding = positionOf(surfaceOf(log), draft.range.start) < 0
      }
      if (draft && kind === 'cancelled') draft.isDiscarded = true
    }
  }
  return drafts
}

function stateOf(log: Log, draftSeq: Seq, startSeq: Seq | undefined): DraftState | null {
  const start = startSeq === undefined ? undefined : log.heads[startSeq]
  if (!start?.range) return null
  const { start: from, end: to } = start.range
  const seqs = spanOf(log.history.surfaceAt(start.seq), from, to)
  const isStale = seqs.length === 0 || !isSame(seqs, spanOf(surfaceOf(log), from, to))
  const trigger = (start.kind ?? 'manual') as CompactTrigger
  return {
    draftSeq,
    startSeq: start.seq,
    compactionId: start.compactionId ?? '',
    trigger,
    range: start.range,
    seqs,
    isStale,
    committedBy: null,
    isStanding: false,
    isDiscarded: false,
  }
}

/** The draft of that seq; undefined where the event is none. */
export const draftAt = (log: Log, draftSeq: Seq): DraftState | undefined =>
  draftsOf(log).find((draft) => draft.draftSeq === draftSeq)

/**
 * Drafts that automatic runs left and that could be committed still: while there is one, discarded or not,
 * no other is asked for (C11, C16). A pin set in its span meanwhile makes a draft useless.
 */
export const waitingDrafts = (log: Log): DraftState[] =>
  draftsOf(log).filter(
    ({ trigger, isStale, seqs }) =>
      isAutomatic(trigger) && !isStale && !seqs.some((seq) => log.state.pins.has(seq)),
  )
