/**
 * The chat as the human saw it: every message in log order, whatever compaction did to it. Folded from
 * heads alone (L7, L8); texts are bodies, loaded by seq when shown.
 */

import type {
  CompactFailure,
  CompactTrigger,
  EventHead,
  PruneCause,
  Range,
  Seq,
  TurnEndReason,
} from '../event'
import { assertNever } from '../result'
import { at, emptyList, entriesOf, inBulk, type List, push, put } from './list'

/** A tool call with what became of it. `callSeq` is its `tool/call`: absent, it never started. */
export type CallView = {
  callId: string
  name: string | undefined
  callSeq: Seq | null
  resultSeq: Seq | null
  failed: boolean
}

export type CompactionStatus =
  | 'running'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'interrupted'
  | 'drafted'

/** A bracket in one place: its start, windows, draft, summary, checkpoint and end, joined by id. */
export type CompactionView = {
  kind: 'compaction'
  /** The first event of it; null fields are events a foreign log does not have, or that did not come. */
  seq: Seq
  compactionId: string
  status: CompactionStatus
  trigger: CompactTrigger | null
  turn: number | null
  range: Range | null
  code: CompactFailure | null
  startSeq: Seq | null
  windowSeqs: readonly Seq[]
  draftSeq: Seq | null
  summarySeq: Seq | null
  checkpointSeq: Seq | null
  endSeq: Seq | null
  shadowedSeqs: readonly Seq[]
}

/** One pass of micro-compaction or pruning: adjacent replacements of one cause (X3). */
export type PruneView = {
  kind: 'prune'
  seq: Seq
  cause: PruneCause | null
  replaced: readonly { originalSeq: Seq; replacementSeq: Seq }[]
}

export type ViewNode =
  | { kind: 'turn'; seq: Seq; turn: number; endSeq: Seq | null; reason: TurnEndReason | null }
  | { kind: 'user' | 'notice'; seq: Seq }
  | {
      kind: 'assistant'
      seq: Seq
      turn: number | null
      step: number | null
      interrupted: boolean
      calls: readonly CallView[]
    }
  /** A result whose call the log does not have. */
  | { kind: 'result'; seq: Seq; callId: string; failed: boolean }
  | CompactionView
  | PruneView
  | { kind: 'failure'; seq: Seq; turn: number | null; step: number | null; code: string }
  | { kind: 'restore'; seq: Seq; replacementSeq: Seq }

export type Transcript = {
  readonly nodes: List<ViewNode>
  /** The event after the last that changed anything here. */
  readonly next: Seq
  /** Where nodes stand that later events still belong to. */
  readonly openTurn: number | null
  readonly openCalls: readonly { callId: string; at: number }[]
  readonly openCards: readonly { compactionId: string; at: number }[]
}

const EMPTY: Transcript = {
  nodes: emptyList,
  next: 0,
  openTurn: null,
  openCalls: [],
  openCards: [],
}
export const emptyTranscript = (): Transcript => EMPTY

export const transcriptLength = ({ nodes }: Transcript): number => nodes.length
/** The node at an index from 0. */
export const viewNodeAt = ({ nodes }: Transcript, index: number): ViewNode | undefined =>
  at(nodes, index)
export const viewNodes = ({ nodes }: Transcript): ViewNode[] => entriesOf(nodes)

/** A transcript while heads are folded into it; nobody else holds it, nor its nodes from `own` on. */
type Draft = { -readonly [K in keyof Transcript]: Transcript[K] } & { own: number }
type Editable<T> = { -readonly [K in keyof T]: T[K] }

/** The functions below fold into a draft and answer whether anything changed. */
function add(t: Draft, node: ViewNode): true {
  t.nodes = push(t.nodes, node)
  return true
}

/** The node at `index` for changes in place: a copy where others hold it. `copy` also copies what is changed inside. */
function edit<T extends ViewNode>(
  t: Draft,
  index: number,
  node: T,
  copy = (held: T): T => ({ ...held }),
): Editable<T> {
  if (index >= t.own) return node
  const mine = copy(node)
  t.nodes = put(t.nodes, index, mine)
  return mine
}

