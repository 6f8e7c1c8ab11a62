/** The rules that one event can break where a log stands, on heads alone (L8). Used by append and check. */

import { type EventHead, isSurfaceType, type Seq } from './event'
import type { Ledger } from './ledger'
import { type Refusal, refuse } from './result'
import { type Due, isAutomatic, type LogState, spanOn } from './state'
import { type Change, type Ground, openCallsAt, positionOf, sizeOf } from './surface'

/** Where a log stands before an event. */
export type Standing = {
  readonly state: LogState
  readonly ground: Ground
  readonly ledger: Ledger
  /** Foreign logs may lack what their program never wrote: steps, brackets, headers. */
  readonly isForeign: boolean
}

type Verdict = Refusal | null
const flaw = (rule: string, message: string): Verdict => refuse(rule, message).error

/** The rule of a transaction whose next part is due. */
export const ruleOfDue = (due: Due): string =>
  due.want === 'rewrite' ? 'X3' : due.want === 'drafted' ? 'C16' : 'C2'

const isReplace = (head: EventHead): boolean =>
  typeof head.op === 'object' && head.op.op === 'replace'

function meets(due: Due, head: EventHead, change: Change | null): boolean {
  switch (due.want) {
    case 'checkpoint': {
      if (change?.kind !== 'replace' || head.type !== 'user/message') return false
      const seqs = change.shadowed.map((node) => node.seq)
      return head.compactionId === due.compactionId && isSameRun(seqs, due.seqs)
    }
    case 'end':
      return head.type === 'compact/end' && isOwn(due, head) && head.kind === undefined
    case 'drafted':
      return head.type === 'compact/end' && isOwn(due, head) && head.kind === 'drafted'
    case 'rewrite':
      return (
        head.type === 'tool/result' &&
        change?.kind === 'replace' &&
        change.shadowed[0]?.seq === due.seq
      )
  }
}

const isOwn = (due: { compactionId: string }, head: EventHead): boolean =>
  head.compactionId === due.compactionId

const isSameRun = (a: readonly Seq[], b: readonly Seq[]): boolean =>
  a.length === b.length && a.every((seq, index) => seq === b[index])

/** C2, C16, X3: the parts of one transaction stand side by side, and not without each other. */
function judgeDue({ state, isForeign }: Standing, head: EventHead, change: Change | null): Verdict {
  const { due } = state
  if (due) {
    if (meets(due, head, change)) return null
    return flaw(ruleOfDue(due), `${head.type} stands where the ${due.want} of a pair is due`)
  }
  if (isForeign) return null
  if (!isReplace(head)) {
    return head.type === 'user/message' && head.kind === 'checkpoint'
      ? flaw('C2', `the checkpoint of ${head.compactionId} stands without its compact/summary`)
      : null
  }
  return head.type === 'tool/result'
    ? flaw('X3', 'a result is replaced without its compact/prune')
    : flaw('C2', 'nodes are replaced without a compact/summary')
}

/** L9: a compaction that names a turn begins in it, and its end names the same. */
function judgeTurnOf({ state, ledger }: Standing, head: EventHead): Verdict {
  const { turn, compactionId } = head
  if (head.type === 'compact/start') {
    return turn === undefined || turn === state.turn
      ? null
      : flaw('L9', `compaction ${compactionId} begins outside turn ${turn}`)
  }
  const { bracket } = state
  // Whose end it is, is for C2 to ask.
  if (bracket?.compactionId !== compactionId) return null
  const began = bracket && ledger.headAt(bracket.seq)?.turn
  return turn === began
    ? null
    : flaw('L9', `compaction ${compactionId} ends in turn ${turn} and began in ${began}`)
}

