/**
 * Writes foreign messages into a log. Every event passes `planAppend`, so what comes out breaks no rule;
 * what cannot stand in the log is kept raw with the reason. Order and waiting are builder.ts's.
 */

import type {
  EventData,
  EventDraft,
  EventHead,
  SessionEvent,
  SessionHeader,
  UserSource,
} from '../core/event'
import { applyAppend, createLog, type Log, planAppend } from '../core/log'
import { type Block, isKnown, isMedia, isToolUse, type Usage } from '../core/message'
import { textBlock } from './blocks'
import { createCallNames, legalName } from './call-names'
import type { Place } from './foreign'
import { emptyReport, type Origin, type Report, remark } from './report'

export type SaidByModel = {
  id?: string
  content: Block[]
  /** Rows with one key are parts of one message. */
  key?: string
  /** The key is the message's own id: a block of it that comes again is the same one, written again. */
  isId?: boolean
  provider?: string
  model?: string
  stopReason?: string
  usage?: Usage
  interrupted?: boolean
  turn?: number
  step?: number
}

export type Answered = {
  id?: string
  /** Of the file; without it the result answers the oldest open call. */
  callId?: string
  name?: string
  content: Block[]
  isError: boolean
  turn?: number
  step?: number
  durationMs?: number
}

/** First and last row an event was read from. */
export type RowSpan = { first: number; last: number }

export type ScribeOptions = {
  report?: Report
  /** Records of the file that are counted already, by index. */
  counted?: Set<number>
}

const UNANSWERED = 'No result of this call is in the file.'
const PICTURE_FOLLOWS = '[What the model drew follows.]'
const NO_BEGINNING = 'What came before this point is not in the file.'

const isPicture = (block: Block): boolean => isKnown(block) && isMedia(block)

// What is known is set one by one: a copy without what is undefined costs more than the event.

function setPlace(data: { turn?: number; step?: number }, turn?: number, step?: number): void {
  if (turn === undefined || step === undefined) return
  data.turn = turn
  data.step = step
}

function setFacts(data: EventData['assistant/message'], said: SaidByModel): void {
  const { provider, model, stopReason, usage, interrupted, turn, step } = said
  setPlace(data, turn, step)
  if (provider !== undefined) data.provider = provider
  if (model !== undefined) data.model = model
  if (stopReason !== undefined) data.stopReason = stopReason
  if (usage !== undefined) data.usage = usage
  if (interrupted) data.interrupted = true
}

export type Scribe = ReturnType<typeof createScribe>

