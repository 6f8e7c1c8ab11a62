/** When a session compacts by itself, and what happens then: prune, measure again, summarise. Rules C7–C9, C11, C12. */

import { waitingDrafts } from '../core/drafts'
import type { Range, RequestHeader } from '../core/event'
import { automaticStopped } from '../core/loop'
import { type Reading, readMeter } from '../core/meter'
import { decide, isHeavy } from '../core/policy'
import { chooseRuns, type RunMode } from '../core/range'
import type { Bracket, Failure } from './bracket'
import { type CompactionResult, runBracket } from './compact'
import { askFirst } from './drafting'
import { currentHeader, readingFor } from './header'
import { prunePass } from './passes'
import type { Session } from './session'
import { noticeDraft } from './user-draft'
import { must } from './writer'

export type Relief = { turn: number | null; signal: AbortSignal }
/** What ran, in order, and what stopped it. */
export type Runs = { results: CompactionResult[]; failure: Failure | null }

/**
 * Brings the surface below T: prune, measure again, summarise only if still above (C7). `judgedBy` is a
 * header about to be written, whose window decides while the old model still writes. Null: nothing written.
 */
export async function relievePressure(
  session: Session,
  { turn, signal, judgedBy }: Relief & { judgedBy?: RequestHeader },
): Promise<Runs | null> {
  const { log, live } = session
  const header = await currentHeader(session)
  if (!header) return null
  const judge = judgedBy ?? header
  const verdict = (pruned: boolean) => decide(readingFor(session, judge), judge.policy, pruned)
  if (verdict(false) === 'rest') {
    if (live.current.problem?.code === STOPPED) live.set({ problem: undefined })
    return null
  }
  await prunePass(session, judge.policy, 'pressure')
  if (verdict(true) === 'rest' || signal.aborted) return NOTHING
  const tell = () => {
    const stopped = automaticStopped(log, judge.policy)
    if (stopped) live.set({ problem: { code: STOPPED, message: stopped.message } })
    return stopped
  }
  if (tell()) return NOTHING
  const bracket = { turn, signal, judgedBy, trigger: 'pressure' as const }
  if (judge.policy.askFirst) {
    const failure = await askFirst(session, header, bracket, readingFor(session, judge))
    return { results: [], failure }
  }
  const runs = await compactRuns(session, header, bracket, 'pressure', {
    reading: readingFor(session, judge),
    isEnough: () => verdict(true) === 'rest',
  })
  tell()
  return runs
}

const STOPPED = 'automatic-stopped'
const NOTHING: Runs = { results: [], failure: null }

/**
 * After an overflow: prune, then compact all but the newest unit (C9). `bytesRefused`: the provider spoke
 * of bytes, not tokens (HTTP 413), so that media go first. Null: there is nothing to go by.
 */
export async function relieveOverflow(
  session: Session,
  relief: Relief & { bytesRefused?: boolean },
): Promise<(Runs & { pruned: number }) | null> {
  const { log } = session
  const { turn, signal, bytesRefused = false } = relief
  const header = await currentHeader(session)
  if (!header) return null
  const isHeavyNow = bytesRefused || isHeavy(readMeter(log))
  const { pruned } = await prunePass(session, header.policy, 'overflow', bytesRefused)
  const mayRun = !signal.aborted && !automaticStopped(log, header.policy, true)
  const trigger = 'context-overflow' as const
  const bracket = { turn, signal, trigger, isHeavy: isHeavyNow }
  const reading = readingFor(session, header)
  const runs = mayRun
    ? await compactRuns(session, header, bracket, 'overflow', { reading })
    : NOTHING
  return { ...runs, pruned: pruned.length }
}

/**
 * The model's own wish, in place of the pressure check; what came of it, unless all went well, is a notice
 * (C12). Failures that stop automatic runs stop these too (C11).
 */
export async function compactAsAsked(
  session: Session,
  turn: number,
  focus: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const header = await currentHeader(session)
  if (!header) return
  const notify = (text: string) => must(session.writer, [noticeDraft(session, text)])
  const stopped = automaticStopped(session.log, header.policy, true)
  if (stopped) {
    session.live.set({ problem: { code: STOPPED, message: stopped.message } })
    await notify(failed({ code: 'refused', message: stopped.message }))
    return
  }
  const bracket = { turn, signal, trigger: 'model' as const, instructions: focus }
  const reading = readingFor(session, header)
  const { askFirst: asks } = header.policy
  const { results, failure } = asks
    ? { results: [], failure: await askFirst(session, header, bracket, reading, 'manual') }
    : await compactRuns(session, header, bracket, 'manual', { reading })
  if (failure?.code === 'cancelled') return
  if (failure) await notify(failed(failure))
  else if (asks && waitingDrafts(session.log).length > 0) await notify(WAITS)
  else if (results.length === 0) await notify(NOT_NEEDED)
}

const failed = ({ code, message }: Failure): string =>
  `The compaction you scheduled failed (${code}): ${message}`
const NOT_NEEDED =
  'The compaction you scheduled was not needed: nothing old enough could be made smaller.'
const WAITS = 'The compaction you scheduled is left to the user, who is asked first.'

type How = {
  reading: Reading
  /** Asked after each bracket: the rest is left alone. */
  isEnough?: () => boolean
}

/** Every useful run, each a bracket of its own, until one fails (C8). */
export const compactRuns = (
  session: Session,
  header: RequestHeader,
  bracket: Omit<Bracket, 'range'>,
  mode: RunMode,
  { reading, isEnough }: How,
): Promise<Runs> =>
  runBrackets(
    session,
    header,
    bracket,
    chooseRuns(session.log, reading, header.policy, mode),
    isEnough,
  )

/** Brackets of these ranges, in order, until one fails. */
export async function runBrackets(
  session: Session,
  header: RequestHeader,
  bracket: Omit<Bracket, 'range'>,
  ranges: readonly Range[],
  isEnough = () => false,
): Promise<Runs> {
  const results: CompactionResult[] = []
  for (const range of ranges) {
    const outcome = await runBracket(session, header, { ...bracket, range })
    if (!outcome.ok) return { results, failure: outcome.error }
    results.push(outcome.value)
    if (isEnough()) break
  }
  return { results, failure: null }
}
