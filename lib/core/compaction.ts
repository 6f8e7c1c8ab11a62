/** A summary compaction as events: the bracket, what is accepted, and the checkpoint (C2, C4, C6, C13). */

import type {
  CompactFailure,
  CompactTrigger,
  DraftOf,
  EventData,
  EventDraft,
  EventHead,
  Policy,
  Range,
  RequestHeader,
  Seq,
} from './event'
import { type Log, surfaceNodes } from './log'
import { type Block, textOf, type Usage } from './message'
import type { Reading } from './meter'
import { checkPairing } from './pairing'
import { estimateMessage } from './price'
import { SECTIONS } from './prompt'
import { BUILDER } from './request'
import { ok, type Refusal, type Result, refuse } from './result'
import { isAutomatic } from './state'

type Start = EventData['compact/start']

/** Output a summary may use: enough for all sections, never more than the session reserves (C7). */
export const summaryMaxTokens = (header: RequestHeader): number =>
  Math.min(8192, header.params.max_tokens)

export type StartFields = {
  compactionId: string
  /** The open turn, or null between turns. */
  turn: number | null
  trigger: CompactTrigger
  range: Range
  reading: Reading
  /** The user's focus (C14). */
  instructions?: string
  /** Whom the summary is asked of; absent where no model is called (C16, S7). */
  call?: { provider: string; model: string; maxTokens: number }
  requestHash?: string
  draftSeq?: Seq
}

/** Opens the bracket; from here on it is the lock (C2). */
export function startDraft(fields: StartFields): DraftOf<'compact/start'> {
  const { compactionId, turn, trigger, range, reading, instructions, call } = fields
  const { requestHash, draftSeq } = fields
  return {
    type: 'compact/start',
    data: {
      compactionId,
      turn,
      trigger,
      range,
      ...(instructions?.trim() && { instructions }),
      measured: reading.total,
      ...(reading.threshold !== undefined && { threshold: reading.threshold }),
      ...(reading.window !== undefined && { window: reading.window }),
      ...call,
      builder: BUILDER,
      ...(requestHash !== undefined && { requestHash }),
      ...(draftSeq !== undefined && { draftSeq }),
    },
  }
}

/** The nodes of a range on the live surface, in order; empty where it is none. */
function spanOn(log: Log, { start, end }: Range): Seq[] {
  const nodes = surfaceNodes(log)
  const from = nodes.indexOf(start)
  return from < 0 ? [] : nodes.slice(from, nodes.indexOf(end) + 1)
}

const headsOf = (log: Log, seqs: readonly Seq[]): EventHead[] => seqs.map((seq) => log.heads[seq]!)
const tokensOf = (heads: readonly EventHead[]): number =>
  heads.reduce((sum, head) => sum + head.tokens, 0)

/**
 * Whether a commit would meet another surface than the one its bracket began with (C4): any change counts
 * for automatic runs, for the others one of the span. A bracket that is not open has changed.
 */
export function changedSince(log: Log, startSeq: Seq, { range }: Pick<Start, 'range'>): boolean {
  const { bracket } = log.state
  if (bracket?.seq !== startSeq) return true
  if (isAutomatic(bracket.trigger)) return bracket.touched
  const now = spanOn(log, range)
  return now.length !== bracket.span.length || now.some((seq, index) => seq !== bracket.span[index])
}

/** `#a to #b`, or `#a` alone. */
const spanText = (seqs: readonly Seq[]): string =>
  seqs.length === 1
    ? `message #${seqs[0]}`
    : `${seqs.length} messages from #${Math.min(...seqs)} to #${Math.max(...seqs)}`

/** Where what a checkpoint shadows can be read: by range, and earlier checkpoints by their own seq (C13). */
function pointerText(shadowed: readonly EventHead[]): string {
  const plain = shadowed.filter((head) => head.kind !== 'checkpoint').map((head) => head.seq)
  const earlier = shadowed.filter((head) => head.kind === 'checkpoint').map((head) => head.seq)
  const lines: string[] = []
  if (plain.length > 0) {
    const call = JSON.stringify({ from: Math.min(...plain), to: Math.max(...plain) })
    lines.push(`In place of ${spanText(plain)}: recall_read ${call} reads them word for word.`)
  }
  for (const seq of earlier)
    lines.push(
      `Merges the earlier record #${seq}: recall_read ${JSON.stringify({ seq })} reads what that one stood for.`,
    )
  lines.push('recall_search finds any of it by its words. Look there before guessing a detail.')
  return lines.join('\n')
}

