/**
 * What stands on the surface at the newest moment of a log, as a chain of nodes: constant work for every
 * node that comes or goes, and nothing kept of earlier moments. Rules S1–S5, S7.
 */

import type { Seq } from './event'

const [NONE, OFF] = [-1, -2]

/** A column of at least `length` rows, twice what it was; new ones hold `blank`. */
export function grownTo(
  column: Int32Array<ArrayBuffer>,
  length: number,
  blank: number,
): Int32Array<ArrayBuffer> {
  if (column.length >= length) return column
  const grown = new Int32Array(Math.max(length, column.length * 2)).fill(blank, column.length)
  grown.set(column)
  return grown
}

export type Standing = {
  /** See `Ground`: anchors ascend along the surface (S8). */
  orderOf(seq: Seq): number
  /** The anchor of a node that stands or stood. */
  anchorOf(seq: Seq): Seq
  /** Nodes that stand from one to another that is not before it. */
  run(start: Seq, end: Seq): Seq[]
  append(seq: Seq): void
  /** Puts a replacement in the place of a run that stands. */
  replace(seq: Seq, first: Seq, last: Seq): void
  /** Puts what a replacement shadowed back into its place. */
  restore(seq: Seq, returned: readonly Seq[]): void
}

export function createStanding(): Standing {
  /** By seq. `next` is `OFF` where a node does not stand, `NONE` where it is the last. */
  let next = new Int32Array(64).fill(OFF)
  let before = new Int32Array(64)
  let anchors = new Int32Array(64)
  let last = NONE

  function reserve(seq: Seq): void {
    if (seq >= next.length) {
      next = grownTo(next, seq + 1, OFF)
      before = grownTo(before, seq + 1, NONE)
      anchors = grownTo(anchors, seq + 1, NONE)
    }
  }

  function link(from: number, to: number): void {
    if (from >= 0) next[from] = to
    if (to >= 0) before[to] = from
    else last = from
  }

  return {
    orderOf: (seq) => (seq < next.length && next[seq] !== OFF ? anchors[seq]! : -1),
    anchorOf: (seq) => anchors[seq]!,
    run(start, end) {
      const seqs = [start]
      for (let seq = start; seq !== end; ) {
        seq = next[seq]!
        seqs.push(seq)
      }
      return seqs
    },
    append(seq) {
      reserve(seq)
      anchors[seq] = seq
      link(last, seq)
      next[seq] = NONE
      last = seq
    },
    replace(seq, first, final) {
      reserve(seq)
      anchors[seq] = anchors[first]!
      const [from, to] = [before[first]!, next[final]!]
      for (let gone = first; gone !== to; ) {
        const following: number = next[gone]!
        next[gone] = OFF
        gone = following
      }
      link(from, seq)
      link(seq, to)
    },
    restore(seq, returned) {
      const to = next[seq]!
      let from = before[seq]!
      next[seq] = OFF
      for (const back of returned) {
        link(from, back)
        from = back
      }
      link(from, to)
    },
  }
}
