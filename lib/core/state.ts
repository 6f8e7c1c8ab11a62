/** Where a log stands: open turn, step and bracket, open calls, pins. Folded head by head, leniently. */

import type { CompactTrigger, EventHead, PruneCause, Range, Seq } from './event'
import type { Ledger } from './ledger'
import { foldPairing, foldUsual, type OpenCall, unitAt } from './pairing'
import { type Change, type Ground, nodesOf, positionOf, type Surface } from './surface'

export type Bracket = {
  readonly compactionId: string
  /** Its `compact/start`. */
  readonly seq: Seq
  readonly trigger: CompactTrigger
  /** The nodes of its range when it began; empty when the range was not on the surface. */
  readonly span: readonly Seq[]
  /** The surface changed since (C4). */
  readonly touched: boolean
}

/** What the next event must be, because it belongs to the same transaction. */
export type Due =
  | { readonly want: 'checkpoint'; readonly compactionId: string; readonly seqs: readonly Seq[] }
  | { readonly want: 'end'; readonly compactionId: string }
  | { readonly want: 'drafted'; readonly compactionId: string }
  | { readonly want: 'rewrite'; readonly seq: Seq; readonly cause: PruneCause }

export type LogState = {
  /** The open turn and step. */
  readonly turn: number | null
  readonly step: number | null
  /** The highest turn so far, 0 before the first. */
  readonly lastTurn: number
  /** The highest step of the open turn, 0 before the first. */
  readonly lastStep: number
  /** A step began and its reply is not in the log: the surface stands still (Q1). */
  readonly awaitingReply: boolean
  readonly bracket: Bracket | null
  readonly due: Due | null
  /** The newest `request/header`. */
  readonly headerSeq: Seq | null
  readonly lastStepStart: Seq | null
  readonly openCalls: readonly OpenCall[]
  /** Pinned nodes, closed over their units (K1). */
  readonly pins: ReadonlySet<Seq>
  /** Nodes a restore returned and no `pin/set {pinned: false}` named since (S7). */
  readonly restored: ReadonlySet<Seq>
  /** Why the surface is not sound, if an event of a foreign or damaged log made it so (S6). */
  readonly unsound: string | null
}

export const initialState: LogState = {
  turn: null,
  step: null,
  lastTurn: 0,
  lastStep: 0,
  awaitingReply: false,
  bracket: null,
  due: null,
  headerSeq: null,
  lastStepStart: null,
  openCalls: [],
  pins: new Set(),
  restored: new Set(),
  unsound: null,
}

/** Whether nobody asked for it: such a run needs the whole surface unchanged and spares what was restored. */
export const isAutomatic = (by: CompactTrigger | PruneCause): boolean =>
  by !== 'manual' && by !== 'region'

const union = (set: ReadonlySet<Seq>, seqs: readonly Seq[]): ReadonlySet<Seq> =>
  seqs.every((seq) => set.has(seq)) ? set : new Set([...set, ...seqs])

function without(set: ReadonlySet<Seq>, seqs: readonly Seq[]): ReadonlySet<Seq> {
  if (!seqs.some((seq) => set.has(seq))) return set
  const gone = new Set(seqs)
  return new Set([...set].filter((seq) => !gone.has(seq)))
}

/** The node with the rest of its unit; alone when it is not on the surface. */
function unitSeqs(surface: Surface, seq: Seq): Seq[] {
  const position = positionOf(surface, seq)
  if (position < 0) return [seq]
  const { from, to } = unitAt(surface, position)
  return nodesOf(surface, from, to)
}

/** The seqs of a span, or none when it does not run on the ground. */
export function spanOn(ground: Ground, { start, end }: Range): Seq[] {
  const from = ground.orderOf(start)
  const to = ground.orderOf(end)
  return from < 0 || to < from ? [] : ground.run(start, end).map((head) => head.seq)
}

/** The same on a surface. */
export function spanOf(surface: Surface, start: Seq, end: Seq): Seq[] {
  const from = positionOf(surface, start)
  const to = positionOf(surface, end)
  return from < 0 || to < from ? [] : nodesOf(surface, from, to + 1)
}

/** Nodes that came or left. */
function touchedBy(change: Change): EventHead[] {
  if (change.kind === 'append') return [change.head]
  if (change.kind === 'replace') return [change.head, ...change.shadowed]
  return [change.replacement, ...change.returned]
}

/** Keeps pins closed over units that grew or were rewritten (K1). */
function pinsAfter(state: LogState, change: Change): ReadonlySet<Seq> {
  const { pins, openCalls } = state
  if (pins.size === 0) return pins
  if (change.kind === 'append') {
    const unitIsPinned = openCalls.some((call) => pins.has(call.seq))
    return unitIsPinned ? union(pins, [change.head.seq]) : pins
  }
  const [old, come] =
    change.kind === 'replace'
      ? [change.shadowed[0]!, [change.head.seq]]
      : [change.replacement, change.returned.map((head) => head.seq)]
  return old.type === 'tool/result' && pins.has(old.seq) ? union(pins, come) : pins
}

/** A state while heads are folded into it; nobody else holds it. */
export type StateDraft = { -readonly [K in keyof LogState]: LogState[K] }

