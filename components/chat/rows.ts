/** Where things stand in the chat. Pure: rows are the transcript's nodes, by index. */

import type { EventHead, Seq } from '@/lib/core/event'
import type { Json, JsonObject } from '@/lib/core/message'
import { lastAtOrBefore, type TurnSpan } from '@/lib/core/projections/timeline'
import {
  type Transcript,
  transcriptLength,
  type ViewNode,
  viewNodeAt,
} from '@/lib/core/projections/transcript'
import { type Kind, kindOf } from '../ui/kinds'

/** Whether `seq` is shown by this node: itself, its calls and results, or the events of its bracket. */
export function holds(node: ViewNode, seq: Seq): boolean {
  if (node.seq === seq) return true
  switch (node.kind) {
    case 'turn':
      return node.endSeq === seq
    case 'assistant':
      return node.calls.some((call) => call.callSeq === seq || call.resultSeq === seq)
    case 'compaction':
      return (
        [node.startSeq, node.draftSeq, node.summarySeq, node.checkpointSeq, node.endSeq].includes(
          seq,
        ) || node.windowSeqs.includes(seq)
      )
    case 'prune':
      // The announcement of each pair stands just before its replacement (X3).
      return node.replaced.some(
        ({ replacementSeq }) => replacementSeq === seq || replacementSeq - 1 === seq,
      )
    case 'restore':
      return false
    default:
      return false
  }
}

/** Index of the last node that began at or before `seq`; -1 before the first. */
export function lastRowAt(transcript: Transcript, seq: Seq): number {
  let low = 0
  let high = transcriptLength(transcript)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (viewNodeAt(transcript, middle)!.seq <= seq) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** How far back an event may belong to an earlier node: parallel results, a compaction's bracket. */
const REACH = 80

/** Index of the node that shows `seq`, or of the last one before it; -1 for an empty chat. */
export function rowOf(transcript: Transcript, seq: Seq): number {
  const last = lastRowAt(transcript, seq)
  for (let i = last; i >= 0 && i > last - REACH; i -= 1)
    if (holds(viewNodeAt(transcript, i)!, seq)) return i
  return Math.max(last, Math.min(0, transcriptLength(transcript) - 1))
}

/** The turn that ended after the node at `seq` and before the next one, unless it just completed. */
export function turnEndedBetween(turns: readonly TurnSpan[], seq: Seq, next: Seq): TurnSpan | null {
  const turn = turns[lastAtOrBefore(turns, (span) => span.start, seq)]
  if (!turn || turn.end === null || turn.end < seq || turn.end >= next) return null
  return turn.reason === 'completed' ? null : turn
}

/** Whether a reply of step `step` goes on what is above it: steps of one turn read as one reply. */
export const goesOn = (above: ViewNode | undefined, step: number | null | undefined): boolean =>
  (above?.kind === 'assistant' || above?.kind === 'prune') && (step ?? 0) > 1

export type Shares = { kind: Kind; tokens: number }[]

/** Tokens of some nodes by kind, in the order kinds are always drawn. */
export function sharesOf(seqs: readonly Seq[], heads: readonly EventHead[]): Shares {
  const sums = new Map<Kind, number>()
  for (const seq of seqs) {
    const head = heads[seq]
    if (!head) continue
    const kind = kindOf(head)
    sums.set(kind, (sums.get(kind) ?? 0) + head.tokens)
  }
  const order: Kind[] = ['user', 'assistant', 'result', 'pruned', 'summary', 'system']
  return order.flatMap((kind) => {
    const tokens = sums.get(kind)
    return tokens ? [{ kind, tokens }] : []
  })
}

/** Milliseconds a tool ran, read from the canonical frame its head carries (S5). */
export function durationOf(head: EventHead | undefined): number | null {
  if (!head?.frame) return null
  const { durationMs } = JSON.parse(head.frame) as { durationMs?: number }
  return typeof durationMs === 'number' ? durationMs : null
}

const MAIN = ['path', 'file_path', 'command', 'cmd', 'query', 'pattern', 'focus', 'url', 'name']

/** The one argument that says what a call is about, on one line. */
export function callWords(input: JsonObject | undefined): string {
  if (!input) return ''
  const entries = Object.entries(input)
  const main = MAIN.flatMap((key) => (key in input ? [input[key]!] : []))[0] ?? entries[0]?.[1]
  if (main === undefined) return ''
  return oneLine(typeof main === 'string' ? main : JSON.stringify(main))
}

const oneLine = (text: string): string => text.slice(0, 300).replace(/\s+/g, ' ').trim()

/** An input as people read it: one `name: value` a line when it is flat, JSON otherwise. */
export function inputText(input: Json): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return JSON.stringify(input, null, 2)
  const flat = Object.values(input).every((value) => typeof value !== 'object' || value === null)
  if (!flat) return JSON.stringify(input, null, 2)
  return Object.entries(input)
    .map(([name, value]) =>
      typeof value === 'string' && value.includes('\n')
        ? `${name}:\n${value}`
        : `${name}: ${value}`,
    )
    .join('\n')
}

const LINE = 20
const WIDTH = 90

/** Pixels a node will take, near enough that the scrollbar does not jump when it is measured. */
export function estimateRow(node: ViewNode, heads: readonly EventHead[]): number {
  const tokens = heads[node.seq]?.tokens ?? 0
  const lines = Math.min(200, Math.ceil((tokens * 4) / WIDTH))
  switch (node.kind) {
    case 'turn':
      return 12
    case 'user':
      return 48 + Math.min(lines, 30) * LINE
    case 'assistant': {
      const words = node.calls.length > 0 ? Math.min(lines, 3) : lines
      return 34 + words * LINE + node.calls.length * 40
    }
    case 'compaction':
      return node.status === 'done' ? 128 : 64
    default:
      return 36
  }
}
