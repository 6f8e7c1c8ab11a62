/** One moment of the strata in flat arrays: built in linear time, searched in logarithmic. */

import type { Seq } from '../event'
import type { History } from '../history'
import { nodesOf } from '../surface'
import type { Measure, StrataIndex } from './strata'

/** A replacement that was lifted off again, drawn as a bracket over what came back. */
export type Ghost = {
  seq: Seq
  restoredAt: Seq
  left: number
  right: number
  depth: number
  lane: number
}

/**
 * The picture at one moment: rows from the surface (depth 0) down, each from left to right, all in
 * flat arrays; a row is a stretch of them, and so are the children of a node. Units of `left` and
 * `right` are those of the measure.
 */
export type StrataLayout = {
  at: Seq
  measure: Measure
  /** Nodes drawn; with the ghosts, every node ever on the surface by then, each once. */
  count: number
  rows: number
  /** Row `d` is `rowStart[d] ≤ i < rowStart[d + 1]`. */
  rowStart: Int32Array
  seq: Int32Array
  /** Index of the node above, or -1 on the surface. */
  parent: Int32Array
  /** Children of `i` are `childStart[i] ≤ j < childStart[i + 1]`. */
  childStart: Int32Array
  left: Float64Array
  right: Float64Array
  kind: Uint8Array
  /** Right edge of the whole. */
  total: number
  /** Tokens of the top row, and of all that lies beneath it. */
  tokens: { top: number; beneath: number }
  ghosts: Ghost[]
  /** By seq: index in the arrays, or -1. */
  indexBySeq: Int32Array
}

/** Linear in the nodes at `at`; no recursion. `index` must have seen `at`. */
export function layoutStrata(
  index: StrataIndex,
  history: History,
  at: Seq,
  measure: Measure = 'tokens',
): StrataLayout {
  const top = at < 0 ? [] : nodesOf(history.surfaceAt(at))
  const seq = new Int32Array(index.nodes)
  const parent = new Int32Array(index.nodes).fill(-1)
  const childStart = new Int32Array(index.nodes + 1)
  const starts = [0]
  seq.set(top)
  let from = 0
  let next = top.length
  while (from < next) {
    const to = next
    starts.push(to)
    for (let i = from; i < to; i += 1) {
      childStart[i] = next
      if (!index.replaces[seq[i]!]) continue
      for (const below of history.shadowsOf(seq[i]!)) {
        seq[next] = below
        parent[next] = i
        next += 1
      }
    }
    from = to
  }
  childStart.fill(next, next)
  const layout: StrataLayout = {
    at,
    measure,
    count: next,
    rows: starts.length - 1,
    rowStart: Int32Array.from(starts),
    seq: seq.subarray(0, next),
    parent: parent.subarray(0, next),
    childStart: childStart.subarray(0, next + 1),
    left: new Float64Array(next),
    right: new Float64Array(next),
    kind: new Uint8Array(next),
    total: top.length === 0 ? 0 : index.right[measure][top.at(-1)!]!,
    tokens: { top: 0, beneath: 0 },
    ghosts: [],
    indexBySeq: new Int32Array(at + 1).fill(-1),
  }
  place(layout, index)
  layout.ghosts = ghostsOf(layout, index, history)
  return layout
}

function place(layout: StrataLayout, index: StrataIndex): void {
  const left = index.left[layout.measure]
  const right = index.right[layout.measure]
  const top = layout.rowStart[1] ?? 0
  for (let i = 0; i < layout.count; i += 1) {
    const node = layout.seq[i]!
    if (i < top) layout.tokens.top += index.tokens[node]!
    else layout.tokens.beneath += index.tokens[node]!
    layout.left[i] = left[node]!
    layout.right[i] = right[node]!
    layout.kind[i] = index.kinds[node]!
    layout.indexBySeq[node] = i
  }
}

/** What a restored replacement shadowed is older than it, so in log order inner ghosts come first. */
function ghostsOf(layout: StrataLayout, index: StrataIndex, history: History): Ghost[] {
  const restored = index.restores
    .filter((restore) => restore.seq <= layout.at)
    .sort((a, b) => a.replacementSeq - b.replacementSeq)
  const ghosts = new Map<Seq, Ghost>()
  for (const { seq: restoredAt, replacementSeq: seq } of restored) {
    if (!(index.right[layout.measure][seq]! >= 0) || layout.indexBySeq[seq] !== -1) continue
    let depth = Number.POSITIVE_INFINITY
    for (const back of history.shadowsOf(seq))
      depth = Math.min(depth, ghosts.get(back)?.depth ?? depthOf(layout, layout.indexBySeq[back]!))
    const left = index.left[layout.measure][seq]!
    const right = index.right[layout.measure][seq]!
    const lane = [...ghosts.values()].filter(
      (other) => other.depth === depth && other.left < right && other.right > left,
    ).length
    ghosts.set(seq, { seq, restoredAt, left, right, depth, lane })
  }
  return [...ghosts.values()]
}

/** Row of the node at `i`. */
export function depthOf(layout: StrataLayout, i: number): number {
  let depth = 0
  while (depth + 1 < layout.rows && layout.rowStart[depth + 1]! <= i) depth += 1
  return depth
}

/** First index in row `depth` whose right edge lies beyond `x` (the row's end if none). */
export function firstInRow(layout: StrataLayout, depth: number, x: number): number {
  let low = layout.rowStart[depth]!
  let high = layout.rowStart[depth + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (layout.right[middle]! > x) high = middle
    else low = middle + 1
  }
  return low
}

/** The node at `x` in row `depth`, or -1; logarithmic. */
export function hitStrata(layout: StrataLayout, depth: number, x: number): number {
  if (depth < 0 || depth >= layout.rows) return -1
  const i = firstInRow(layout, depth, x)
  return i < layout.rowStart[depth + 1]! && layout.left[i]! <= x ? i : -1
}

export type Direction = 'parent' | 'child' | 'left' | 'right'

/** The neighbour of `i`, or `i` itself where there is none. Left and right stay in the row. */
export function neighbour(layout: StrataLayout, i: number, direction: Direction): number {
  if (direction === 'parent') return layout.parent[i]! >= 0 ? layout.parent[i]! : i
  if (direction === 'child') {
    const first = layout.childStart[i]!
    return first < layout.childStart[i + 1]! ? first : i
  }
  const depth = depthOf(layout, i)
  const to = i + (direction === 'left' ? -1 : 1)
  return to >= layout.rowStart[depth]! && to < layout.rowStart[depth + 1]! ? to : i
}
