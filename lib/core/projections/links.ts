/** Which events belong together, in both directions. Folded from heads (L8). */

import type { EventHead, Seq } from '../event'
import type { History } from '../history'

/** Grows in place with the log. */
export type LinkIndex = {
  events: number
  /** Every event that names a call id, in log order. */
  byCall: Map<string, Seq[]>
  /** Every event of a bracket, in log order. */
  byCompaction: Map<string, Seq[]>
}

export const createLinks = (): LinkIndex => ({
  events: 0,
  byCall: new Map(),
  byCompaction: new Map(),
})

function put(map: Map<string, Seq[]>, key: string, seq: Seq): void {
  const list = map.get(key)
  if (list) list.push(seq)
  else map.set(key, [seq])
}

/** Takes the heads the index has not seen. */
export function extendLinks(index: LinkIndex, heads: readonly EventHead[]): LinkIndex {
  for (let seq = index.events; seq < heads.length; seq += 1) {
    const head = heads[seq]!
    for (const callId of head.calls ?? []) put(index.byCall, callId, seq)
    if (head.compactionId) put(index.byCompaction, head.compactionId, seq)
  }
  index.events = Math.max(index.events, heads.length)
  return index
}

export type CallLink = {
  callId: string
  /** The assistant message, the durable intent and the results, replacements of the result included. */
  message: Seq | null
  call: Seq | null
  results: Seq[]
}

/** The events of one bracket; null where it has none (yet). */
export type Bracket = {
  start: Seq | null
  summary: Seq | null
  draft: Seq | null
  checkpoint: Seq | null
  end: Seq | null
}

export type Links = {
  /** What this event, a replacement, took the place of, in surface order. */
  shadows: readonly Seq[]
  /** The replacement over it at the moment. */
  replacedBy: Seq | null
  /** Restores that lifted this replacement off. */
  restoredBy: Seq | null
  sources: readonly Seq[]
  calls: CallLink[]
  bracket: Bracket | null
  /** `compact/prune` of a pruned result, and the other way round. */
  prune: Seq | null
}

type Source = { heads: readonly EventHead[]; history: History }

/** All links of event `seq` as of moment `at`. */
export function linksOf(index: LinkIndex, { heads, history }: Source, seq: Seq, at: Seq): Links {
  const head = heads[seq]!
  const restoredBy =
    history.shadowsOf(seq).length > 0 && seq <= at && history.shadowedBy(seq, at).length === 0
      ? restoreOf(heads, seq, at)
      : null
  return {
    shadows: history.shadowsOf(seq),
    replacedBy: history.replacementOf(seq, at),
    restoredBy,
    sources: head.sources ?? [],
    calls: (head.calls ?? []).map((callId) => callLink(index, heads, callId)),
    bracket: head.compactionId ? bracketOf(index, heads, head.compactionId) : null,
    prune: pruneOf(heads, seq),
  }
}

function restoreOf(heads: readonly EventHead[], seq: Seq, at: Seq): Seq | null {
  for (let i = seq + 1; i <= at; i += 1) {
    const { op } = heads[i]!
    if (typeof op === 'object' && op.op === 'restore' && op.seq === seq) return i
  }
  return null
}

function callLink(index: LinkIndex, heads: readonly EventHead[], callId: string): CallLink {
  const link: CallLink = { callId, message: null, call: null, results: [] }
  for (const seq of index.byCall.get(callId) ?? []) {
    const { type } = heads[seq]!
    if (type === 'assistant/message') link.message ??= seq
    else if (type === 'tool/call') link.call ??= seq
    else if (type === 'tool/result') link.results.push(seq)
  }
  return link
}

/** The events of the bracket with this id. */
export function bracketOf(index: LinkIndex, heads: readonly EventHead[], id: string): Bracket {
  const bracket: Bracket = { start: null, summary: null, draft: null, checkpoint: null, end: null }
  for (const seq of index.byCompaction.get(id) ?? []) {
    const { type } = heads[seq]!
    if (type === 'compact/start') bracket.start ??= seq
    else if (type === 'compact/summary') bracket.summary ??= seq
    else if (type === 'compact/draft') bracket.draft ??= seq
    else if (type === 'compact/end') bracket.end ??= seq
    else if (type === 'user/message') bracket.checkpoint ??= seq
  }
  return bracket
}

/** A prune and its replacement stand side by side in the log (X3). */
function pruneOf(heads: readonly EventHead[], seq: Seq): Seq | null {
  const head = heads[seq]!
  const replaces = (other: EventHead | undefined) =>
    other?.type === 'tool/result' && typeof other.op === 'object' && other.op.op === 'replace'
  if (head.type === 'compact/prune') return replaces(heads[seq + 1]) ? seq + 1 : null
  if (replaces(head) && heads[seq - 1]?.type === 'compact/prune') return seq - 1
  return null
}
