/**
 * The log of one session: validated append (L4), and what is folded while it grows. Heads only (L8);
 * bodies pass through on their way to a journal.
 */

import type { EventDraft, EventHead, Seq, SessionEvent, SessionHeader } from './event'
import { headOf } from './head'
import { type GrowingHistory, growHistory, type History } from './history'
import { judge, ruleOfDue } from './judge'
import { createLedger, type GrowingLedger, type Ledger } from './ledger'
import { checkPairing } from './pairing'
import { placementFlaw } from './placement'
import { ok, type Refusal, type Result, refuse } from './result'
import { inspectEvent } from './shape'
import { foldInto, foldState, initialState, type LogState, type StateDraft } from './state'
import { applyChange, type Change, groundOf, nodesOf, planChange, type Surface } from './surface'

export type { LogState } from './state'

/** Grows by `applyAppend` only; whatever was read from it before stays as it was. */
export type Log = {
  readonly header: SessionHeader
  readonly heads: readonly EventHead[]
  readonly history: History
  readonly state: LogState
  /** Indexes that planning reads. */
  readonly ledger: Ledger
}

type GrowingLog = {
  header: SessionHeader
  heads: readonly EventHead[]
  history: GrowingHistory
  state: LogState
  ledger: GrowingLedger
}

function growLog(header: SessionHeader): GrowingLog {
  const history = growHistory()
  return { header, heads: history.heads, history, state: initialState, ledger: createLedger() }
}

/** Takes a head, and folds it into `state`, which becomes the log's once all are taken. */
function take(log: GrowingLog, state: StateDraft, head: EventHead): Refusal | null {
  const pushed = log.history.push(head)
  if (!pushed.ok) return pushed.error
  const change = pushed.value
  log.ledger.add(head, change)
  foldInto(state, head, change, log.history.ground, log.ledger)
  return null
}

export const createLog = (header: SessionHeader): Log => growLog(header)

/**
 * A log of stored heads. Refused only where the surface does not fold (L1, L2, S1–S5, S7); what else
 * is wrong with a foreign or damaged log is for `check` to say.
 */
export function loadLog(header: SessionHeader, heads: readonly EventHead[]): Result<Log, Refusal> {
  const log = createLog(header)
  const refusal = extendLog(log, heads)
  return refusal ? { ok: false, error: refusal } : ok(log)
}

/**
 * Takes heads that follow in storage: what another tab wrote meanwhile. Refused where the surface does
 * not fold; what came before that stays.
 */
export function extendLog(log: Log, heads: readonly EventHead[]): Refusal | null {
  const growing = log as GrowingLog
  const state = { ...log.state }
  let refusal: Refusal | null = null
  for (const head of heads) {
    refusal = take(growing, state, head)
    if (refusal) break
  }
  growing.state = state
  return refusal
}

/** The seqs on the surface now, in order. O(n). */
export const surfaceNodes = (log: Log): Seq[] => nodesOf(surfaceOf(log))

/** The surface now. O(log n). */
export const surfaceOf = (log: Log): Surface => log.history.surfaceAt(log.heads.length)

/** Events that may be appended, all or none. Good for the log it was made from, at that length. */
export type AppendPlan = {
  readonly events: readonly SessionEvent[]
  readonly heads: readonly EventHead[]
  /** The surface after them. */
  readonly surface: Surface
  readonly state: LogState
}

type Planning = {
  readonly isForeign: boolean
  readonly ledger: GrowingLedger
  surface: Surface
  state: LogState
}

/** How deep drafts nest what code wrote: data, content, block, source. Deeper values were parsed as JSON. */
const WRITTEN_DEPTH = 5

/** Members that are undefined are no data (L5): left out, as JSON would. Copies only what has some. */
function withoutUndefined<T>(value: T, depth = WRITTEN_DEPTH): T {
  return mayHoldUndefined(value, depth) ? (copyDefined(value, depth) as T) : value
}