/** L9: turns and steps nest, and what belongs to a step stands in it. */
function judgeNesting(at: Standing, head: EventHead): Verdict {
  const { state, isForeign } = at
  const { turn, step } = head
  switch (head.type) {
    case 'turn/start':
      if (state.turn !== null) return flaw('L9', `turn ${turn} begins inside turn ${state.turn}`)
      return turn! > state.lastTurn ? null : flaw('L9', `turn ${turn} follows ${state.lastTurn}`)
    case 'turn/end':
      if (state.step !== null) return flaw('L9', `turn ${turn} ends inside step ${state.step}`)
      return turn === state.turn ? null : flaw('L9', `turn ${turn} ends without having begun`)
    case 'step/start':
      if (state.step !== null) return flaw('L9', `step ${step} begins inside step ${state.step}`)
      if (turn !== state.turn) return flaw('L9', `step ${step} begins outside turn ${turn}`)
      return step! > state.lastStep ? null : flaw('L9', `step ${step} follows ${state.lastStep}`)
    case 'step/end':
      return isIn(state, head) ? null : flaw('L9', `step ${step} ends without having begun`)
    case 'compact/start':
    case 'compact/end':
      return judgeTurnOf(at, head)
    default:
      // A result may answer late: what a crash or a cancel left open is closed after its step.
      if (isForeign || head.type === 'tool/result') return null
      if (head.type === 'tool/call' && !state.openCalls.some((call) => isUnstarted(call, head))) {
        return flaw('L9', `no open call ${head.calls?.[0]} waits to be started`)
      }
      return step === undefined || isIn(state, head)
        ? null
        : flaw('L9', `${head.type} of step ${turn}.${step} stands outside it`)
  }
}

const isIn = (state: LogState, head: EventHead): boolean =>
  head.turn === state.turn && head.step === state.step

const isUnstarted = (call: { callId: string; started: boolean }, head: EventHead): boolean =>
  call.callId === head.calls?.[0] && !call.started

/** Q1: what a request is made of stands before its step, and still until the reply. */
function judgeRequest({ state, isForeign }: Standing, head: EventHead, change: Change | null) {
  if (head.type === 'step/start') {
    if (state.bracket) return flaw('C4', 'a step begins while a compaction is open')
    // Its request would be incomplete (Q4), and the result could not come before the reply.
    if (state.openCalls.length > 0) return flaw('Q1', 'a step begins while a call is unanswered')
    const lacksHeader = state.headerSeq === null && !isForeign
    return lacksHeader ? flaw('Q1', 'a step begins without a request/header') : null
  }
  if (!state.awaitingReply) return null
  const isReply = head.type === 'assistant/message' && change?.kind === 'append'
  const disturbs =
    change !== null || head.type === 'request/header' || head.type === 'compact/prune'
  return disturbs && !isReply
    ? flaw('Q1', `${head.type} stands between a step's start and its reply`)
    : null
}

/** C3: on the surface, in order, balanced, free of pins, and not the newest unit. */
function judgeRange(at: Standing, seqs: readonly Seq[], by: string): Verdict {
  const { state, ground, isForeign } = at
  const first = seqs[0]
  if (first === undefined) return flaw('C3', 'the range is not a span of the surface')
  const surface = ground.surface()
  const from = positionOf(surface, first)
  const to = from + seqs.length
  if (openCallsAt(surface, from) !== 0 || openCallsAt(surface, to) !== 0) {
    return flaw('C3', 'the range parts a call from its result')
  }
  const pinned = seqs.find((seq) => state.pins.has(seq))
  if (pinned !== undefined) return flaw('C3', `the range holds pinned node ${pinned}`)
  const isUndo = by === 'manual' && seqs.every((seq) => state.restored.has(seq))
  if (to === sizeOf(surface) && !isForeign && !isUndo) {
    return flaw('C3', 'the range holds the newest unit')
  }
  return null
}

function judgeSummary(at: Standing, head: EventHead): Verdict {
  const { state, ground } = at
  const { range, seqs = [] } = head
  const bracket = state.bracket!
  if (range?.start !== seqs[0] || range?.end !== seqs.at(-1)) {
    return flaw('C1', 'shadowedRange and shadowedSeqs disagree')
  }
  const span = range ? spanOn(ground, range) : []
  const isUnchanged = isSameRun(seqs, bracket.span) && isSameRun(seqs, span)
  if (!isUnchanged || (bracket.touched && isAutomatic(bracket.trigger))) {
    return flaw('C4', 'the surface changed since the compaction began')
  }
  return judgeRange(at, seqs, bracket.trigger)
}

/** C16: a committed draft is one, over the same range, whose bracket is closed. */
function judgeCited({ ledger }: Standing, { cites, range }: EventHead): Verdict {
  if (cites === undefined) return null
  const draft = ledger.headAt(cites)
  if (draft?.type !== 'compact/draft') return flaw('C16', `${cites} is no draft to commit`)
  let at = cites - 1
  while (at >= 0 && !isStartOf(ledger.headAt(at), draft.compactionId)) at--
  const drafted = ledger.headAt(at)?.range
  return drafted?.start === range?.start && drafted?.end === range?.end
    ? null
    : flaw('C16', `draft ${cites} was written of another range`)
}