function addTurn(t: Draft, head: EventHead): true {
  t.openTurn = t.nodes.length
  return add(t, { kind: 'turn', seq: head.seq, turn: head.turn ?? 0, endSeq: null, reason: null })
}

function endTurn(t: Draft, head: EventHead): boolean {
  const { openTurn } = t
  const node = openTurn === null ? undefined : at(t.nodes, openTurn)
  if (openTurn === null || node?.kind !== 'turn') return false
  t.openTurn = null
  const turn = edit(t, openTurn, node)
  turn.endSeq = head.seq
  turn.reason = (head.kind ?? null) as TurnEndReason | null
  return true
}

function addAssistant(t: Draft, head: EventHead): true {
  const ids = head.calls ?? []
  const names = ids.length > 0 ? head.names : undefined
  const calls = ids.map((callId, index) => ({
    callId,
    name: names?.[index],
    callSeq: null,
    resultSeq: null,
    failed: false,
  }))
  const opened = ids.map((callId) => ({ callId, at: t.nodes.length }))
  if (opened.length > 0) t.openCalls = [...t.openCalls, ...opened]
  return add(t, {
    kind: 'assistant',
    seq: head.seq,
    turn: head.turn ?? null,
    step: head.step ?? null,
    interrupted: head.kind === 'interrupted',
    calls,
  })
}

/** Changes an open call; false where no message in sight made it. */
function changeCall(t: Draft, callId: string, call: Partial<CallView>): boolean {
  const open = t.openCalls.find((candidate) => candidate.callId === callId)
  const node = open && at(t.nodes, open.at)
  if (!open || node?.kind !== 'assistant') return false
  const copy = (held: typeof node) => ({ ...held, calls: held.calls.map((one) => ({ ...one })) })
  for (const one of edit(t, open.at, node, copy).calls)
    if (one.callId === callId) Object.assign(one, call)
  return true
}

function addResult(t: Draft, head: EventHead): true {
  const callId = head.calls?.[0] ?? ''
  const failed = head.kind === 'error'
  if (!changeCall(t, callId, { resultSeq: head.seq, failed }))
    return add(t, { kind: 'result', seq: head.seq, callId, failed })
  t.openCalls = t.openCalls.filter((open) => open.callId !== callId)
  return true
}

/** A replaced result joins the pass that the event before it announced, or the one just before that. */
function addReplaced(t: Draft, head: EventHead, originalSeq: Seq): true {
  const last = at(t.nodes, t.nodes.length - 1)
  const replaced = { originalSeq, replacementSeq: head.seq }
  if (last?.kind !== 'prune' || t.next !== head.seq)
    return add(t, { kind: 'prune', seq: head.seq, cause: null, replaced: [replaced] })
  edit(t, t.nodes.length - 1, last).replaced = [...last.replaced, replaced]
  return true
}

function announcePrune(t: Draft, head: EventHead): true {
  const cause = (head.kind ?? null) as PruneCause | null
  const last = at(t.nodes, t.nodes.length - 1)
  const goesOn = last?.kind === 'prune' && last.cause === cause && t.next === head.seq
  return goesOn || add(t, { kind: 'prune', seq: head.seq, cause, replaced: [] })
}

/** The card of a compaction, made where its first event is seen, changed where a later one is. */
function joinCard(
  t: Draft,
  head: EventHead,
  join: (card: CompactionView) => Partial<CompactionView>,
): true {
  const compactionId = head.compactionId ?? ''
  const open = t.openCards.find((card) => card.compactionId === compactionId)
  const known = open && at(t.nodes, open.at)
  if (open && known?.kind === 'compaction') {
    Object.assign(edit(t, open.at, known), join(known))
    return true
  }
  const card: CompactionView = {
    kind: 'compaction',
    seq: head.seq,
    compactionId,
    status: 'running',
    trigger: null,
    turn: null,
    range: null,
    code: null,
    startSeq: null,
    windowSeqs: [],
    draftSeq: null,
    summarySeq: null,
    checkpointSeq: null,
    endSeq: null,
    shadowedSeqs: [],
  }
  t.openCards = [...t.openCards, { compactionId, at: t.nodes.length }]
  return add(t, Object.assign(card, join(card)))
}

