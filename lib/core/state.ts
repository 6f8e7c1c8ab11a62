/** Where a log stands: open turn, step and bracket, open calls, pins. Folded head by head, leniently. */

import type { CompactTrigger, EventHead, PruneCause, Seq } from './event'
import type { Ledger } from './ledger'
import { foldAppended, foldPairing, type OpenCall, unitAt } from './pairing'
import { type Change, nodesOf, positionOf, type Surface, type SurfaceNow } from './surface'

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

const NOTHING: Partial<LogState> = {}

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

/** The seqs of a span, or none when it does not run on the surface. */
export function spanOf(surface: Surface, start: Seq, end: Seq): Seq[] {
  const from = positionOf(surface, start)
  const to = positionOf(surface, end)
  return from < 0 || to < from ? [] : nodesOf(surface, from, to + 1)
}

/** Nodes that came or left. */
function touchedBy(change: Change): EventHead[] {
  if (change.kind === 'append') return [change.head]
  if (change.kind === 'replace') return [change.head, ...change.shadowed.map((node) => node.head)]
  return [change.replacement, ...change.returned.map((node) => node.head)]
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
      ? [change.shadowed[0]!.head, [change.head.seq]]
      : [change.replacement, change.returned.map((node) => node.head.seq)]
  return old.type === 'tool/result' && pins.has(old.seq) ? union(pins, come) : pins
}

function foldChange(
  state: LogState,
  change: Change,
  surfaceNow: SurfaceNow,
  ledger: Ledger,
): Partial<LogState> {
  const { openCalls, unsound } = state
  const usual =
    change.kind === 'append' && unsound === null
      ? foldAppended(openCalls, change.head, ledger.occurrencesOf)
      : null
  const { open, flaw } = usual
    ? { open: usual, flaw: null }
    : foldPairing(openCalls, surfaceNow(), touchedBy(change), ledger.occurrencesOf)
  const returned =
    change.kind === 'restore' ? change.returned.map((node) => node.head.seq) : undefined
  return {
    openCalls: open,
    unsound: flaw ?? state.unsound,
    pins: pinsAfter(state, change),
    restored: returned ? union(state.restored, returned) : state.restored,
    bracket: state.bracket && { ...state.bracket, touched: true },
  }
}

function foldPin(state: LogState, head: EventHead, surface: Surface): Partial<LogState> {
  const named = head.seqs ?? []
  const seqs = named.flatMap((seq) => unitSeqs(surface, seq))
  if (head.kind === 'pinned') return { pins: union(state.pins, seqs) }
  return { pins: without(state.pins, seqs), restored: without(state.restored, named) }
}

function foldReply(state: LogState, head: EventHead): Partial<LogState> {
  const { due } = state
  if (due?.want === 'checkpoint' && head.compactionId === due.compactionId) {
    return { due: { want: 'end', compactionId: due.compactionId } }
  }
  const isReply = head.type === 'assistant/message' && head.op === 'append'
  return isReply && state.awaitingReply ? { awaitingReply: false } : NOTHING
}

/** What an event changes besides the surface and what is due. */
function foldType(state: LogState, head: EventHead, surfaceNow: SurfaceNow): Partial<LogState> {
  const { seq, compactionId = '' } = head
  switch (head.type) {
    case 'request/header':
      return { headerSeq: seq }
    case 'turn/start':
      return {
        turn: head.turn ?? 0,
        lastTurn: Math.max(state.lastTurn, head.turn ?? 0),
        lastStep: 0,
      }
    case 'turn/end':
      return { turn: null, step: null, awaitingReply: false }
    case 'step/start': {
      const step = head.step ?? 0
      return {
        step,
        lastStep: Math.max(state.lastStep, step),
        lastStepStart: seq,
        awaitingReply: true,
      }
    }
    case 'step/end':
      return { step: null, awaitingReply: false }
    case 'tool/call': {
      const id = head.calls?.[0]
      return {
        openCalls: state.openCalls.map((call) =>
          call.callId === id ? { ...call, started: true } : call,
        ),
      }
    }
    case 'user/message':
    case 'assistant/message':
    case 'tool/result':
      return foldReply(state, head)
    case 'compact/start': {
      const span = head.range ? spanOf(surfaceNow(), head.range.start, head.range.end) : []
      const trigger = (head.kind ?? 'manual') as CompactTrigger
      return { bracket: { compactionId, seq, trigger, span, touched: false } }
    }
    case 'compact/draft':
      return { due: { want: 'drafted', compactionId } }
    case 'compact/summary':
      return { due: { want: 'checkpoint', compactionId, seqs: head.seqs ?? [] } }
    case 'compact/end':
      return { bracket: null }
    case 'compact/prune': {
      const [target] = head.seqs ?? []
      const cause = (head.kind ?? 'manual') as PruneCause
      return target === undefined ? {} : { due: { want: 'rewrite', seq: target, cause } }
    }
    case 'pin/set':
      return foldPin(state, head, surfaceNow())
    default:
      return NOTHING
  }
}

/** An appended node that nothing waits for: the usual case, and worth no new state. */
const isQuiet = ({ bracket, pins, openCalls }: LogState, change: Change): boolean =>
  change.kind === 'append' &&
  bracket === null &&
  pins.size === 0 &&
  openCalls.length === 0 &&
  change.head.calls === undefined

/** A state while heads are folded into it; nobody else holds it. */
export type StateDraft = { -readonly [K in keyof LogState]: LogState[K] }

/**
 * Folds one more head into a draft; false where it says nothing. `surfaceNow` is the surface after it and `ledger` knows it already.
 * Judges nothing: what a rule forbids is folded as well as it can be, so that damaged logs can be seen.
 */
export function foldInto(
  draft: StateDraft,
  head: EventHead,
  change: Change | null,
  surfaceNow: SurfaceNow,
  ledger: Ledger,
): boolean {
  const isLoud = change !== null && !isQuiet(draft, change)
  if (isLoud) Object.assign(draft, foldChange(draft, change, surfaceNow, ledger))
  const typed = foldType(draft, head, surfaceNow)
  if (typed === NOTHING && draft.due === null) return isLoud
  draft.due = null
  Object.assign(draft, typed)
  return true
}

/** The state after one more head, see `foldInto`; the same reference where it says nothing. */
export function foldState(
  state: LogState,
  head: EventHead,
  change: Change | null,
  surfaceNow: SurfaceNow,
  ledger: Ledger,
): LogState {
  const draft = { ...state }
  return foldInto(draft, head, change, surfaceNow, ledger) ? draft : state
}
