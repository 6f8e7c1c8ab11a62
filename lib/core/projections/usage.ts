/** Tokens by cache state, as providers reported them: what a session and each of its turns cost (M2). */

import type { EventHead, Seq } from '../event'
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

/** `own`: sums that one extension made; nobody else holds them, so they grow in place. */
type Sums = { own: WeakSet<Totals>; places?: Map<number | null, number> }

function plus(totals: Totals, usage: Usage, { own }: Sums): Totals {
  const sum = own.has(totals) ? totals : { ...totals }
  own.add(sum)
  sum.input_tokens += usage.input_tokens
  sum.output_tokens += usage.output_tokens
  sum.cache_creation_input_tokens += usage.cache_creation_input_tokens ?? 0
  sum.cache_read_input_tokens += usage.cache_read_input_tokens ?? 0
  sum.requests += 1
  return sum
}

/** Grown in place while one extension runs, then handed out; nobody else holds it. */
type Draft = Sums & {
  session: Totals
  summaries: Totals
  turns: { turn: number | null; totals: Totals }[]
  models: Record<string, Totals>
  unreported: number
  bracket: UsageTotals['bracket']
}

/** Where each turn's sums stand. Work between turns began long ago, work of a turn is the newest. */
function placesOf(turns: Draft['turns']): Map<number | null, number> {
  const places = new Map<number | null, number>()
  turns.forEach(({ turn }, index) => {
    if (turn !== null || !places.has(null)) places.set(turn, index)
  })
  return places
}

function addToTurn(u: Draft, turn: number | null, usage: Usage): void {
  const { turns } = u
  u.places ??= placesOf(turns)
  const index = u.places.get(turn) ?? turns.length
  if (index === turns.length) u.places.set(turn, index)
  turns[index] = { turn, totals: plus(turns[index]?.totals ?? NOTHING, usage, u) }
}

function addCall(u: Draft, turn: number | null, model: string, usage: Usage): void {
  u.session = plus(u.session, usage, u)
  addToTurn(u, turn, usage)
  u.models[model] = plus(u.models[model] ?? NOTHING, usage, u)
}

function addSummary(u: Draft, usage: Usage | undefined): void {
  const { bracket } = u
  // What was reviewed as a draft was paid for there (C16).
  if (!usage || bracket?.paid) return
  addCall(u, bracket?.turn ?? null, bracket?.model ?? '', usage)
  u.summaries = plus(u.summaries, usage, u)
}

/** Folds one head; false for one of no interest. */
function take(u: Draft, head: EventHead): boolean {
  switch (head.type) {
    case 'assistant/message':
      if (head.usage) addCall(u, head.turn ?? null, head.name ?? '', head.usage)
      else u.unreported += 1
      return true
    case 'compact/start':
      u.bracket = {
        turn: head.turn ?? null,
        model: head.name ?? '',
        paid: head.cites !== undefined,
      }
      return true
    case 'compact/window':
    case 'compact/draft':
    case 'compact/summary':
      addSummary(u, head.usage)
      return true
    case 'compact/end':
      addSummary(u, head.usage)
      u.bracket = null
      return true
    default:
      return false
  }
}

/** The totals of a log of which `u` are the totals so far; the same reference where nothing counts. */
export function extendUsage(u: UsageTotals, heads: readonly EventHead[]): UsageTotals {
  const draft: Draft = { ...u, turns: [...u.turns], models: { ...u.models }, own: new WeakSet() }
  let next = u.next
  for (let seq = u.next; seq < heads.length; seq += 1) if (take(draft, heads[seq]!)) next = seq + 1
  if (next === u.next) return u
  const { own: _, places: __, ...totals } = draft
  return { ...totals, next }
}
