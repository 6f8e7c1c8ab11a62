/** How full the window is at any moment, and of what (M1–M5). */

import type { EventHead, Seq } from './event'
import type { Log } from './log'
import { nodesOf } from './surface'

export type Part = 'system' | 'tools' | 'summary' | 'user' | 'assistant' | 'results'

/**
 * Tokens, bytes and media of the request the next step would send.
 *
 * `kind` is about `total` (M3): `measured` as the provider reported it, `mixed` where the surface changed
 * since, `estimated` where the newest header has no report yet. `parts` share out `total` by estimate,
 * always; `scale` is measured/estimated at the report, by which any node's estimate may be multiplied.
 */
export type Reading = {
  total: number
  kind: 'measured' | 'mixed' | 'estimated'
  scale: number
  parts: Record<Part, number>
  bytes: number
  media: number
  window?: number
  threshold?: number
  maxTokens: number
}

/** Seqs that readings look for, in order; grown with the log they belong to. */
type MeterIndex = { length: number; headers: Seq[]; reports: Seq[]; changes: Seq[] }
const indexes = new WeakMap<readonly EventHead[], MeterIndex>()

function indexOf(heads: readonly EventHead[]): MeterIndex {
  const known = indexes.get(heads)
  const index = known ?? { length: 0, headers: [], reports: [], changes: [] }
  if (known === undefined) indexes.set(heads, index)
  for (; index.length < heads.length; index.length++) {
    const head = heads[index.length]!
    if (head.type === 'request/header') index.headers.push(head.seq)
    if (head.type === 'assistant/message' && head.measured !== undefined)
      index.reports.push(head.seq)
    if (head.op !== undefined) index.changes.push(head.seq)
  }
  return index
}

/** The greatest of ascending `seqs` that is at most `seq`. */
function newestAt(seqs: readonly Seq[], seq: Seq): Seq | undefined {
  let low = 0
  let high = seqs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (seqs[middle]! <= seq) low = middle + 1
    else high = middle
  }
  return seqs[low - 1]
}

type Total = Pick<Reading, 'total' | 'kind' | 'scale'> & { estimate: number; header?: EventHead }

/**
 * The reading without its parts, in O(log n). A report by the provider counts for what its header saw; what
 * came or went since is added by estimate and scaled as the report was to its own estimate (M2).
 */
export function measureTotal(log: Log, seq: Seq = log.heads.length - 1): Total {
  const { heads, history } = log
  const index = indexOf(heads)
  const headerSeq = newestAt(index.headers, seq)
  const header = headerSeq === undefined ? undefined : heads[headerSeq]
  const preamble = header?.tokens ?? 0
  const estimate = seq < 0 ? 0 : preamble + history.tokensAt(seq)
  const report = newestAt(index.reports, seq)
  if (report === undefined || report < (headerSeq ?? 0))
    return { total: estimate, kind: 'estimated', scale: 1, estimate, header }
  const measured = heads[report]!.measured!
  const then = preamble + history.tokensAt(report)
  const scale = then === 0 ? 1 : measured / then
  const changed = newestAt(index.changes, seq)! > report
  return {
    total: changed ? Math.round(estimate * scale) : measured,
    kind: changed ? 'mixed' : 'measured',
    scale,
    estimate,
    header,
  }
}

const PARTS: Partial<Record<EventHead['type'], Part>> = {
  'user/message': 'user',
  'assistant/message': 'assistant',
  'tool/result': 'results',
}
const partOf = (head: EventHead): Part =>
  head.kind === 'checkpoint' ? 'summary' : PARTS[head.type]!

/** Scales estimates to whole tokens whose sum is `total`; the largest part takes the rounding. */
function share(estimates: Record<Part, number>, scale: number, total: number) {
  const parts = { ...estimates }
  const names = Object.keys(parts) as Part[]
  for (const name of names) parts[name] = Math.round(parts[name] * scale)
  const largest = names.reduce((a, b) => (parts[b] > parts[a] ? b : a))
  parts[largest] += total - names.reduce((sum, name) => sum + parts[name], 0)
  return parts
}

/** The reading after event `seq`; by default after the newest. Iterates the surface of that moment. */
export function readMeter(log: Log, seq: Seq = log.heads.length - 1): Reading {
  const { total, kind, scale, header } = measureTotal(log, seq)
  const estimates = { system: 0, tools: 0, summary: 0, user: 0, assistant: 0, results: 0 }
  estimates.system = header?.limits?.system ?? 0
  estimates.tools = header?.limits?.tools ?? 0
  let bytes = header?.bytes ?? 0
  let media = 0
  for (const node of seq < 0 ? [] : nodesOf(log.history.surfaceAt(seq))) {
    const head = log.heads[node]!
    estimates[partOf(head)] += head.tokens
    bytes += head.bytes
    media += head.media
  }
  return {
    total,
    kind,
    scale,
    parts: share(estimates, scale, total),
    bytes,
    media,
    window: header?.limits?.window,
    threshold: header?.limits?.threshold,
    maxTokens: header?.limits?.maxTokens ?? 0,
  }
}
