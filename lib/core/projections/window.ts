/**
 * Tokens of the window by part, event by event, in constant time for an append and linear in its span
 * for a replacement.
 */

import type { EventHead, Seq } from '../event'
import { createStanding } from '../standing'

/** The parts of a reading (M3). */
export const PARTS = ['system', 'tools', 'summary', 'user', 'assistant', 'results'] as const
export type Part = (typeof PARTS)[number]
export type PartColumns = Readonly<Record<Part, Uint32Array>>

export type WindowParts = {
  /** Takes the next event; true if it changed the surface. What does not fold changes nothing. */
  take(head: EventHead): boolean
  /** Tokens of each part, in the order of `PARTS`; lives on with the window. */
  readonly sums: Float64Array
  total(): number
}

const partOf = (head: EventHead): Part => {
  if (head.type === 'tool/result') return 'results'
  if (head.type === 'assistant/message') return 'assistant'
  return head.kind === 'checkpoint' ? 'summary' : 'user'
}

const PART_INDEX = Object.fromEntries(PARTS.map((part, index) => [part, index])) as Record<
  Part,
  number
>

/** An empty window. Estimates only (M1): scaling to what the provider measured is the caller's. */
export function createParts(): WindowParts {
  const sums = new Float64Array(PARTS.length)
  const standing = createStanding()
  // By seq, of nodes.
  let tokens = new Uint32Array(256)
  let part = new Uint8Array(256)
  /** Replacement → the nodes it shadowed, in surface order. */
  const shadowed = new Map<Seq, readonly Seq[]>()

  const note = (seq: Seq, index: number, size: number): void => {
    if (seq >= part.length) {
      const length = Math.max(seq + 1, part.length * 2)
      const old = { tokens, part }
      tokens = new Uint32Array(length)
      part = new Uint8Array(length)
      tokens.set(old.tokens)
      part.set(old.part)
    }
    tokens[seq] = size
    part[seq] = index
    sums[index]! += size
  }
  const enter = (seq: Seq): void => {
    sums[part[seq]!]! += tokens[seq]!
  }
  const leave = (seq: Seq): void => {
    sums[part[seq]!]! -= tokens[seq]!
  }
  const replace = (head: EventHead, index: number, start: Seq, end: Seq): boolean => {
    const from = standing.orderOf(start)
    if (from < 0 || standing.orderOf(end) < from) return false
    const seqs = standing.run(start, end)
    seqs.forEach(leave)
    shadowed.set(head.seq, seqs)
    standing.replace(head.seq, start, end)
    note(head.seq, index, head.tokens)
    return true
  }
  const restore = (seq: Seq): boolean => {
    const back = shadowed.get(seq)
    if (!back || standing.orderOf(seq) < 0) return false
    leave(seq)
    standing.restore(seq, back)
    back.forEach(enter)
    return true
  }

  return {
    take(head) {
      if (head.type === 'request/header') {
        sums[PART_INDEX.system] = head.limits?.system ?? head.tokens
        sums[PART_INDEX.tools] = head.limits?.tools ?? 0
        return false
      }
      const { op, seq } = head
      if (op === undefined) return false
      if (op !== 'append' && op.op === 'restore') return restore(op.seq)
      const index = PART_INDEX[partOf(head)]
      if (op !== 'append') return replace(head, index, op.start, op.end)
      standing.append(seq)
      note(seq, index, head.tokens)
      return true
    },
    sums,
    total() {
      let total = 0
      for (let part = 0; part < sums.length; part += 1) total += sums[part]!
      return total
    },
  }
}
