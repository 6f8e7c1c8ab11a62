/** What a bracket is asked for, how it may fail, and how its parts are written. Rules C4, C5. */

import type {
  CompactFailure,
  CompactTrigger,
  EventDraft,
  Range,
  RequestHeader,
  Seq,
  SessionEvent,
} from '../core/event'
import type { Block } from '../core/message'
import { err, type Result } from '../core/result'
import { JournalError } from '../ports'
import type { Session } from './session'
import { isLost } from './writer'

/**
 * `refused` (a range that may not or need not be summarised) and `busy` wrote nothing, nor did a cancel or
 * a failing journal before the bracket was open. Every other code closed a bracket (C5).
 */
export type Failure = {
  code: CompactFailure | 'refused'
  message: string
  /** The summariser's provider found this many tokens, output included, too many (C10). */
  tooLarge?: number
}
export type Outcome<T> = Result<T, Failure>

/** Text that is committed without a model call. */
export type Given = {
  summary: string
  /** Put into the checkpoint below it. */
  literals?: readonly string[]
} /** The message as it stood: one that was imported need not be made of its summary (S7, T3). */ & (
  | { kind: 'undo'; content: Block[]; opaque?: true }
  /** What a person made of a draft, and who wrote that (C16). */
  | {
      kind: 'reviewed'
      draftSeq: Seq
      edited: boolean
      call?: { provider: string; model: string; maxTokens: number }
    }
)

export type Bracket = {
  range: Range
  trigger: CompactTrigger
  /** The open turn, or null. */
  turn: number | null
  signal: AbortSignal
  /** Focus, from the user or the model (C12, C14). */
  instructions?: string
  /** The header whose window made it necessary, where that is not yet in force (C7). */
  judgedBy?: RequestHeader
  /** Bytes or media overflowed, not tokens: nothing is learnt about the window (C9, M4). */
  isHeavy?: boolean
  given?: Given
}

export const CANCELLED: Failure = { code: 'cancelled', message: 'Stopped before it was done.' }
export const CHANGED: Failure = {
  code: 'changed',
  message: 'The history changed while the summary was written.',
}

/** Decides in the commit's own turn; a refusal by the log is `commit`, a full or failing disk `persistence`. */
export async function commitUnless(
  { writer }: Session,
  hindrance: () => Failure | null,
  drafts: () => EventDraft[],
): Promise<Result<readonly SessionEvent[], Failure>> {
  const found: { failure?: Failure | null } = {}
  const decide = () => {
    found.failure = hindrance()
    return found.failure ? [] : drafts()
  }
  try {
    const result = await writer.commit(decide, { durability: 'strict', onFailure: 'fail' })
    if (found.failure) return err(found.failure)
    if (!result.ok) return err({ code: 'commit', message: result.error.message })
    return result
  } catch (cause) {
    if (!(cause instanceof JournalError) || isLost(cause)) throw cause
    return err({ code: 'persistence', message: cause.message })
  }
}
