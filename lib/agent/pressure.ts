/** When a session compacts by itself, and what happens then: prune, measure again, summarise. Rules C7–C9, C11, C12. */

import { checkGain } from '../core/accept'
import { summaryMaxTokens } from '../core/compaction'
import type { Range, RequestHeader } from '../core/event'
import { surfaceNodes } from '../core/log'
import { automaticStopped } from '../core/loop'
import { type Reading, readMeter } from '../core/meter'
import { balancedCuts } from '../core/pairing'
import { decide } from '../core/policy'
import { chooseRuns, type RunMode } from '../core/range'
import { type Bracket, type CompactionResult, type Failure, runBracket } from './compact'
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
  const runs = await compactRuns(session, header, bracket, 'pressure', {
    reading: readingFor(session, judge),
    isEnough: () => verdict(true) === 'rest',
  })
  if (runs.results.length > 0 && runs.failure === null) tell()
  return runs
}

const STOPPED = 'automatic-stopped'
const NOTHING: Runs = { results: [], failure: null }

/** After an overflow: prune, then compact all but the newest unit (C9). Null: there is nothing to go by. */
export async function relieveOverflow(
  session: Session,
  relief: Relief,
): Promise<(Runs & { pruned: number }) | null> {
  const header = await currentHeader(session)
  if (!header) return null
  const { pruned } = await prunePass(session, header.policy, 'overflow')
  const stopped = automaticStopped(session.log, header.policy)
  const mayRun = !relief.signal.aborted && stopped?.code !== 'failures'
  const bracket = { ...relief, trigger: 'context-overflow' as const }
  const reading = readingFor(session, header)
  const runs = mayRun
    ? await compactRuns(session, header, bracket, 'overflow', { reading })
    : NOTHING
  return { ...runs, pruned: pruned.length }
}

/** The model's own wish, in place of the pressure check; what came of it, unless all went well, is a notice (C12). */
export async function compactAsAsked(
  session: Session,
  turn: number,
  focus: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const header = await currentHeader(session)
  if (!header) return
  const bracket = { turn, signal, trigger: 'model' as const, instructions: focus }
  const { results, failure } = await compactRuns(session, header, bracket, 'manual', {
    reading: readingFor(session, header),
  })
  if (failure?.code === 'cancelled') return
  const text = failure
    ? `The compaction you scheduled failed (${failure.code}): ${failure.message}`
    : 'The compaction you scheduled was not needed: nothing old enough could be made smaller.'
  if (failure || results.length === 0) await must(session.writer, [noticeDraft(session, text)])
}

type How = {
  reading: Reading
  /** Asked after each bracket: the rest is left alone. */
  isEnough?: () => boolean
}

/** Every useful run, each a bracket of its own, until one fails (C8). */
export async function compactRuns(
  session: Session,
  header: RequestHeader,
  bracket: Omit<Bracket, 'range'>,
  mode: RunMode,
  { reading, isEnough = () => false }: How,
): Promise<Runs> {
  const results: CompactionResult[] = []
  for (const run of chooseRuns(session.log, reading, header.policy, mode)) {
    for (let rest: Range | null = run; rest; ) {
      const range = fitRange(session, header, rest, mode)
      const outcome = await runBracket(session, header, { ...bracket, range })
      if (!outcome.ok) return { results, failure: outcome.error }
      results.push(outcome.value)
      if (isEnough()) return { results, failure: null }
      const checkpoint = outcome.value.summarySeq + 1
      rest = range.end === rest.end ? null : { start: checkpoint, end: rest.end }
    }
  }
  return { results, failure: null }
}

/** Tokens a summary request holds beside the span it summarises: instructions, and room for error. */
const INSTRUCTIONS = 2000

/**
 * As many whole units of a range as one summary call of the session's own model can hold (C10): a request
 * known to be too large is never sent. What is left over follows in a bracket that merges this one.
 */
function fitRange(session: Session, header: RequestHeader, range: Range, mode: RunMode): Range {
  const { log } = session
  const reading = readMeter(log)
  const estimate = reading.total / reading.scale
  const window = header.contextWindow ?? (mode === 'overflow' ? reading.total : undefined)
  if (window === undefined || session.deps.summariser(header).provider !== header.provider)
    return range
  const nodes = surfaceNodes(log)
  const from = nodes.indexOf(range.start)
  const to = nodes.indexOf(range.end) + 1
  // An overflow the meter did not foresee says that the provider counts more than the estimate.
  const scale = mode === 'overflow' ? Math.max(reading.scale, window / estimate) : reading.scale
  const preamble = from === 0 ? (reading.parts.system + reading.parts.tools) / reading.scale : 0
  const room = (window - summaryMaxTokens(header)) / scale - preamble - INSTRUCTIONS
  const cuts = new Set(balancedCuts(nodes, log.heads))
  let fits = from
  let tokens = 0
  for (let at = from; at < to && tokens <= room; at++) {
    tokens += log.heads[nodes[at]!]!.tokens
    if (tokens <= room && cuts.has(at + 1)) fits = at + 1
  }
  const heads = nodes.slice(from, fits).map((seq) => log.heads[seq]!)
  const isUseful = fits > from && checkGain(heads, header.policy.minGain, 'pressure') === null
  return isUseful ? { start: range.start, end: nodes[fits - 1]! } : range
}
