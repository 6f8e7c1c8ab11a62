/** What one compaction cost and what it saves (C11, C16): for its card. */

import type { EventHead, EventOf, Seq, SessionEvent } from '../event'
import type { Log } from '../log'
import type { Usage } from '../message'
import { measureTotal } from '../meter'

export type CompactionCost = {
  /** By cache state, summed over all calls that reported; what prices one reply prices this. */
  usage: Required<Usage>
  /** Windows, merges, the last call, and those of the draft that was committed; none where code wrote it. */
  calls: number
  /** Calls whose provider reported nothing: `usage` is too low by these. */
  unreported: number
  /** Of `calls`, those whose answer nobody took: broken off, refused, asked again (C5). */
  wasted: number
  /** A call broke off before it told all of its output: `usage` may be too low. */
  isCut: boolean
  /** Who wrote it, where the log says. */
  model?: string
  /** Milliseconds from start to end, reading by people not counted. */
  ms: number
  /** Of the span and of what stands in its place, in the provider's measure; absent while nothing is replaced. */
  before?: number
  after?: number
  /** Tokens every later request is smaller by. */
  savedPerRequest?: number
}

const isOf = (head: EventHead, compactionId: string): boolean => head.compactionId === compactionId

/** The events to read for a compaction's cost: its own, and those of the draft it committed. */
export function costSeqs(heads: readonly EventHead[], compactionId: string): Seq[] {
  const own = heads.filter((head) => isOf(head, compactionId))
  const cited = own.find((head) => head.cites !== undefined)?.cites
  const draft = cited === undefined ? undefined : heads[cited]?.compactionId
  const before = draft === undefined ? [] : heads.filter((head) => isOf(head, draft))
  return [...before, ...own].map((head) => head.seq)
}

const NOTHING: Required<Usage> = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

const add = (sum: Required<Usage>, usage: Usage): Required<Usage> => ({
  input_tokens: sum.input_tokens + usage.input_tokens,
  output_tokens: sum.output_tokens + usage.output_tokens,
  cache_creation_input_tokens:
    sum.cache_creation_input_tokens + (usage.cache_creation_input_tokens ?? 0),
  cache_read_input_tokens: sum.cache_read_input_tokens + (usage.cache_read_input_tokens ?? 0),
})

type Called = EventOf<'compact/window' | 'compact/draft' | 'compact/summary'>

/** Events a model call wrote; a summary whose bracket named no model was written by code or by a person. */
function calledBy(events: readonly SessionEvent[]): Called[] {
  const starts = events.filter((event) => event.type === 'compact/start')
  const asked = new Set(
    starts.filter(({ data }) => data.model !== undefined).map(({ data }) => data.compactionId),
  )
  return events.filter(
    (event): event is Called =>
      (event.type === 'compact/window' ||
        event.type === 'compact/draft' ||
        event.type === 'compact/summary') &&
      asked.has(event.data.compactionId),
  )
}

const timeOf = (events: readonly SessionEvent[], type: 'compact/start' | 'compact/end'): number =>
  events.reduce((sum, event) => (event.type === type ? sum + event.time : sum), 0)

/** `events` are those of `costSeqs`, in order; a bracket still open has cost what its windows cost. */
export function compactionCost(log: Log, events: readonly SessionEvent[]): CompactionCost {
  const called = calledBy(events)
  const spent = events.flatMap((event) =>
    event.type === 'compact/end' && event.data.spent ? [event.data.spent] : [],
  )
  const wasted = spent.reduce((sum, { calls }) => sum + calls, 0)
  const reports = called.flatMap(({ data }) => (data.usage ? [data.usage] : []))
  const summary = events.find((event) => event.type === 'compact/summary')
  const start = events.find((event) => event.type === 'compact/start')
  const model = summary?.data.model ?? start?.data.model
  const ends = events.filter((event) => event.type === 'compact/end').length
  const starts = events.filter((event) => event.type === 'compact/start').length
  const ms = ends === starts ? timeOf(events, 'compact/end') - timeOf(events, 'compact/start') : 0
  const cost: CompactionCost = {
    usage: [...reports, ...spent.map(({ usage }) => usage)].reduce(add, NOTHING),
    calls: called.length + wasted,
    unreported: called.length - reports.length,
    wasted,
    isCut: spent.some(({ cut }) => cut),
    ...(model !== undefined && { model }),
    ms,
  }
  const checkpoint = summary && log.heads[summary.seq + 1]
  if (!summary || !checkpoint) return cost
  const { scale } = measureTotal(log, summary.seq)
  const before = Math.round(scale * summary.data.shadowedTokenCount)
  const after = Math.round(scale * checkpoint.tokens)
  return { ...cost, before, after, savedPerRequest: before - after }
}
