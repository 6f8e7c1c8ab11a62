/** All log rules over a whole log (K4): what import, tests and the inspector ask. */

import type { EventHead, Seq, SessionEvent, SessionHeader } from './event'
import { headOf } from './head'
import { judge, ruleOfDue } from './judge'
import { createLedger } from './ledger'
import { placementFlaw } from './placement'
import type { Refusal } from './result'
import { type Inspection, inspectEvent, parseHeader } from './shape'
import { foldState, initialState } from './state'
import { applyChange, emptySurface, groundOf, planChange } from './surface'

/** A rule that an event breaks. `seq` is the index of the event, -1 for the header. */
export type Violation = { readonly rule: string; readonly seq: Seq; readonly message: string }

/**
 * C16: a commit in other words than its draft says so. The one log rule that reads bodies, so an append, which
 * has heads alone, cannot ask it.
 */
function createProofreader(): (event: SessionEvent) => Refusal | null {
  const drafts = new Map<Seq, string>()
  let cited: string | undefined
  return ({ type, seq, data }) => {
    if (type === 'compact/draft') drafts.set(seq, data.summary)
    if (type === 'compact/start') cited = drafts.get(data.draftSeq ?? -1)
    if (type !== 'compact/summary' || cited === undefined) return null
    const isSaid = data.edited === true || data.summary === cited
    return isSaid
      ? null
      : { rule: 'C16', message: 'the text is not that of the draft, and is not called edited' }
  }
}

export type Checker = {
  /** What the next event of the log breaks. `inspection`: what `inspectEvent` says of it, where it was asked. */
  add(event: unknown, inspection?: Inspection): Violation[]
  /** What the log breaks by ending here. A turn, step, call or bracket still open breaks nothing. */
  end(): Violation[]
}

/**
 * Checks a log as it is read. Where the surface stops folding (an event out of place, unreadable, or
 * breaking S1–S5 or S7) structure cannot be judged any further: later events are then judged by
 * themselves only.
 */
export function createChecker(header: unknown): Checker {
  const parsed = parseHeader(header)
  const isForeign = parsed.ok && parsed.value.origin !== undefined
  const ledger = createLedger()
  const proofread = createProofreader()
  let unsaid: Refusal[] = parsed.ok ? [] : [{ ...parsed.error, seq: -1 }]
  let surface = emptySurface
  const ground = groundOf(() => surface)
  let state = initialState
  let folds = true
  let index = -1

  function fold(head: EventHead): Refusal[] {
    const planned = planChange(ground, head, ledger.shadowsOf)
    if (!planned.ok) {
      folds = false
      return [planned.error]
    }
    const change = planned.value
    const broken = judge({ state, ground, ledger, isForeign }, head, change)
    if (change) surface = applyChange(surface, change, ledger.shadowsOf)
    ledger.add(head, change)
    const before = state
    state = foldState(state, head, change, ground, ledger)
    const refusals = broken ? [broken] : []
    if (state.unsound && state.unsound !== before.unsound) {
      refusals.push({ rule: 'S6', message: state.unsound })
    }
    return refusals
  }

  function add(event: unknown, inspection: Inspection): Refusal[] {
    const refusals = inspection.flaw ? [inspection.flaw] : []
    if (!inspection.folds) folds = false
    if (!folds) return refusals
    const head = headOf(event as SessionEvent)
    const misread = proofread(event as SessionEvent)
    if (misread) refusals.push(misread)
    const misplaced = placementFlaw(head, index)
    if (!misplaced) return [...refusals, ...fold(head)]
    folds = false
    return [...refusals, misplaced]
  }

  const report = (refusals: readonly Refusal[]): Violation[] => {
    if (unsaid.length === 0 && refusals.length === 0) return []
    const all = [...unsaid, ...refusals]
    unsaid = []
    return all.map(({ rule, message, seq }) => ({ rule, seq: seq === -1 ? -1 : index, message }))
  }

  return {
    add(event, inspection = inspectEvent(event)) {
      index++
      return report(add(event, inspection))
    },
    end() {
      const { due } = state
      if (!folds || !due) return report([])
      const message = `the log ends before the ${due.want} that is due`
      return report([{ rule: ruleOfDue(due), message }])
    },
  }
}

/** Every log rule that a log breaks, in log order; none for a sound one (K4). Takes untrusted values. */
export function check(
  header: SessionHeader | unknown,
  events: readonly (SessionEvent | unknown)[],
): Violation[] {
  const checker = createChecker(header)
  const violations = events.flatMap((event) => checker.add(event))
  return [...violations, ...checker.end()]
}
