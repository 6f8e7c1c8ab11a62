/** Compaction asked for by people. Rules C1, C4. */

import type { CompactTrigger, Range, RequestHeader } from '../core/event'
import { checkRange, chooseRuns } from '../core/range'
import type { Failure } from './bracket'
import type { CompactionResult } from './compact'
import { currentHeader, readingFor, settleHeader, wantedHeader } from './header'
import {
  compactRuns,
  type Relief,
  type Runs,
  relieveOverflow,
  relievePressure,
  runBrackets,
} from './pressure'
import type { Session } from './session'

/** Why a compaction somebody asked for did not happen; `results` are those that did before it. */
export class CompactionError extends Error {
  constructor(
    readonly code: Failure['code'],
    message: string,
    readonly results: CompactionResult[] = [],
  ) {
    super(message)
    this.name = 'CompactionError'
  }
}

export type Wish = Relief & { instructions?: string }

/** The header such work is judged by: what the turn runs with, or what the user has chosen now. */
export const headerFor = async (session: Session, turn: number | null): Promise<RequestHeader> =>
  (turn === null ? null : await currentHeader(session)) ?? wantedHeader(session)

/** It is about to be used: outside a turn it may still have to be written. */
export const writeIfIdle = async (session: Session, turn: number | null): Promise<void> => {
  if (turn === null) await settleHeader(session)
}

function settle({ results, failure }: Runs): CompactionResult[] | null {
  if (failure) throw new CompactionError(failure.code, failure.message, results)
  return results.length > 0 ? results : null
}

export const stopIfAborted = ({ signal }: Relief): void => {
  if (signal.aborted) throw new CompactionError('cancelled', 'Stopped before it began.')
}

/** From the head to the recent tail; null where nothing useful can be done, and then nothing is written. */
export async function compactNow(
  session: Session,
  { turn, signal, instructions }: Wish,
): Promise<CompactionResult[] | null> {
  stopIfAborted({ turn, signal })
  stopIfBusy(session)
  const header = await headerFor(session, turn)
  const reading = readingFor(session, header)
  if (chooseRuns(session.log, reading, header.policy, 'manual').length === 0) return null
  await writeIfIdle(session, turn)
  const bracket = { turn, signal, instructions, trigger: 'manual' as const }
  return settle(await compactRuns(session, header, bracket, 'manual', { reading }))
}

/**
 * Exactly these ranges, each a bracket of its own, until one fails; one that may not be summarised rejects
 * with `refused` before anything is written (C3).
 */
export async function compactRegions(
  session: Session,
  ranges: readonly Range[],
  { turn, signal, instructions }: Wish,
): Promise<CompactionResult[] | null> {
  stopIfAborted({ turn, signal })
  stopIfBusy(session)
  const header = await headerFor(session, turn)
  const { minGain } = header.policy
  for (const { start, end } of ranges) {
    const refusal = checkRange(session.log, start, end, { minGain, trigger: 'region' })
    if (refusal) throw new CompactionError('refused', refusal.message)
  }
  await writeIfIdle(session, turn)
  const bracket = { turn, signal, instructions, trigger: 'region' as const }
  return settle(await runBrackets(session, header, bracket, ranges))
}

/** What the loop does by itself (C7, C9), on request. Null: no summary was made. */
export async function compactIfNeeded(
  session: Session,
  trigger: Extract<CompactTrigger, 'pressure' | 'context-overflow'>,
  relief: Relief,
): Promise<CompactionResult[] | null> {
  stopIfAborted(relief)
  stopIfBusy(session)
  const runs =
    trigger === 'pressure'
      ? await relievePressure(session, relief)
      : await relieveOverflow(session, relief)
  return runs && settle(runs)
}

export function stopIfBusy({ log }: Session): void {
  if (log.state.bracket)
    throw new CompactionError('busy', 'Another compaction of this session is running.')
}
