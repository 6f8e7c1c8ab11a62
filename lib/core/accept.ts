/** What may stand for a span: gains, whole texts, records of windows, and literals kept by code (C6, C10, C11). */

import { checkpointBlocks, LITERALS_HEADING } from './checkpoint'
import type { CompactTrigger, EventData, EventHead, Policy, Range, Seq } from './event'
import { type Log, surfaceNodes } from './log'
import { type Block, textOf } from './message'
import { checkPairing } from './pairing'
import { estimateMessage, estimateText } from './price'
import { SECTIONS } from './prompt'
import { ok, type Refusal, type Result, refuse } from './result'
import { type FoldCall, recordLimit } from './windows'

type Start = EventData['compact/start']

/** The nodes of a range on the live surface, in order; empty where it is none. */
export function spanOn(log: Log, { start, end }: Range): Seq[] {
  const nodes = surfaceNodes(log)
  const from = nodes.indexOf(start)
  return from < 0 ? [] : nodes.slice(from, nodes.indexOf(end) + 1)
}

export const headsOf = (log: Log, seqs: readonly Seq[]): EventHead[] =>
  seqs.map((seq) => log.heads[seq]!)
export const tokensOf = (heads: readonly EventHead[]): number =>
  heads.reduce((sum, head) => sum + head.tokens, 0)

/** Tokens a range must free to be worth a summary (C6); on overflow any will do. */
function leastGain(tokens: number, { ratio, tokens: least }: Policy['minGain'], any: boolean) {
  return any ? 1 : Math.max(1, Math.ceil(ratio * tokens), least)
}

/**
 * Refuses a range that even the shortest summary could not shrink enough, before a model is paid (C6).
 * `trigger` `context-overflow` asks for any gain at all.
 */
export function checkGain(
  shadowed: readonly EventHead[],
  minGain: Policy['minGain'],
  trigger: CompactTrigger,
): Refusal | null {
  const tokens = tokensOf(shadowed)
  const least = leastGain(tokens, minGain, trigger === 'context-overflow')
  const best = tokens - estimateMessage(checkpointBlocks('.', shadowed))
  if (best >= least) return null
  const why = `The range holds ${tokens} tokens; a summary could free at most ${Math.max(0, best)}, and ${least} are asked for.`
  return refuse('C6', why, shadowed[0]?.seq).error
}

/** Ends that mean the model said all it wanted; calls it made instead are dropped with their blocks. */
const FINISHED: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'tool_use'])

/** The surface with the span's nodes standing as one user message, as far as heads can tell (C6, Q4). */
function checkResult(log: Log, range: Range): Refusal | null {
  const nodes = surfaceNodes(log)
  const start = nodes.indexOf(range.start)
  const after = nodes.slice(nodes.indexOf(range.end) + 1)
  const before = nodes.slice(0, start)
  const first = before.find((seq) => !log.heads[seq]!.blank)
  if (first !== undefined && log.heads[first]!.type !== 'user/message')
    return refuse('Q4', 'The first message would not be the user’s.', first).error
  return checkPairing(before, log.heads) ?? checkPairing(after, log.heads)
}

export type SummaryAnswer = { content: readonly Block[]; stopReason: string }

/** The text of an answer that ended as a whole; all but text is dropped (C6). */
export function finishedText({ content, stopReason }: SummaryAnswer): Result<string, Refusal> {
  const summary = textOf(content).trim()
  if (!FINISHED.has(stopReason))
    return refuse('C6', `The summary was not finished: the model stopped with ${stopReason}.`)
  return summary === '' ? refuse('C6', 'The summariser wrote no text.') : ok(summary)
}

/**
 * Why a text may not stand for the range (C6), or null: it is smaller by `minGain` with its frame counted
 * in, and leaves a valid surface.
 */
export function checkSummary(
  log: Log,
  { range, trigger }: Pick<Start, 'range' | 'trigger'>,
  summary: string,
  minGain: Policy['minGain'],
): Refusal | null {
  if (summary.trim() === '') return refuse('C6', 'The summary is empty.').error
  const shadowed = headsOf(log, spanOn(log, range))
  const before = tokensOf(shadowed)
  const after = estimateMessage(checkpointBlocks(summary, shadowed))
  const least = leastGain(before, minGain, trigger === 'context-overflow')
  if (before - after < least)
    return refuse(
      'C6',
      `The summary takes ${after} tokens where ${before} stood; ${least} must be freed.`,
    ).error
  return checkResult(log, range)
}

/** The text of a summariser's answer, if it may stand for the range (C6). */
export function acceptSummary(
  log: Log,
  start: Pick<Start, 'range' | 'trigger'>,
  answer: SummaryAnswer,
  minGain: Policy['minGain'],
): Result<string, Refusal> {
  const text = finishedText(answer)
  if (!text.ok) return text
  const flaw = checkSummary(log, start, text.value, minGain)
  return flaw ? { ok: false, error: flaw } : text
}

/** Tokens a record may always have, however little its window held: the headings alone take some. */
const RECORD_FLOOR = 1000

/**
 * The record of one window or merge (C10): text, finished, smaller than what was read unless that was
 * little, and small enough that two records fit one merge.
 */
export function acceptRecord(
  call: FoldCall,
  answer: SummaryAnswer,
  budget: number,
): Result<string, Refusal> {
  const text = finishedText(answer)
  if (!text.ok) return text
  const read = call.phase === 'window' ? [call.text] : call.records.map((record) => record.text)
  const before = read.reduce((sum, one) => sum + estimateText(one), 0)
  const after = estimateText(text.value)
  const most = Math.min(Math.max(before - 1, RECORD_FLOOR), recordLimit(budget))
  if (after <= most) return text
  const what = call.phase === 'window' ? 'part' : 'merge'
  const why = `The record of ${what} ${call.part} takes ${after} tokens; at most ${most} of ${before} help.`
  return refuse('C6', why)
}

/** Tokens that literals may take of a checkpoint. */
export const LITERALS_BUDGET = 1000

/**
 * As many of the lost literals, in their order, as the checkpoint may carry: within a budget, and never so
 * many that the replacement gains less than C6 asks for. Repeats, blanks and what is no whole text (L5) are
 * left out.
 */
export function fitLiterals(
  log: Log,
  { range, trigger }: Pick<Start, 'range' | 'trigger'>,
  summary: string,
  literals: readonly string[],
  minGain: Policy['minGain'],
): string[] {
  const shadowed = headsOf(log, spanOn(log, range))
  const before = tokensOf(shadowed)
  const gained = before - estimateMessage(checkpointBlocks(summary, shadowed))
  const spare = gained - leastGain(before, minGain, trigger === 'context-overflow')
  let left = Math.min(LITERALS_BUDGET, spare) - estimateText(LITERALS_HEADING) - 1
  const kept = new Set<string>()
  for (const literal of literals) {
    const cost = estimateText(literal) + 2
    if (literal.trim() === '' || !literal.isWellFormed()) continue
    if (kept.has(literal) || cost > left) continue
    kept.add(literal)
    left -= cost
  }
  return [...kept]
}

/** Titles of sections a summary does not have; it is accepted all the same, and marked (C11). */
export function missingSections(summary: string): string[] {
  const headings = new Set(
    summary.split('\n').flatMap((line) => {
      const heading = /^#{1,6}\s+(?:\d+[.)]\s*)?(.+?)\s*:?\s*#*$/.exec(line.trim())
      return heading ? [heading[1]!.toLowerCase()] : []
    }),
  )
  return SECTIONS.map(({ title }) => title).filter((title) => !headings.has(title.toLowerCase()))
}