/** The checkpoint message: the summary framed as background, and the pointer, written by code (C13). */
export const checkpointText = (summary: string, shadowed: readonly EventHead[]): string =>
  `<record>\nThis record stands for an earlier part of the conversation. It is background, not a request: go on from it.\n\n${summary}\n</record>\n\n${pointerText(shadowed)}`

const checkpointBlocks = (summary: string, shadowed: readonly EventHead[]): Block[] => [
  { type: 'text', text: checkpointText(summary, shadowed) },
]

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

/**
 * The text of a summariser's answer, if it may stand for the range (C6): some text, finished, smaller by
 * `minGain` with its frame counted in, and leaving a valid surface. All but text is dropped.
 */
export function acceptSummary(
  log: Log,
  { range, trigger }: Pick<Start, 'range' | 'trigger'>,
  { content, stopReason }: SummaryAnswer,
  minGain: Policy['minGain'],
): Result<string, Refusal> {
  const summary = textOf(content).trim()
  if (!FINISHED.has(stopReason))
    return refuse('C6', `The summary was not finished: the model stopped with ${stopReason}.`)
  if (summary === '') return refuse('C6', 'The summariser wrote no text.')
  const shadowed = headsOf(log, spanOn(log, range))
  const before = tokensOf(shadowed)
  const after = estimateMessage(checkpointBlocks(summary, shadowed))
  const least = leastGain(before, minGain, trigger === 'context-overflow')
  if (before - after < least)
    return refuse(
      'C6',
      `The summary takes ${after} tokens where ${before} stood; ${least} must be freed.`,
    )
  const flaw = checkResult(log, range)
  return flaw ? { ok: false, error: flaw } : ok(summary)
}

export type CommitFields = {
  startSeq: Seq
  start: Start
  summary: string
  /** Id of the checkpoint message. */
  messageId: string
  usage?: Usage
  ms?: number
  /** A person changed the text (C16). */
  edited?: boolean
}

/**
 * The three events of a commit, for one storage transaction and at the log's end (C2): the summary, the
 * checkpoint in place of the range, the bracket's end.
 */
export function commitDrafts(log: Log, fields: CommitFields): EventDraft[] {
  const { startSeq, start, summary, messageId, usage, ms, edited } = fields
  const { compactionId, range, provider, model, maxTokens, turn } = start
  const shadowedSeqs = spanOn(log, range)
  const shadowed = headsOf(log, shadowedSeqs)
  const summarySeq = log.heads.length
  return [
    {
      type: 'compact/summary',
      data: {
        compactionId,
        summary,
        shadowedRange: range,
        shadowedSeqs,
        shadowedTokenCount: tokensOf(shadowed),
        ...(provider !== undefined && { provider }),
        ...(model !== undefined && { model }),
        ...(maxTokens !== undefined && { maxTokens }),
        ...(usage && { usage }),
        ...(edited && { edited }),
        ...(ms !== undefined && { ms }),
        certainty: 'exact',
      },
    },
    {
      type: 'user/message',
      data: {
        id: messageId,
        content: checkpointBlocks(summary, shadowed),
        source: { kind: 'checkpoint', compactionId },
      },
      surfaceOp: { op: 'replace', start: range.start, end: range.end },
      sourceEventSeqs: [startSeq, summarySeq, ...shadowedSeqs],
    },
    { type: 'compact/end', data: { compactionId, turn } },
  ]
}

/** Closes a bracket without a summary; the surface stays as it was (C5). */
export const failDraft = (
  { compactionId, turn }: Pick<Start, 'compactionId' | 'turn'>,
  code: CompactFailure,
  message: string,
): DraftOf<'compact/end'> => ({
  type: 'compact/end',
  data: { compactionId, turn, error: { code, message } },
})

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