/** Looked for first: nearly no draft has some, and a look costs no memory. */
function mayHoldUndefined(value: unknown, depth: number): boolean {
  if (value === undefined) return true
  if (depth === 0 || typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    for (const item of value) if (mayHoldUndefined(item, depth - 1)) return true
    return false
  }
  for (const key in value) {
    if (mayHoldUndefined((value as Record<string, unknown>)[key], depth - 1)) return true
  }
  return false
}

function copyDefined(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyDefined(item, depth - 1))
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([key, member]) => [key, copyDefined(member, depth - 1)]))
}

function eventOf(draft: EventDraft, seq: Seq, time: number): SessionEvent {
  // A spread of a union loses which member it was; the draft's type and data stay together.
  return withoutUndefined({ ...draft, seq, time }) as SessionEvent
}

/** S6, for a surface that was sound by what was touched, for an unsound one by looking at all of it. */
function pairingFlaw(plan: Planning, before: LogState, head: EventHead): Refusal | null {
  const { state, surface, ledger } = plan
  if (!state.unsound) return null
  if (before.unsound) {
    const heads = new Proxy({}, { get: (_, seq) => ledger.headAt(Number(seq)) })
    const flaw = checkPairing(nodesOf(surface), heads)
    if (!flaw) {
      plan.state = { ...state, unsound: null }
      return null
    }
  }
  return refuse('S6', state.unsound, head.seq).error
}

function planOne(plan: Planning, head: EventHead): Refusal | null {
  const { ledger, surface, state, isForeign } = plan
  const misplaced = placementFlaw(head, ledger.length)
  if (misplaced) return misplaced
  const ground = groundOf(() => plan.surface)
  const planned = planChange(ground, head, ledger.shadowsOf)
  if (!planned.ok) return planned.error
  const change: Change | null = planned.value
  const broken = judge({ state, surface, ledger, isForeign }, head, change)
  if (broken) return { ...broken, seq: head.seq }
  if (change) plan.surface = applyChange(surface, change, ledger.shadowsOf)
  ledger.add(head, change)
  plan.state = foldState(state, head, change, ground, ledger)
  return change ? pairingFlaw(plan, state, head) : null
}

/**
 * Gives drafts their seqs and `time` and validates them one after the other (L4). A refusal names the
 * rule and the seq the draft would have had; nothing has changed then, nor has it after success.
 * Drafts that belong to one transaction (C2, C16, X3) must come in one call.
 * O(drafts × log n), and O(n) more where tails of the surface must enter its tree.
 */
export function planAppend(
  log: Log,
  drafts: readonly EventDraft[],
  time: number,
): Result<AppendPlan, Refusal> {
  const plan: Planning = {
    isForeign: log.header.origin !== undefined,
    ledger: createLedger(log.ledger),
    surface: surfaceOf(log),
    state: log.state,
  }
  const events: SessionEvent[] = []
  const heads: EventHead[] = []
  for (const draft of drafts) {
    const event = eventOf(draft, log.heads.length + events.length, time)
    const { flaw } = inspectEvent(event)
    if (flaw) return { ok: false, error: flaw }
    const head = headOf(event)
    const refusal = planOne(plan, head)
    if (refusal) return { ok: false, error: refusal }
    events.push(event)
    heads.push(head)
  }
  const { due } = plan.state
  if (due && heads.length > 0) {
    return refuse(
      ruleOfDue(due),
      `the ${due.want} that belongs to it is missing`,
      heads.at(-1)!.seq,
    )
  }
  return ok({ events, heads, surface: plan.surface, state: plan.state })
}

/** Takes a plan into the log it was made from. Cannot fail; a plan for another length is a bug and throws. */
export function applyAppend(log: Log, plan: AppendPlan): void {
  const first = plan.heads[0]
  if (first && first.seq !== log.heads.length) throw new Error(`stale plan for seq ${first.seq}`)
  const growing = log as GrowingLog
  const state = { ...log.state }
  for (const head of plan.heads) {
    const refusal = take(growing, state, head)
    if (refusal) throw new Error(`a planned event does not fold: ${refusal.message}`)
  }
  growing.state = plan.state
}