export function createScribe(header: SessionHeader, options: ScribeOptions = {}) {
  const { report = emptyReport(), counted = new Set<number>() } = options
  const log: Log = createLog(header)
  const names = createCallNames()
  const rows: RowSpan[] = []
  let events: SessionEvent[] = []
  let heads: EventHead[] = []
  let origins: Origin[] = []
  let bytes = 0
  let now = header.createdAt
  let begun = false
  let unnamed = 0

  /** The row became no event. */
  function keep(at: Place, reason: string): void {
    if (counted.has(at.index)) return
    counted.add(at.index)
    report.keptRecords += 1
    remark(report.kept, at.line, reason)
  }
  const mend = (at: Place, what: string): void => remark(report.mended, at.line, what)

  /** The row was read. It counts once in a file, whichever sessions it is part of. */
  function took(at: Place): void {
    if (counted.has(at.index)) return
    counted.add(at.index)
    if (at.damaged) report.recovered += 1
    else report.read += 1
  }

  function originOf(first: Place, last: Place): Origin {
    const origin = { line: first.line, at: first.at, bytes: last.at + last.bytes - first.at }
    return last.line === first.line ? origin : { ...origin, toLine: last.line }
  }

  /** All or none; refused drafts keep their row raw. `last`: the last row, where several made the drafts. */
  function append(first: Place, drafts: EventDraft[], last: Place = first): boolean {
    const plan = planAppend(log, drafts, now)
    if (!plan.ok) {
      keep(first, `it cannot stand in the log: ${plan.error.message} (${plan.error.rule})`)
      return false
    }
    applyAppend(log, plan.value)
    for (const head of plan.value.heads) {
      heads.push(head)
      bytes += head.bytes ?? 0
    }
    for (const event of plan.value.events) {
      events.push(event)
      rows.push({ first: first.index, last: last.index })
      origins.push(originOf(first, last))
    }
    took(first)
    begun ||= plan.value.heads.some((head) => head.type === 'user/message' && !head.blank)
    return true
  }

  const nodeId = (): string => `m${log.heads.length}`

  function user(at: Place, content: Block[], source: UserSource, id = nodeId()): boolean {
    return append(at, [
      { type: 'user/message', data: { id, content, source }, surfaceOp: 'append' },
    ])
  }

  /** A request begins with the user's side (Q4). */
  function ensureBeginning(at: Place): void {
    if (begun) return
    mend(at, 'the conversation begins in the middle: a note stands for what came before')
    user(at, [textBlock(NO_BEGINNING)], { kind: 'notice' })
  }

  /** Calls as the log may hold them: ids unique and legal, names legal. */
  const named = (at: Place, content: Block[]): Block[] =>
    content.map((block) => {
      if (!isToolUse(block)) return block
      unnamed += 1
      const id = names.take(block.id || `call_${unnamed}`)
      const name = legalName(block.name)
      if (block.id && id !== block.id) mend(at, `call id ${block.id} became ${id}`)
      if (name !== block.name) mend(at, `tool name ${block.name} became ${name}`)
      return { ...block, id, name }
    })

  /** The `step/start` of a reply, right before it: what a file writes in between stays outside (Q1). */
  function stepBefore(turn: number | undefined, step: number | undefined): EventDraft[] {
    const { state } = log
    if (turn === undefined || step === undefined || state.openCalls.length > 0) return []
    const fits = state.turn === turn && state.step === null && step > state.lastStep
    return fits ? [{ type: 'step/start', data: { turn, step } }] : []
  }

  function assistant(places: readonly Place[], said: SaidByModel): void {
    const first = places[0] as Place
    const { turn, step, id, content } = said
    ensureBeginning(first)
    // No provider takes pictures from a model's side: they follow as a note of the other.
    const shown = content.filter(isPicture)
    const own = shown.length > 0 ? content.filter((block) => !isPicture(block)) : content
    const data: EventData['assistant/message'] = {
      id: id || nodeId(),
      content: named(first, own.length > 0 ? own : [textBlock(PICTURE_FOLLOWS)]),
    }
    setFacts(data, said)
    const drafts: EventDraft[] = [
      ...stepBefore(turn, step),
      { type: 'assistant/message', data, surfaceOp: 'append' },
    ]
    if (append(first, drafts, places.at(-1))) for (const at of places) took(at)
    else for (const at of places) keep(at, 'the message it is part of cannot stand in the log')
    if (shown.length > 0) user(first, shown, { kind: 'notice' })
  }

  /** The open call a result answers, if there is one. */
  function callFor({ callId }: Answered) {
    const { openCalls } = log.state
    if (callId === undefined) return openCalls[0]
    const ours = names.find(callId)
    return openCalls.find((call) => call.callId === ours)
  }

  function result(at: Place, answer: Answered): void {
    const call = callFor(answer)
    if (!call) return void stray(at, answer)
    const { id = nodeId(), content, isError, turn, step, durationMs } = answer
    const { callId, name } = call
    const data: EventData['tool/result'] = { id, callId, name, content, isError }
    setPlace(data, turn, step)
    if (durationMs !== undefined) data.durationMs = durationMs
    append(at, [{ type: 'tool/result', data, surfaceOp: 'append' }])
  }

  function stray(at: Place, { callId, name, content }: Answered): void {
    if (callId !== undefined && names.find(callId) !== undefined) {
      return void keep(at, 'its call has an answer already, or was compacted away')
    }
    mend(at, 'a result whose call is not in the file is shown as a note')
    const lead = textBlock(`Result of ${name ?? 'a call'} that is not in the file:`)
    user(at, [lead, ...content], { kind: 'notice' })
  }

  /** Answers every open call with an error that says there was no answer (P1). */
  function closeCalls(at: Place): void {
    for (const { callId, name } of log.state.openCalls) {
      mend(at, `call ${callId} has no result in the file`)
      const content = [textBlock(UNANSWERED)]
      const data = { id: `${callId}-closed`, callId, name, content, isError: true }
      append(at, [{ type: 'tool/result', data, surfaceOp: 'append' }])
    }
  }

  return {
    log,
    report,
    rows,
    keep,
    mend,
    took,
    append,
    user,
    assistant,
    result,
    callFor,
    closeCalls,
    ensureBeginning,
    callId: (id: string) => names.find(id),
    time: () => now,
    setTime(time: number) {
      now = time
    },
    /** How many events there are since the last drain, and the bytes of their messages. */
    held: () => ({ events: events.length, bytes }),
    /** Events since the last drain. */
    drain() {
      const drained = { events, heads, origins }
      bytes = 0
      events = []
      heads = []
      origins = []
      return drained
    },
  }
}
