'use client'

import type { Seq } from '@/lib/core/event'
import { useApp, useSession } from '@/lib/state/hooks'
import { useScreen } from '../shell/screen'
import { useSettledPast } from './settled-past'

export type Standing = {
  /** What replaced it, as of the playhead; null where the model still saw it. */
  replacedBy: Seq | null
  /** The playhead is before it. */
  later: boolean
  /** Whether to draw it faded: only at a past playhead, where seen and unseen are the point. */
  dim: boolean
}

/** How a node stands at the playhead. */
export function useStanding(seq: Seq): Standing {
  const past = useSettledPast()
  const newest = useSession((state) => state.version - 1)
  const moment = past === null ? newest : Math.min(past, newest)
  const log = useSession((state) => state.log)
  const later = seq > moment
  const replacedBy = later || moment < 0 ? null : log.history.replacementOf(seq, moment)
  return { replacedBy, later, dim: past !== null && (later || replacedBy !== null) }
}

/** Whether any of these is the node selected everywhere. */
export const useIsSelected = (seqs: readonly (Seq | null)[]): boolean =>
  useApp((state) => state.view.node !== null && seqs.includes(state.view.node))

/** The find bar's words, if this event is the match it has come to. */
export const useFound = (seq: Seq | null): string | null =>
  useScreen((state) => (state.found && state.found.seq === seq ? state.found.words : null))
