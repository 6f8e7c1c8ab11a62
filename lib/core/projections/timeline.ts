/**
 * The session over time: the tokens of the window after every event, and what happened to them.
 * Folded from heads alone (L8), step by step; a log extended bit by bit gives the same as from zero (L7).
 */

import type { CompactTrigger, EventHead, Seq } from '../event'
import { createParts, PARTS, type Part, type PartColumns, type WindowParts } from './window'

/** What a glyph of the time bar stands for. `auto` is pressure, `model` the `compact` tool. */
export type MarkKind =
  | 'micro'
  | 'prune'
  | 'auto'
  | 'overflow'
  | 'manual'
  | 'model'
  | 'region'
  | 'restore'

export type MarkStatus = 'done' | 'running' | 'failed' | 'cancelled' | 'interrupted' | 'drafted'

/** One change of the surface by a replacement or a restore, or an attempt at one. */
export type Mark = {
  kind: MarkKind
  status: MarkStatus
  /** First event of it: the `compact/start`, the first `compact/prune`, the `surface/restore`. */
  from: Seq
  /** The event that changed the surface last; equals `to` where nothing changed. */
  seq: Seq
  /** Last event of it. */
  to: Seq
  /** Tokens of the window before `from` and after `to`. */
  before: number
  after: number
  /** Replacements that landed (a micro or prune pass makes several). */
  count: number
  /** Why it failed (`compact/end`'s code). */
  code?: string
}

/** What holds from `seq` on; absent figures are unknown (C7). */
export type LimitChange = { seq: Seq; window?: number; threshold?: number }
export type TurnSpan = { turn: number; start: Seq; end: Seq | null; reason?: string }
export type RequestFailure = { seq: Seq; code: string }

/**
 * A value: columns are append-only and shared between versions, so read them below `length` only.
 * `total[seq]` is what the meter reads after event `seq` (M1, M2), `parts` is it by part (M3).
 */
export type Timeline = {
  readonly length: number
  readonly total: Uint32Array
  readonly parts: PartColumns
  /** Highest total so far. */
  readonly peak: number
  readonly limits: readonly LimitChange[]
  readonly turns: readonly TurnSpan[]
  /** Seqs of `step/start`. */
  readonly steps: readonly Seq[]
  readonly marks: readonly Mark[]
  readonly failures: readonly RequestFailure[]
  /** The fold's own state; nobody else's. */
  readonly fold: Fold
}

type Fold = {
  window: WindowParts
  /** Events folded into `window`; a timeline with another `length` is an old version. */
  length: number
  /** measured / estimated at the last reply that said (M2); 1 where none holds. */
  scale: number
  prune: { seq: Seq; micro: boolean } | null
}

type Draft = { -readonly [K in keyof Timeline]: Timeline[K] } & {
  limits: LimitChange[]
  turns: TurnSpan[]
  steps: Seq[]
  marks: Mark[]
  failures: RequestFailure[]
}

const TRIGGER_KIND: Record<CompactTrigger, MarkKind> = {
  pressure: 'auto',
  'context-overflow': 'overflow',
  manual: 'manual',
  model: 'model',
  region: 'region',
}

export function emptyTimeline(): Timeline {
  const columns = {} as Record<Part, Uint32Array>
  for (const part of PARTS) columns[part] = new Uint32Array(64)
  return {
    length: 0,
    total: new Uint32Array(64),
    parts: columns,
    peak: 0,
    limits: [],
    turns: [],
    steps: [],
    marks: [],
    failures: [],
    fold: { window: createParts(), length: 0, scale: 1, prune: null },
  }
}

/**
 * The timeline of all `heads`, given that of a prefix of them. Costs the new heads; the same reference
 * when there are none. From an old version it folds from zero.
 */
export function extendTimeline(timeline: Timeline, heads: readonly EventHead[]): Timeline {
  if (timeline.length === heads.length) return timeline
  const base = timeline.fold.length === timeline.length ? timeline : emptyTimeline()
  const draft: Draft = {
    ...base,
    limits: [...base.limits],
    turns: [...base.turns],
    steps: [...base.steps],
    marks: [...base.marks],
    failures: [...base.failures],
  }
  reserve(draft, heads.length)
  const columns = [draft.total, ...PARTS.map((part) => draft.parts[part])]
  const { fold } = draft
  const { sums } = fold.window
  let held = draft.length
  for (let seq = draft.length; seq < heads.length; seq += 1) {
    const before = held === 0 ? 0 : draft.total[held - 1]!
    const after = step(draft, heads[seq]!, before)
    if (after === null) continue
    hold(columns, held, seq)
    draft.total[seq] = after
    for (let part = 0; part < sums.length; part += 1)
      columns[part + 1]![seq] = Math.round(sums[part]! * fold.scale)
    held = seq + 1
  }
  hold(columns, held, heads.length)
  draft.length = heads.length
  draft.fold.length = heads.length
  return draft
}

export const foldTimeline = (heads: readonly EventHead[]): Timeline =>
  extendTimeline(emptyTimeline(), heads)

function reserve(draft: Draft, length: number): void {
  if (draft.total.length >= length) return
  const grow = (column: Uint32Array): Uint32Array => {
    const grown = new Uint32Array(Math.max(length, column.length * 2))
    grown.set(column)
    return grown
  }
  draft.total = grow(draft.total)
  const parts = {} as Record<Part, Uint32Array>
  for (const part of PARTS) parts[part] = grow(draft.parts[part])
  draft.parts = parts
}

