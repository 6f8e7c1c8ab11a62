/**
 * Tokens of the window by part, event by event, in constant time for an append and linear in its span
 * for a replacement. A linked list over seqs, since positions matter only between neighbours here.
 */

import type { EventHead, Seq } from '../event'

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
const NONE = -1

/** An empty window. Estimates only (M1): scaling to what the provider measured is the caller's. */
export function createParts(): WindowParts {
  const sums = new Float64Array(PARTS.length)
  // By seq. `part` is one more than its index while the node is on the surface, 0 while it is not.
  let before = new Int32Array(256)
  let after = new Int32Array(256)
  let tokens = new Uint32Array(256)
  let part = new Uint8Array(256)
  /** Replacement → the nodes it shadowed, in surface order, with their parts. */
  const shadowed = new Map<Seq, { seqs: Seq[]; parts: number[] }>()
  let tail = NONE

  const reserve = (seq: Seq): void => {
    if (seq < part.length) return
    const length = Math.max(seq + 1, part.length * 2)
    const grow = <A extends Int32Array | Uint32Array | Uint8Array>(old: A, made: A): A => {
      made.set(old)
      return made
    }
    before = grow(before, new Int32Array(length))
    after = grow(after, new Int32Array(length))
    tokens = grow(tokens, new Uint32Array(length))
    part = grow(part, new Uint8Array(length))
  }
  const enter = (seq: Seq, index: number): void => {
    part[seq] = index + 1
    sums[index]! += tokens[seq]!
  }
  const leave = (seq: Seq): number => {
    const index = part[seq]! - 1
    part[seq] = 0
    sums[index]! -= tokens[seq]!
    return index
  }
  /** Puts `seqs` between two neighbours, either of which may be absent. */
  const link = (left: Seq, seqs: readonly Seq[], right: Seq): void => {
    let previous = left
    for (const seq of seqs) {
      before[seq] = previous
      if (previous !== NONE) after[previous] = seq
      previous = seq
    }
    after[previous] = right
    if (right === NONE) tail = previous
    else before[right] = previous
  }
  const replace = (seq: Seq, index: number, start: Seq, end: Seq): boolean => {
    if (!part[start] || !part[end]) return false
    const seqs: Seq[] = []
    let at = start
    while (at !== NONE && at !== end) {
      seqs.push(at)
      at = after[at]!
    }
    if (at === NONE) return false
    seqs.push(end)
    const left = before[start]!
    const right = after[end]!
    shadowed.set(seq, { seqs, parts: seqs.map(leave) })
    link(left, [seq], right)
    enter(seq, index)
    return true
  }
  const restore = (seq: Seq): boolean => {
    const back = shadowed.get(seq)
    if (!back || !part[seq]) return false
    leave(seq)
    link(before[seq]!, back.seqs, after[seq]!)
    back.seqs.forEach((returned, i) => {
      enter(returned, back.parts[i]!)
    })
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
      reserve(seq)
      tokens[seq] = head.tokens
      const index = PART_INDEX[partOf(head)]
      if (op !== 'append') return replace(seq, index, op.start, op.end)
      link(tail, [seq], NONE)
      enter(seq, index)
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
