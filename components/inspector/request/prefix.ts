/** How much of a request the one before had already sent, and what ended it: that much a cache can hold. */

import type { Seq } from '@/lib/core/event'
import type { Log } from '@/lib/core/log'
import type { RequestBody } from '@/lib/core/request'
import { nodesOf } from '@/lib/core/surface'
import { type RequestRow, rowsOf } from './parts'

/** The step before call `seq`; null where there is none. */
export function stepBefore({ heads }: Pick<Log, 'heads'>, seq: Seq): Seq | null {
  for (let at = seq - 1; at >= 0; at -= 1) if (heads[at]!.type === 'step/start') return at
  return null
}

export type Prefix = {
  /** Rows of the later request that are the same in the earlier, parameters not counted; from the first. */
  rows: number
  tokens: number
  /** Estimated tokens of the whole later request. */
  total: number
  /** The first row that differs, by its key; null where everything sent before was sent again. */
  endsAt: string | null
  why: 'whole' | 'model' | 'tools' | 'system' | 'messages'
}

export const keyOf = (row: RequestRow): string => `${row.part} ${row.index}`

/** Marks of what to cache move on with every request and are no part of what is cached. */
const withoutMarks = (value: unknown): string =>
  JSON.stringify(value, (key, member: unknown) => (key === 'cache_control' ? undefined : member))

/** Compares in the order a provider reads: tools, system, messages. */
export function prefixOf(before: RequestBody, after: RequestBody): Prefix {
  const [old, fresh] = [before, after].map((body) =>
    rowsOf(body).filter((row) => row.part !== 'parameters'),
  ) as [RequestRow[], RequestRow[]]
  const total = fresh.reduce((sum, row) => sum + row.tokens, 0)
  const nothing = { rows: 0, tokens: 0, total, endsAt: fresh[0] ? keyOf(fresh[0]) : null }
  if (before.model !== after.model) return { ...nothing, why: 'model' }
  let rows = 0
  let tokens = 0
  while (rows < old.length && rows < fresh.length) {
    const [one, other] = [old[rows]!, fresh[rows]!]
    if (one.part !== other.part || withoutMarks(one.value) !== withoutMarks(other.value)) break
    tokens += other.tokens
    rows += 1
  }
  if (rows === old.length) return { rows, tokens, total, endsAt: null, why: 'whole' }
  const at = fresh[rows]
  const part = (at ?? old[rows]!).part
  return {
    rows,
    tokens,
    total,
    endsAt: at ? keyOf(at) : null,
    why: part === 'parameters' ? 'messages' : part,
  }
}

/** The first place where two surfaces differ: what stood there, and what stands there now. */
export function firstChange(
  { history }: Pick<Log, 'history'>,
  before: Seq,
  after: Seq,
): { was: Seq; is: Seq | null } | null {
  const old = nodesOf(history.surfaceAt(before))
  const fresh = nodesOf(history.surfaceAt(after))
  const at = old.findIndex((seq, i) => fresh[i] !== seq)
  return at < 0 ? null : { was: old[at]!, is: fresh[at] ?? null }
}
