/**
 * Strata: the forest of everything that was ever on the surface, laid out for drawing.
 *
 * A node's width is what was ever written under it: an appended node is as wide as its own tokens, a
 * replacement as wide as the span it shadowed. So every node has one place for good, left edge to right
 * edge, whatever the moment: appends extend the picture to the right, a replacement lies over its
 * span, a restore lifts it off. Only the depth of a node depends on the moment.
 */

import type { EventHead, Seq } from '../event'
import type { History } from '../history'

/** `call` is an assistant message that calls tools; `pruned` a result that replaced another. */
export const NODE_KINDS = [
  'user',
  'notice',
  'assistant',
  'call',
  'result',
  'summary',
  'pruned',
] as const
export type NodeKind = (typeof NODE_KINDS)[number]

/** Width of a node: tokens written under it, or how many nodes were. */
export type Measure = 'tokens' | 'count'

/** A compaction that was tried: its span is known, its outcome is `code` (absent while it runs). */
export type Attempt = { seq: Seq; start: Seq; end: Seq; ended?: Seq; code?: string }
/** How surely the span of a summary that came from elsewhere is known; absent where it is exact. */
export type Doubt = 'derived' | 'unknown'
type PinChange = { seq: Seq; seqs: readonly Seq[]; pinned: boolean }
type Restore = { seq: Seq; replacementSeq: Seq }

/** Grows in place with the log; arrays are by seq and hold NaN where an event is no node. */
export type StrataIndex = {
  events: number
  nodes: number
  left: Record<Measure, Float64Array>
  right: Record<Measure, Float64Array>
  tokens: Uint32Array
  kinds: Uint8Array
  /** 1 where an event replaced others. */
  replaces: Uint8Array
  /** Right edge of the newest appended node: the next one's left. */
  end: Record<Measure, number>
  restores: Restore[]
  pins: PinChange[]
  attempts: Attempt[]
  /** By checkpoint. */
  doubts: Map<Seq, Doubt>
  /** Of the bracket whose checkpoint is still to come. */
  doubt: { compactionId: string; doubt: Doubt } | null
}

const MEASURES = ['tokens', 'count'] as const

export function createStrata(): StrataIndex {
  const edges = () => ({ tokens: new Float64Array(64), count: new Float64Array(64) })
  return {
    events: 0,
    nodes: 0,
    left: edges(),
    right: edges(),
    end: { tokens: 0, count: 0 },
    tokens: new Uint32Array(64),
    kinds: new Uint8Array(64),
    replaces: new Uint8Array(64),
    restores: [],
    pins: [],
    attempts: [],
    doubts: new Map(),
    doubt: null,
  }
}

/** Takes the heads the index has not seen; constant time for each. */
export function extendStrata(index: StrataIndex, heads: readonly EventHead[]): StrataIndex {
  reserve(index, heads.length)
  for (let seq = index.events; seq < heads.length; seq += 1) take(index, heads[seq]!)
  index.events = Math.max(index.events, heads.length)
  return index
}

function reserve(index: StrataIndex, length: number): void {
  if (index.kinds.length >= length) return
  const capacity = Math.max(length, index.kinds.length * 2)
  for (const edges of [index.left, index.right])
    for (const measure of MEASURES) {
      const grown = new Float64Array(capacity)
      grown.set(edges[measure])
      edges[measure] = grown
    }
  const tokens = new Uint32Array(capacity)
  tokens.set(index.tokens)
  index.tokens = tokens
  for (const name of ['kinds', 'replaces'] as const) {
    const grown = new Uint8Array(capacity)
    grown.set(index[name])
    index[name] = grown
  }
}

export function nodeKind(head: EventHead): NodeKind {
  const { type } = head
  if (type === 'assistant/message') return head.calls?.length ? 'call' : 'assistant'
  if (type === 'tool/result') return head.op === 'append' ? 'result' : 'pruned'
  const { kind } = head
  if (kind === 'checkpoint') return 'summary'
  return kind === 'notice' ? 'notice' : 'user'
}

