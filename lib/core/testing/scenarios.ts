/** The compaction scenarios of vectors/compaction-tx.json, which says itself what its fields mean. */

import type { EventDraft, RequestHeader, Seq } from '../event'
import file from './vectors/compaction-tx.json'

export type ScenarioAnswer = {
  text?: string
  thinking?: string
  /** Name of a tool called instead of an answer. */
  call?: string
  stopReason?: string
  error?: { code: string; message: string }
}

export type Scenario = {
  id: string
  log: string
  call:
    | { kind: 'region'; start: Seq; end: Seq }
    | { kind: 'manual' | 'overflow' }
    | { kind: 'pressure'; window?: number }
  answer?: ScenarioAnswer
  during?: 'append' | 'log-only' | { prune: Seq }
  abort?: 'before' | 'during'
  journal?: 'fails-at-commit'
  surfaceBefore: Seq[]
  differs?: string
  verdict: {
    outcome: 'done' | 'nothing' | 'refused' | 'failed'
    code?: string
    rule?: string
    appended: string[]
    shadowedSeqs?: Seq[]
    surfaceAfter: (Seq | 'checkpoint' | 'during' | 'pruned')[]
  }
}

function spelled(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(spelled)
  if ('repeat' in value) {
    const parts = value.repeat as [string, number][]
    return parts.map(([unit, times]) => unit.repeat(times)).join('')
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, spelled(inner)]))
}

/** The header every log of the scenarios begins with; no window, no tail, no least gain. */
export const scenarioHeader = file.header as RequestHeader

/**
 * The events before a scenario, in the transactions they were written in: the parts of a commit belong
 * together (C2).
 */
export function scenarioLog(name: string): EventDraft[][] {
  const logs = file.logs as unknown as Record<string, EventDraft[]>
  const batches: EventDraft[][] = []
  for (const draft of logs[name]!) {
    const whole = (draft.data as unknown) === 'HEADER' ? { ...draft, data: file.header } : draft
    const event = spelled(whole) as EventDraft
    const isPart = batches.at(-1)?.[0]?.type === 'compact/summary' && batches.at(-1)!.length < 3
    if (isPart) batches.at(-1)!.push(event)
    else batches.push([event])
  }
  return batches
}

export const scenarios = file.cases as Scenario[]