function foldChange(
  draft: StateDraft,
  change: Change,
  ground: Ground,
  { occurrencesOf }: Pick<Ledger, 'occurrencesOf'>,
): void {
  const { openCalls, unsound, bracket } = draft
  draft.pins = pinsAfter(draft, change)
  const usual = unsound === null ? foldUsual(openCalls, change, occurrencesOf) : null
  if (usual) draft.openCalls = usual
  else {
    const { open, flaw } = foldPairing(
      openCalls,
      ground.surface(),
      touchedBy(change),
      occurrencesOf,
    )
    draft.openCalls = open
    draft.unsound = flaw ?? unsound
  }
  if (change.kind === 'restore')
    draft.restored = union(
      draft.restored,
      change.returned.map((head) => head.seq),
    )
  if (bracket && !bracket.touched) draft.bracket = { ...bracket, touched: true }
}

function foldPin(draft: StateDraft, head: EventHead, surface: Surface): void {
  const named = head.seqs ?? []
  const seqs = named.flatMap((seq) => unitSeqs(surface, seq))
  if (head.kind === 'pinned') draft.pins = union(draft.pins, seqs)
  else {
    draft.pins = without(draft.pins, seqs)
    draft.restored = without(draft.restored, named)
  }
}

/** A message or a result; `due` is what it was to be. */
function foldReply(draft: StateDraft, head: EventHead, due: Due | null): boolean {
  if (due?.want === 'checkpoint' && head.compactionId === due.compactionId) {
    draft.due = { want: 'end', compactionId: due.compactionId }
    return true
  }
  if (!draft.awaitingReply || head.type !== 'assistant/message' || head.op !== 'append')
    return false
  draft.awaitingReply = false
  return true
}

function foldStart(draft: StateDraft, head: EventHead, ground: Ground): void {
  const span = head.range ? spanOn(ground, head.range) : []
  const trigger = (head.kind ?? 'manual') as CompactTrigger
  const { seq, compactionId = '' } = head
  draft.bracket = { compactionId, seq, trigger, span, touched: false }
}

/** What an event changes besides the surface; false for nothing. `due` is what it was to be. */
function foldType(draft: StateDraft, head: EventHead, due: Due | null, ground: Ground): boolean {
  switch (head.type) {
    case 'request/header':
      draft.headerSeq = head.seq
      return true
    case 'turn/start':
      draft.turn = head.turn ?? 0
      draft.lastTurn = Math.max(draft.lastTurn, draft.turn)
      draft.lastStep = 0
      return true
    case 'turn/end':
      draft.turn = null
      draft.step = null
      draft.awaitingReply = false
      return true
    case 'step/start':
      draft.step = head.step ?? 0
      draft.lastStep = Math.max(draft.lastStep, draft.step)
      draft.lastStepStart = head.seq
      draft.awaitingReply = true
      return true
    case 'step/end':
      draft.step = null
      draft.awaitingReply = false
      return true
    case 'tool/call': {
      const id = head.calls?.[0]
      draft.openCalls = draft.openCalls.map((call) =>
        call.callId === id ? { ...call, started: true } : call,
      )
      return true
    }
    case 'user/message':
    case 'assistant/message':
    case 'tool/result':
      return foldReply(draft, head, due)
    case 'compact/start':
      foldStart(draft, head, ground)
      return true
    case 'compact/draft':
      draft.due = { want: 'drafted', compactionId: head.compactionId ?? '' }
      return true
    case 'compact/summary': {
      const { compactionId = '', seqs = [] } = head
      draft.due = { want: 'checkpoint', compactionId, seqs }
      return true
    }
    case 'compact/end':
      draft.bracket = null
      return true
    case 'compact/prune': {
      const [target] = head.seqs ?? []
      const cause = (head.kind ?? 'manual') as PruneCause
      if (target !== undefined) draft.due = { want: 'rewrite', seq: target, cause }
      return true
    }
    case 'pin/set':
      foldPin(draft, head, ground.surface())
      return true
    default:
      return false
  }
}

/** An appended node that nothing waits for: the usual case, and worth no new state. */
const isQuiet = ({ bracket, pins, openCalls }: LogState, change: Change): boolean =>
  change.kind === 'append' &&
  bracket === null &&
  pins.size === 0 &&
  openCalls.length === 0 &&
  change.head.calls === undefined

/**
 * Folds one more head into a draft; false where it says nothing. `ground` stands after it and `ledger` knows it already.
 * Judges nothing: what a rule forbids is folded as well as it can be, so that damaged logs can be seen.
 */
export function foldInto(
  draft: StateDraft,
  head: EventHead,
  change: Change | null,
  ground: Ground,
  ledger: Pick<Ledger, 'occurrencesOf'>,
): boolean {
  const { due } = draft
  const isLoud = change !== null && !isQuiet(draft, change)
  if (isLoud) foldChange(draft, change, ground, ledger)
  draft.due = null
  return foldType(draft, head, due, ground) || isLoud || due !== null
}

/** The state after one more head, see `foldInto`; the same reference where it says nothing. */
export function foldState(
  state: LogState,
  head: EventHead,
  change: Change | null,
  ground: Ground,
  ledger: Pick<Ledger, 'occurrencesOf'>,
): LogState {
  const draft = { ...state }
  return foldInto(draft, head, change, ground, ledger) ? draft : state
}