/** What stood before `from` holds up to `to`, `to` not included. */
function hold(columns: readonly Uint32Array[], from: Seq, to: Seq): void {
  if (from === 0 || from >= to) return
  for (const column of columns) {
    const value = column[from - 1]!
    for (let seq = from; seq < to; seq += 1) column[seq] = value
  }
}

/** Folds one head; answers the total after it where the window changed, null where it is as `before`. */
function step(draft: Draft, head: EventHead, before: number): number | null {
  const { fold } = draft
  const { window } = fold
  const { type } = head
  const isHeader = type === 'request/header'
  const changed = window.take(head)
  const measured = type === 'assistant/message' ? head.measured : undefined
  // A changed header voids the measurement; a reply with usage makes a new one (M2).
  if (isHeader) fold.scale = 1
  const total = window.total()
  // Of nothing estimated there is nothing to scale; what was measured stands till something changes.
  if (measured !== undefined) fold.scale = total === 0 ? 1 : measured / total
  const isNews = changed || isHeader || measured !== undefined
  const after = measured ?? (isNews ? Math.round(total * fold.scale) : before)
  if (after > draft.peak) draft.peak = after
  note(draft, head, before, after, changed)
  return isNews ? after : null
}

/** What the time bar marks of this event. */
function note(draft: Draft, head: EventHead, before: number, after: number, changed: boolean) {
  const { seq } = head
  switch (head.type) {
    case 'request/header': {
      const { window, threshold } = head.limits ?? {}
      const last = draft.limits.at(-1)
      if (!last || last.window !== window || last.threshold !== threshold)
        draft.limits.push({ seq, window, threshold })
      return
    }
    case 'turn/start':
      draft.turns.push({ turn: head.turn ?? draft.turns.length + 1, start: seq, end: null })
      return
    case 'turn/end': {
      const open = draft.turns.at(-1)
      if (open && open.end === null)
        draft.turns[draft.turns.length - 1] = { ...open, end: seq, reason: head.kind }
      return
    }
    case 'step/start':
      draft.steps.push(seq)
      return
    case 'request/failed':
      draft.failures.push({ seq, code: head.kind ?? 'error' })
      return
    case 'compact/prune':
      draft.fold.prune = { seq, micro: head.kind === 'micro' }
      return
    case 'tool/result':
      if (changed && head.op !== 'append') notePrune(draft, seq, before, after)
      return
    case 'compact/start': {
      const kind = TRIGGER_KIND[head.kind as CompactTrigger] ?? 'manual'
      draft.marks.push({
        kind,
        status: 'running',
        from: seq,
        seq,
        to: seq,
        before,
        after,
        count: 0,
      })
      return
    }
    case 'user/message':
      if (changed && head.op !== 'append') amend(draft, { seq, to: seq, after, count: 1 })
      return
    case 'compact/end':
      amend(draft, { to: seq, after, status: statusOf(head.kind), code: head.kind })
      return
    case 'surface/restore':
      if (changed)
        draft.marks.push({
          kind: 'restore',
          status: 'done',
          from: seq,
          seq,
          to: seq,
          before,
          after,
          count: 1,
        })
      return
    default:
      return
  }
}

function statusOf(code: string | undefined): MarkStatus {
  if (code === undefined) return 'done'
  if (code === 'cancelled' || code === 'interrupted' || code === 'drafted') return code
  return 'failed'
}

/** Changes the open bracket's mark. A replacement outside a bracket (a damaged log) has none. */
function amend(draft: Draft, change: Partial<Mark>): void {
  const last = draft.marks.findLastIndex((mark) => mark.status === 'running')
  if (last < 0) return
  const mark = { ...draft.marks[last]!, ...change }
  if (change.status !== undefined && mark.count === 0) mark.seq = mark.to
  draft.marks[last] = mark
}

/** One pass makes many pairs in a row; they are one mark. */
function notePrune(draft: Draft, seq: Seq, before: number, after: number): void {
  const { prune } = draft.fold
  draft.fold.prune = null
  const paired = prune?.seq === seq - 1
  const from = paired ? prune.seq : seq
  const kind = paired && prune.micro ? 'micro' : 'prune'
  const last = draft.marks.at(-1)
  if (last && last.kind === kind && last.to === from - 1 && last.status === 'done')
    draft.marks[draft.marks.length - 1] = {
      ...last,
      seq,
      to: seq,
      after,
      count: last.count + 1,
    }
  else draft.marks.push({ kind, status: 'done', from, seq, to: seq, before, after, count: 1 })
}

/** Marks of summaries that landed: what people count as compactions. */
export const isSummary = (mark: Mark): boolean =>
  mark.status === 'done' && mark.count > 0 && !['micro', 'prune', 'restore'].includes(mark.kind)

/** What held at `seq` (the last change at or before it). */
export function limitsAt(timeline: Timeline, seq: Seq): LimitChange | null {
  return timeline.limits[lastAtOrBefore(timeline.limits, (limit) => limit.seq, seq)] ?? null
}

/** Index of the last item whose key is at most `key`, or -1. Keys ascend. */
export function lastAtOrBefore<T>(items: readonly T[], keyOf: (item: T) => number, key: number) {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keyOf(items[middle]!) <= key) low = middle + 1
    else high = middle
  }
  return low - 1
}