function statusOf(code: CompactFailure | null): CompactionStatus {
  if (code === null) return 'done'
  return code === 'cancelled' || code === 'interrupted' || code === 'drafted' ? code : 'failed'
}

function endCard(t: Draft, head: EventHead): true {
  const code = (head.kind ?? null) as CompactFailure | null
  joinCard(t, head, () => ({ endSeq: head.seq, code, status: statusOf(code) }))
  const { compactionId } = head
  t.openCards = t.openCards.filter((card) => card.compactionId !== compactionId)
  return true
}

function addUser(t: Draft, head: EventHead): true {
  const { seq, kind } = head
  if (kind !== 'checkpoint') return add(t, { kind: kind === 'notice' ? 'notice' : 'user', seq })
  // A log from elsewhere may end its brackets here, or have none.
  return joinCard(t, head, () => ({ checkpointSeq: seq, status: 'done' }))
}

/** What an event does to the chat; false for one it does not show. */
function foldHead(t: Draft, head: EventHead): boolean {
  const { seq } = head
  switch (head.type) {
    case 'turn/start':
      return addTurn(t, head)
    case 'turn/end':
      return endTurn(t, head)
    case 'user/message':
      return addUser(t, head)
    case 'assistant/message':
      return addAssistant(t, head)
    case 'tool/call':
      return changeCall(t, head.calls?.[0] ?? '', { callSeq: seq })
    case 'tool/result': {
      const { op } = head
      return typeof op === 'object' && op.op === 'replace'
        ? addReplaced(t, head, op.start)
        : addResult(t, head)
    }
    case 'request/failed': {
      const { turn = null, step = null, kind: code = '' } = head
      return add(t, { kind: 'failure', seq, turn, step, code })
    }
    case 'compact/start': {
      const { turn = null, range = null } = head
      const trigger = (head.kind ?? null) as CompactTrigger | null
      return joinCard(t, head, () => ({ startSeq: seq, trigger, turn, range }))
    }
    case 'compact/window':
      return joinCard(t, head, (card) => ({ windowSeqs: [...card.windowSeqs, seq] }))
    case 'compact/draft':
      return joinCard(t, head, () => ({ draftSeq: seq }))
    case 'compact/summary': {
      const { range = null, seqs: shadowedSeqs = [] } = head
      return joinCard(t, head, () => ({ summarySeq: seq, range, shadowedSeqs }))
    }
    case 'compact/end':
      return endCard(t, head)
    case 'compact/prune':
      return announcePrune(t, head)
    case 'surface/restore': {
      const { op } = head
      return typeof op === 'object' && op.op === 'restore'
        ? add(t, { kind: 'restore', seq, replacementSeq: op.seq })
        : false
    }
    case 'session/open':
    case 'session/title':
    case 'request/header':
    case 'step/start':
    case 'step/end':
    case 'pin/set':
      return false
    default:
      return assertNever(head.type)
  }
}

/** Folds heads into a draft; true where any was of interest. */
function foldAll(t: Draft, heads: readonly EventHead[], from: number): boolean {
  let changed = false
  for (let at = from; at < heads.length; at += 1) {
    const head = heads[at]!
    if (!foldHead(t, head)) continue
    t.next = head.seq + 1
    changed = true
  }
  return changed
}

/** The transcript after `fold`, the same reference where it changed nothing. */
function extended(t: Transcript, fold: (draft: Draft) => boolean): Transcript {
  const draft: Draft = { ...t, own: t.nodes.length }
  if (!fold(draft)) return t
  const { own: _, ...transcript } = draft
  return transcript
}

/** The transcript after one more event; the same reference for an event of no interest. */
export function stepTranscript(t: Transcript, head: EventHead): Transcript {
  return extended(t, (draft) => foldAll(draft, [head], 0))
}

/**
 * The transcript of a log of which `t` is the transcript so far. Looks at what is new; a log shorter than
 * what `t` holds is another log, and begins anew.
 */
export function extendTranscript(t: Transcript, heads: readonly EventHead[]): Transcript {
  const from = t.next > heads.length ? EMPTY : t
  return extended(from, (draft) => inBulk(() => foldAll(draft, heads, from.next)))
}