function take(index: StrataIndex, head: EventHead): void {
  const { seq, type, op } = head
  if (op === 'append') enter(index, head, null)
  else if (typeof op === 'object' && op.op === 'replace') enter(index, head, op)
  else
    for (const measure of MEASURES) {
      index.left[measure][seq] = Number.NaN
      index.right[measure][seq] = Number.NaN
    }
  if (!isQuiet(type)) note(index, head)
}

/** Most of a log, and nothing that is noted. */
const isQuiet = (type: EventHead['type']): boolean =>
  type === 'assistant/message' ||
  type === 'tool/result' ||
  type === 'tool/call' ||
  type === 'step/start' ||
  type === 'step/end'

/** Gives a node its place: at the right end, or over the span it replaced. */
function enter(index: StrataIndex, head: EventHead, span: { start: Seq; end: Seq } | null): void {
  const { seq } = head
  for (const measure of MEASURES) {
    const left = index.left[measure]
    const right = index.right[measure]
    const end = index.end[measure]
    if (span) {
      left[seq] = left[span.start]!
      right[seq] = right[span.end]!
      continue
    }
    // A node that derives nothing is still there to be seen and clicked: at least one token wide.
    const width = measure === 'count' ? 1 : Math.max(1, head.tokens)
    left[seq] = end
    right[seq] = end + width
    index.end[measure] = end + width
  }
  index.nodes += 1
  index.tokens[seq] = head.tokens
  index.kinds[seq] = NODE_KINDS.indexOf(nodeKind(head))
  index.replaces[seq] = span ? 1 : 0
}

function note(index: StrataIndex, head: EventHead): void {
  const { seq } = head
  if (head.type === 'surface/restore' && typeof head.op === 'object' && head.op.op === 'restore')
    index.restores.push({ seq, replacementSeq: head.op.seq })
  else if (head.type === 'pin/set')
    index.pins.push({ seq, seqs: head.seqs ?? [], pinned: head.kind === 'pinned' })
  else if (head.type === 'compact/summary')
    index.doubt =
      head.compactionId && (head.kind === 'derived' || head.kind === 'unknown')
        ? { compactionId: head.compactionId, doubt: head.kind }
        : null
  else if (head.kind === 'checkpoint') {
    if (index.doubt && index.doubt.compactionId === head.compactionId)
      index.doubts.set(seq, index.doubt.doubt)
    index.doubt = null
  } else if (head.type === 'compact/start' && head.range)
    index.attempts.push({ seq, start: head.range.start, end: head.range.end })
  else if (head.type === 'compact/end') {
    const open = index.attempts.at(-1)
    if (open && open.ended === undefined)
      index.attempts[index.attempts.length - 1] = {
        ...open,
        ended: seq,
        ...(head.kind ? { code: head.kind } : {}),
      }
  }
}

/** Pinned nodes at a moment (K1). */
export function pinsAt(index: StrataIndex, at: Seq): Set<Seq> {
  const pins = new Set<Seq>()
  for (const change of index.pins) {
    if (change.seq > at) break
    for (const seq of change.seqs) {
      if (change.pinned) pins.add(seq)
      else pins.delete(seq)
    }
  }
  return pins
}

/** Nodes a restore put back that no unpin has named since (S7). */
export function restoredAt(index: StrataIndex, history: History, at: Seq): Set<Seq> {
  const back = new Set<Seq>()
  const changes = [...index.restores, ...index.pins].sort((a, b) => a.seq - b.seq)
  for (const change of changes) {
    if (change.seq > at) break
    if ('replacementSeq' in change)
      for (const seq of history.shadowsOf(change.replacementSeq)) back.add(seq)
    else if (!change.pinned) for (const seq of change.seqs) back.delete(seq)
  }
  return back
}

/** The bracket open at a moment, and attempts that had failed by then (a draft is no failure). */
export function attemptsAt(
  index: StrataIndex,
  at: Seq,
): { running: Attempt | null; failed: Attempt[] } {
  let running: Attempt | null = null
  const failed: Attempt[] = []
  for (const attempt of index.attempts) {
    if (attempt.seq > at) break
    if (attempt.ended === undefined || attempt.ended > at) running = attempt
    else if (attempt.code && attempt.code !== 'drafted') failed.push(attempt)
  }
  return { running, failed }
}
