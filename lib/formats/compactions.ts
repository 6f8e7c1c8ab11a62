/** Foreign compactions as brackets of the log: one checkpoint for each marker, never a guessed one (T3). */

import type { CompactTrigger, EventDraft, PruneCause, Range, Seq } from '../core/event'
import { type Log, surfaceNodes, surfaceOf } from '../core/log'
import type { Block, Usage } from '../core/message'
import { openCallsAt, positionOf } from '../core/surface'
import { isBlank, textBlock } from './blocks'
import type { Builder } from './builder'
import type { Place } from './foreign'
import type { Certainty } from './report'

export type ForeignCompaction = {
  id: string
  trigger: CompactTrigger
  /** Empty where it cannot be read. */
  summary: string
  /** What else stands in its place: messages the compaction left, in order (T3). */
  kept?: Block[]
  /** All that stands in its place, where the file says so in full. */
  checkpoint?: Block[]
  certainty: Certainty
  opaque?: boolean
  /** Tokens in the window before it, as the marker says. */
  measured?: number
  /** Tokens it replaced, as the marker says. */
  tokens?: number
  provider?: string
  model?: string
  maxTokens?: number
  usage?: Usage
  instructions?: string
  /** Exactly these nodes. Without it: everything before `keepFrom`, or everything. */
  range?: Range
  /** The last row it was read from. */
  until?: Place
  /** The first node that stays. Null: nothing that was said stands before what stays. */
  keepFrom?: Seq | null
}

const UNREADABLE = 'The summary of the earlier conversation cannot be read outside its provider.'

/** What the first node of the surface says, for compactions that keep everything. */
export type FirstNode = { seq: Seq; content: Block[] }

/** The largest balanced cut at or before `position`, not before the first node. */
function cutBefore(log: Log, position: number): number {
  const surface = surfaceOf(log)
  for (let at = position; at > 0; at -= 1) if (openCallsAt(surface, at) === 0) return at
  return 0
}

const tokensOf = (log: Log, seqs: readonly Seq[]): number =>
  seqs.reduce((sum, seq) => sum + (log.heads[seq]?.tokens ?? 0), 0)

type Span = { seqs: Seq[]; certainty: Certainty; carried: Block[] }

/** Which nodes the checkpoint stands for. */
function spanFor(log: Log, found: ForeignCompaction, first: FirstNode | null): Span {
  const nodes = surfaceNodes(log)
  const { range, keepFrom, certainty } = found
  if (range) {
    const from = nodes.indexOf(range.start)
    const to = nodes.indexOf(range.end)
    if (from >= 0 && to >= from) return { seqs: nodes.slice(from, to + 1), certainty, carried: [] }
    return { seqs: nodes, certainty: 'unknown', carried: [] }
  }
  if (keepFrom === undefined) return { seqs: nodes, certainty, carried: [] }
  const position = keepFrom === null ? 0 : positionOf(surfaceOf(log), keepFrom)
  const cut = cutBefore(log, position)
  if (cut > 0) {
    return {
      seqs: nodes.slice(0, cut),
      certainty: cut === position ? certainty : 'derived',
      carried: [],
    }
  }
  // Everything stays: the checkpoint takes the place of the first message and says it again behind the summary.
  if (position <= 0 && first && first.seq === nodes[0]) {
    return { seqs: nodes.slice(0, 1), certainty, carried: first.content }
  }
  return { seqs: nodes, certainty: 'unknown', carried: [] }
}

function freshId(builder: Builder, wanted: string): string {
  const { ledger } = builder.log
  let id = wanted || 'compaction'
  for (let n = 2; ledger.hasBracket(id); n += 1) id = `${wanted || 'compaction'}-${n}`
  return id
}

function known<T extends object>(members: T): T {
  const found = {} as T
  for (const key in members) if (members[key] !== undefined) found[key] = members[key]
  return found
}

