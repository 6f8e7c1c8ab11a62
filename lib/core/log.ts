/**
 * The log of one session: validated append (L4), and what is folded while it grows. Heads only (L8);
 * bodies pass through on their way to a journal.
 */

import type { EventDraft, EventHead, Seq, SessionEvent, SessionHeader } from './event'
import { headOf } from './head'
import { type GrowingHistory, growHistory, type History } from './history'
import { judge, ruleOfDue, type Standing } from './judge'
import { createLedger, type GrowingLedger, type Ledger } from './ledger'
import { checkPairing } from './pairing'
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

/**
 * Drafts that are being planned, over a log that stays as it is. Most appends are one event that asks little:
 * indexes over what is planned, and the surface after it, are made when they are asked for.
 */
class Planning implements AppendPlan, Standing {
  readonly events: SessionEvent[] = []
  readonly heads: EventHead[] = []
  readonly ground = groundOf(() => this.surface)
  readonly isForeign: boolean
  state: LogState
  private readonly from: Seq
  private readonly changes: (Change | null)[] = []
  private noted: GrowingLedger | null = null
  private made: Surface | null = null
  /** Changes that `made` has already. */
  private applied = 0

  constructor(private readonly log: Log) {
    this.from = log.heads.length
    this.isForeign = log.header.origin !== undefined
    this.state = log.state
  }

  get ledger(): Ledger {
    const { log, heads, changes } = this
    if (heads.length === 0) return log.ledger
    this.noted ??= createLedger(log.ledger)
    for (let at = this.noted.length - this.from; at < heads.length; at += 1)
      this.noted.add(heads[at]!, changes[at]!)
    return this.noted
  }

  get surface(): Surface {
    this.made ??= this.log.history.surfaceAt(this.from - 1)
    for (; this.applied < this.changes.length; this.applied += 1) {
      const change = this.changes[this.applied]!
      if (change) this.made = applyChange(this.made, change, this.ledger.shadowsOf)
    }
    return this.made
  }

  readonly occurrencesOf = (callId: string) => this.ledger.occurrencesOf(callId)

  next(): Seq {
    return this.from + this.heads.length
  }

  /** Takes an event that may stand here. */
  take(event: SessionEvent, head: EventHead, change: Change | null): void {
    this.events.push(event)
    this.heads.push(head)
    this.changes.push(change)
    this.state = foldState(this.state, head, change, this.ground, this)
  }
}

/** How deep drafts nest what code wrote: data, content, block, source. Deeper values were parsed as JSON. */
const WRITTEN_DEPTH = 5

/** Whether a member of the event itself is undefined: those of its data are no JSON, and told of as such. */
function holdsUndefined(event: SessionEvent): boolean {
  for (const key in event) if (event[key as keyof SessionEvent] === undefined) return true
  return false
}

/** The value without members that are undefined: they are no data (L5), and left out as JSON would. */
function copyDefined(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyDefined(item, depth - 1))
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([key, member]) => [key, copyDefined(member, depth - 1)]))
}

/** The draft in its place. Nearly all have two members or three: an event made in one go costs half of a copy. */
function placed(draft: EventDraft, seq: Seq, time: number): SessionEvent {
  let members = 0
  for (const _ in draft) members += 1
  const { type, data, surfaceOp } = draft
  // A union's parts, taken apart, no longer say that they belong together.
  if (members === 2) return { type, data, seq, time } as SessionEvent
  if (members === 3 && surfaceOp) return { type, data, surfaceOp, seq, time } as SessionEvent
  return { ...draft, seq, time } as SessionEvent
}

/**
 * A draft as the event it becomes, if it is one. Nearly no draft holds what is undefined, and where one does it
 * is found by what the inspection says of it.
 */
function eventOf(draft: EventDraft, seq: Seq, time: number): Result<SessionEvent, Refusal> {
  const given = placed(draft, seq, time)
  const { flaw } = inspectEvent(given)
  if (flaw === null && !holdsUndefined(given)) return ok(given)
  const event = copyDefined(given, WRITTEN_DEPTH) as SessionEvent
  const left = inspectEvent(event).flaw
  return left ? { ok: false, error: left } : ok(event)
}

/** S6, for a surface that was sound by what was touched, for an unsound one by looking at all of it. */
function pairingFlaw(plan: Planning, before: LogState, head: EventHead): Refusal | null {
  const { state, ledger } = plan
  if (!state.unsound) return null
  if (before.unsound) {
    const heads = new Proxy({}, { get: (_, seq) => ledger.headAt(Number(seq)) })
    const flaw = checkPairing(nodesOf(plan.surface), heads)
    if (!flaw) {
      plan.state = { ...state, unsound: null }
      return null
    }
  }
  return refuse('S6', state.unsound, head.seq).error
}

/** Plans one event more, which stands where it may by itself. */
function planOne(plan: Planning, event: SessionEvent): Refusal | null {
  const head = headOf(event)
  const planned = planChange(plan.ground, head, plan.ledger.shadowsOf)
  if (!planned.ok) return planned.error
  const change = planned.value
  const broken = judge(plan, head, change)
  if (broken) return { ...broken, seq: head.seq }
  const before = plan.state
  plan.take(event, head, change)
  return change ? pairingFlaw(plan, before, head) : null
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
  const plan = new Planning(log)
  for (const draft of drafts) {
    const event = eventOf(draft, plan.next(), time)
    if (!event.ok) return event
    const refusal = planOne(plan, event.value)
    if (refusal) return { ok: false, error: refusal }
  }
  const { due } = plan.state
  if (due && drafts.length > 0) {
    const message = `the ${due.want} that belongs to it is missing`
    return refuse(ruleOfDue(due), message, plan.next() - 1)
  }
  return ok(plan)
}

/** Takes a plan into the log it was made from. Cannot fail; a plan for another length is a bug and throws. */
export function applyAppend(log: Log, plan: AppendPlan): void {
  const first = plan.heads[0]
  if (first && first.seq !== log.heads.length) throw new Error(`stale plan for seq ${first.seq}`)
  const growing = log as GrowingLog
  for (const head of plan.heads) {
    const pushed = growing.history.push(head)
    if (!pushed.ok) throw new Error(`a planned event does not fold: ${pushed.error.message}`)
    growing.ledger.add(head, pushed.value)
  }
  growing.state = plan.state
}