const isStartOf = (head: EventHead | undefined, compactionId: string | undefined): boolean =>
  head?.type === 'compact/start' && head.compactionId === compactionId

/** C2: one bracket at a time, each ended once. */
function judgeBracket(at: Standing, head: EventHead): Verdict {
  const { state, ledger } = at
  const { bracket, due } = state
  if (head.type === 'compact/start') {
    if (bracket) return flaw('C2', 'a compaction begins while another is open')
    if (ledger.hasBracket(head.compactionId ?? '')) {
      return flaw('C2', `compaction ${head.compactionId} began before`)
    }
    const cited = judgeCited(at, head)
    if (cited) return cited
    return judgeRange(at, spanOn(at.ground, head.range!), head.kind ?? '')
  }
  if (!bracket || bracket.compactionId !== head.compactionId) {
    return flaw('C2', `${head.type} of ${head.compactionId} stands outside its compaction`)
  }
  if (head.type === 'compact/summary') return judgeSummary(at, head)
  if (head.type !== 'compact/end') return null
  if (head.kind === 'drafted' && due?.want !== 'drafted') {
    return flaw('C16', 'a compaction ends as drafted without a draft')
  }
  const isSuccess = head.kind === undefined
  return isSuccess && due?.want !== 'end' ? flaw('C2', 'a compaction ends without a summary') : null
}

/** K1 and S7: pinned nodes are not replaced, restored ones not automatically. */
function judgeProtected({ state }: Standing, seqs: readonly Seq[], automatic: boolean): Verdict {
  const pinned = seqs.find((seq) => state.pins.has(seq))
  if (pinned !== undefined) return flaw('K1', `node ${pinned} is pinned`)
  const restored = automatic ? seqs.find((seq) => state.restored.has(seq)) : undefined
  return restored === undefined ? null : flaw('S7', `node ${restored} was restored by hand`)
}

function judgePrune(at: Standing, head: EventHead): Verdict {
  const seqs = head.seqs ?? []
  const target = at.ledger.headAt(seqs[0] ?? -1)
  const isResult = target?.type === 'tool/result' && at.ground.orderOf(target.seq) >= 0
  if (seqs.length !== 1 || !isResult) return flaw('X3', 'a prune names one result on the surface')
  return judgeProtected(at, seqs, head.kind !== 'manual')
}

function judgePins({ ground, ledger }: Standing, head: EventHead): Verdict {
  const isTarget = (seq: Seq): boolean =>
    head.kind === 'pinned'
      ? ground.orderOf(seq) >= 0
      : isSurfaceType(ledger.headAt(seq)?.type ?? '')
  const wrong = head.seqs?.find((seq) => !isTarget(seq))
  return wrong === undefined ? null : flaw('K1', `${wrong} is not a node that can be ${head.kind}`)
}

/** R2: a writer closes what a crash left open before it says that it opened the session. */
function judgeOpen({ state }: Standing, head: EventHead): Verdict {
  if (head.kind === 'imported') return null
  const { turn, step, bracket, openCalls } = state
  const isClosed = turn === null && step === null && !bracket && openCalls.length === 0
  return isClosed
    ? null
    : flaw('R2', 'the session is opened while a turn, call or compaction is open')
}

function judgeType(at: Standing, head: EventHead, change: Change | null): Verdict {
  switch (head.type) {
    case 'session/open':
      return judgeOpen(at, head)
    case 'compact/start': {
      const range = judgeBracket(at, head)
      const span = spanOn(at.ground, head.range!)
      return range ?? judgeProtected(at, span, isAutomatic((head.kind ?? 'manual') as 'manual'))
    }
    case 'compact/window':
    case 'compact/draft':
    case 'compact/summary':
    case 'compact/end':
      return judgeBracket(at, head)
    case 'compact/prune':
      return judgePrune(at, head)
    case 'pin/set':
      return judgePins(at, head)
    default: {
      if (change?.kind !== 'replace') return null
      return judgeProtected(
        at,
        change.shadowed.map((node) => node.seq),
        false,
      )
    }
  }
}

/**
 * The first rule this event breaks, or null. It folds already (S1–S5, S7); `change` is what it does to
 * the surface. Pairing (S6) is judged by the fold of the state, which sees the surface after it.
 */
export const judge = (at: Standing, head: EventHead, change: Change | null): Verdict =>
  judgeDue(at, head, change) ??
  judgeNesting(at, head) ??
  judgeRequest(at, head, change) ??
  judgeType(at, head, change)
