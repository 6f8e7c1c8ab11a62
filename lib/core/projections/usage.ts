/** Tokens by cache state, as providers reported them: what a session and each of its turns cost (M2). */

import type { EventData, EventOf, Seq, SessionEvent } from '../event'
import type { Usage } from '../message'

/** Sums of reports, in their own shape, so that what prices one prices many. */
export type Totals = Required<Usage> & { requests: number }

export type UsageTotals = {
  /** The event after the last one folded. */
  readonly next: Seq
  /** Chat and summaries together. */
  readonly session: Totals
  /** The share of `session` that summaries took. */
  readonly summaries: Totals
  /** In log order; `turn` null is work between turns. */
  readonly turns: readonly { turn: number | null; totals: Totals }[]
  /** By model as the log names it; `''` where it does not. */
  readonly models: Readonly<Record<string, Totals>>
  /** Replies whose provider reported nothing: the sums are too low by these. */
  readonly unreported: number
  readonly bracket: { turn: number | null; model: string; paid: boolean } | null
}

const NOTHING: Totals = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  requests: 0,
}

const EMPTY: UsageTotals = {
  next: 0,
  session: NOTHING,
  summaries: NOTHING,
  turns: [],
  models: {},
  unreported: 0,
  bracket: null,
}
export const emptyUsage = (): UsageTotals => EMPTY

const sum = (totals: Totals, usage: Usage): Totals => ({
  input_tokens: totals.input_tokens + usage.input_tokens,
  output_tokens: totals.output_tokens + usage.output_tokens,
  cache_creation_input_tokens:
    totals.cache_creation_input_tokens + (usage.cache_creation_input_tokens ?? 0),
  cache_read_input_tokens: totals.cache_read_input_tokens + (usage.cache_read_input_tokens ?? 0),
  requests: totals.requests + 1,
})

function addToTurn(turns: UsageTotals['turns'], turn: number | null, usage: Usage) {
  const index = turns.findLastIndex((one) => one.turn === turn)
  if (index < 0) return [...turns, { turn, totals: sum(NOTHING, usage) }]
  return turns.with(index, { turn, totals: sum(turns[index]!.totals, usage) })
}

const addCall = (u: UsageTotals, turn: number | null, model: string, usage: Usage) => ({
  ...u,
  session: sum(u.session, usage),
  turns: addToTurn(u.turns, turn, usage),
  models: { ...u.models, [model]: sum(u.models[model] ?? NOTHING, usage) },
})

function addSummary(u: UsageTotals, usage: Usage | undefined): UsageTotals {
  const { bracket } = u
  // What was reviewed as a draft was paid for there (C16).
  if (!usage || bracket?.paid) return u
  const added = addCall(u, bracket?.turn ?? null, bracket?.model ?? '', usage)
  return { ...added, summaries: sum(u.summaries, usage) }
}

function addReply(u: UsageTotals, { usage, turn, model }: EventData['assistant/message']) {
  if (!usage) return { ...u, unreported: u.unreported + 1 }
  return addCall(u, turn ?? null, model ?? '', usage)
}

const openBracket = (u: UsageTotals, { data }: EventOf<'compact/start'>): UsageTotals => ({
  ...u,
  bracket: { turn: data.turn, model: data.model ?? '', paid: data.draftSeq !== undefined },
})

function foldEvent(u: UsageTotals, event: SessionEvent): UsageTotals {
  switch (event.type) {
    case 'assistant/message':
      return addReply(u, event.data)
    case 'compact/start':
      return openBracket(u, event)
    case 'compact/window':
    case 'compact/draft':
    case 'compact/summary':
      return addSummary(u, event.data.usage)
    case 'compact/end':
      return u.bracket ? { ...u, bracket: null } : u
    default:
      return u
  }
}

/** The totals after one more event; the same reference for an event of no interest. */
export function stepUsage(u: UsageTotals, event: SessionEvent): UsageTotals {
  const folded = foldEvent(u, event)
  return folded === u ? u : { ...folded, next: event.seq + 1 }
}

/** The totals after more events of the same log; those already folded change nothing. */
export const extendUsage = (u: UsageTotals, events: readonly SessionEvent[]): UsageTotals =>
  events.reduce((totals, event) => (event.seq < totals.next ? totals : stepUsage(totals, event)), u)