function draftsOf(builder: Builder, found: ForeignCompaction, span: Span): EventDraft[] {
  const { log } = builder
  const compactionId = freshId(builder, found.id)
  const { seqs, certainty } = span
  const range = { start: seqs[0] ?? 0, end: seqs.at(-1) ?? 0 }
  const { turn } = log.state
  const { provider, model, maxTokens, usage, measured, instructions } = found
  const text = found.summary === '' ? [] : [textBlock(found.summary)]
  const note = found.summary === '' ? [textBlock(UNREADABLE)] : []
  const said = found.checkpoint ?? [...text, ...(found.kept ?? []), ...note, ...span.carried]
  // A checkpoint that says nothing would leave the request without a beginning (Q4).
  const content = isBlank(said) ? [textBlock(UNREADABLE)] : said
  return [
    {
      type: 'compact/start',
      data: known({ compactionId, turn, trigger: found.trigger, range, measured, instructions }),
    },
    {
      type: 'compact/summary',
      data: known({
        compactionId,
        summary: found.summary,
        shadowedRange: range,
        shadowedSeqs: seqs,
        shadowedTokenCount: found.tokens ?? tokensOf(log, seqs),
        ...{ provider, model, maxTokens, usage, certainty },
        opaque: found.opaque ? (true as const) : undefined,
      }),
    },
    {
      type: 'user/message',
      data: {
        id: `m${log.heads.length + 2}`,
        content,
        source: { kind: 'checkpoint', compactionId },
      },
      surfaceOp: { op: 'replace', ...range },
      sourceEventSeqs: seqs,
    },
    { type: 'compact/end', data: { compactionId, turn } },
  ]
}

/**
 * Writes a compaction once nothing waits. A file that begins behind it gets a note to stand for what is
 * not there. Counts it in the report by the certainty it ended with.
 */
export function compact(
  builder: Builder,
  at: Place,
  find: () => ForeignCompaction,
  firstNode: () => FirstNode | null = () => null,
): void {
  builder.settled(at, () => {
    const found = find()
    const hasNodes = surfaceNodes(builder.log).length > 0
    if (!hasNodes) builder.ensureBeginning(at)
    const span = spanFor(builder.log, found, firstNode())
    const certainty = hasNodes ? span.certainty : 'unknown'
    const drafts = draftsOf(builder, found, { ...span, certainty })
    const done = builder.append(at, drafts, found.until ?? at)
    if (done) builder.report.compactions[certainty] += 1
  })
}

const CLEARED = '[The program cleared this result to make room.]'

/** Replaces the content of results, each with its own `compact/prune` (X3). Ids are those of the file. */
export function pruneResults(
  builder: Builder,
  at: Place,
  callIds: readonly string[],
  cause: PruneCause,
): void {
  builder.inOrder(at, () => {
    const { log } = builder
    const wanted = new Set(callIds.map((id) => builder.callId(id)))
    const nodes = surfaceNodes(log).filter((seq) => {
      const head = log.heads[seq]
      return head?.type === 'tool/result' && wanted.has(head.calls?.[0] ?? '')
    })
    for (const seq of nodes) builder.append(at, pruneDrafts(log, seq, [textBlock(CLEARED)], cause))
    if (nodes.length === 0) builder.keep(at, 'it clears no result that is in the file')
  })
}

/** The pair that gives result `seq` other content and changes nothing else of it (S5, X3). */
export function pruneDrafts(log: Log, seq: Seq, content: Block[], cause: PruneCause): EventDraft[] {
  const head = log.heads[seq]
  // The frame is the result's data without its content.
  const frame = JSON.parse(head?.frame ?? '{}') as { id: string; callId: string; isError: boolean }
  return [
    {
      type: 'compact/prune',
      data: {
        cause,
        shadowedRange: { start: seq, end: seq },
        shadowedSeqs: [seq],
        shadowedTokenCount: head?.tokens ?? 0,
      },
    },
    {
      type: 'tool/result',
      data: { ...frame, content },
      surfaceOp: { op: 'replace', start: seq, end: seq },
      sourceEventSeqs: [seq],
    },
  ]
}
