/**
 * The surface: what the model sees, in order. Folded from the log, never stored. Rules S1–S8.
 *
 * A node's ANCHOR is its own seq when it was appended, and the anchor of the first node it shadows when
 * it replaced. A replacement and its span are never on the surface together, and a restore puts nodes
 * back into the interval that their replacement's anchor opened; so the surface is always sorted by
 * anchor, and its versions are path copies of a tree. The newest few appended nodes wait in a short tail
 * before they enter the tree.
 */

import type { EventHead, Seq } from './event'
import { placementFlaw, replaceFlaw } from './placement'
import {
  find,
  type Item,
  insertAll,
  itemOf,
  NO_SUMS,
  openBefore,
  plusItem,
  rankOf,
  removeRange,
  type Sums,
  slice,
  sumsOf,
  type Tree,
} from './radix'
import { ok, type Refusal, type Result, refuse } from './result'

/** `key` is the anchor. */
export type Node = Item
type Moved = Item & { readonly anchor: number }

/** An immutable value; every change makes a new one. */
export type Surface = {
  readonly tree: Tree<Node>
  /** Replacements on the surface, by their seq: theirs alone differs from the anchor. */
  readonly moved: Tree<Moved>
  /** Appended nodes not yet in the tree; their anchors are their seqs, all later than any in the tree. */
  readonly tail: readonly Node[]
  readonly sums: Sums
}

/** Nodes a tail may hold: what an append copies at most. */
export const TAIL = 64

export const emptySurface: Surface = { tree: null, moved: null, tail: [], sums: NO_SUMS }

export const sizeOf = (surface: Surface): number => surface.sums.count
/** Estimated tokens of all nodes (M1). */
export const tokensOf = (surface: Surface): number => surface.sums.tokens
/** Bytes and media of all nodes (M4). */
export const bytesOf = (surface: Surface): number => surface.sums.bytes
export const mediaOf = (surface: Surface): number => surface.sums.media

const inTree = (surface: Surface): number => sumsOf(surface.tree).count

/** Nodes from position `from` to `to`, `to` not included. O(log n + nodes). */
export function sliceNodes(surface: Surface, from = 0, to = sizeOf(surface)): Node[] {
  const start = Math.max(0, from)
  const before = inTree(surface)
  const nodes = start < before ? slice(surface.tree, start, to) : []
  if (to <= before) return nodes
  return nodes.concat(surface.tail.slice(Math.max(0, start - before), to - before))
}

/** Seqs of the nodes from position `from` to `to`, `to` not included. O(log n + nodes). */
export const nodesOf = (surface: Surface, from?: number, to?: number): Seq[] =>
  sliceNodes(surface, from, to).map((node) => node.head.seq)

/** The head of the node at a position, from 0. O(log n). */
export function headAt(surface: Surface, position: number): EventHead | undefined {
  const before = inTree(surface)
  if (position >= before) return surface.tail[position - before]?.head
  return slice(surface.tree, position, position + 1)[0]?.head
}

/** The node at a position, from 0. O(log n). */
export const nodeAt = (surface: Surface, position: number): Seq | undefined =>
  headAt(surface, position)?.seq

/** Where a node stands, or -1 when it is not on the surface. O(log n). */
export function positionOf(surface: Surface, seq: Seq): number {
  const { tree, tail } = surface
  if (tail[0] && seq >= tail[0].key) {
    // What is asked for is nearly always the newest.
    let index = tail.length - 1
    while (index >= 0 && tail[index]!.key > seq) index--
    return tail[index]?.key === seq ? inTree(surface) + index : -1
  }
  if (find(tree, seq)?.head.seq === seq) return rankOf(tree, seq)
  const moved = find(surface.moved, seq)
  return moved ? rankOf(tree, moved.anchor) : -1
}

/**
 * Calls before a position that are not answered before it; the cut there is balanced when there are
 * none (P1). Counted, so exact on a sound surface only. O(log n).
 */
export function openCallsAt(surface: Surface, position: number): number {
  const before = inTree(surface)
  if (position < before) return openBefore(surface.tree, position)
  const inTail = Math.min(surface.tail.length, position - before)
  let { open } = sumsOf(surface.tree)
  for (let at = 0; at < inTail; at++) open += surface.tail[at]!.open
  return open
}

/** What an event does to a surface, decided and not yet done. */
export type Change =
  | { kind: 'append'; head: EventHead }
  | { kind: 'replace'; head: EventHead; shadowed: readonly EventHead[] }
  | { kind: 'restore'; replacement: EventHead; returned: readonly EventHead[] }

/** What a replacement shadowed when it came, in surface order; undefined for any other node. */
export type ShadowsOf = (seq: Seq) => readonly EventHead[] | undefined

/** What an event is asked against: a surface, or the newest moment of a history that keeps none. */
export interface Ground {
  /** A number that grows along the surface; -1 for a node that is not on it. */
  orderOf(seq: Seq): number
  /** The head of a node on the surface. */
  headOf(seq: Seq): EventHead
  /** Nodes of the surface from one to another that does not stand before it. */
  run(start: Seq, end: Seq): readonly EventHead[]
  /** All of it. Most events need not know, and it is not made for nothing. */
  surface(): Surface
}

/** A surface as what events are asked against. */
export const groundOf = (surfaceNow: () => Surface): Ground => ({
  orderOf: (seq) => positionOf(surfaceNow(), seq),
  headOf: (seq) => headAt(surfaceNow(), positionOf(surfaceNow(), seq))!,
  run(start, end) {
    const surface = surfaceNow()
    const nodes = sliceNodes(surface, positionOf(surface, start), positionOf(surface, end) + 1)
    return nodes.map((node) => node.head)
  },
  surface: surfaceNow,
})

const NO_CHANGE = ok(null)

/**
 * Decides what a head does (S1–S5, S7); null where it leaves the surface alone. Mutates nothing, and
 * looks at the ground for a replacement or a restore only.
 */
export function planChange(
  ground: Ground,
  head: EventHead,
  shadowsOf: ShadowsOf,
): Result<Change | null, Refusal> {
  const { op, seq } = head
  if (op === undefined) return NO_CHANGE
  if (op === 'append') return ok({ kind: 'append', head })
  if (op.op === 'restore') {
    const returned = shadowsOf(op.seq)
    if (ground.orderOf(op.seq) < 0) return refuse('S7', `node ${op.seq} is not on the surface`, seq)
    if (!returned) return refuse('S7', `node ${op.seq} replaced nothing`, seq)
    return ok({ kind: 'restore', replacement: ground.headOf(op.seq), returned })
  }
  const start = ground.orderOf(op.start)
  const end = ground.orderOf(op.end)
  if (start < 0) return refuse('S3', `node ${op.start} is not on the surface`, seq)
  if (end < 0) return refuse('S3', `node ${op.end} is not on the surface`, seq)
  if (start > end) return refuse('S3', `node ${op.start} stands after node ${op.end}`, seq)
  const shadowed = ground.run(op.start, op.end)
  const flaw = replaceFlaw(head, shadowed)
  return flaw ? { ok: false, error: flaw } : ok({ kind: 'replace', head, shadowed })
}

/** A node's anchor: its own seq, or the anchor of the first node it shadowed when it came. */
export function anchorOf(seq: Seq, shadowsOf: ShadowsOf): Seq {
  let anchor = seq
  for (let under = shadowsOf(anchor); under; under = shadowsOf(anchor)) anchor = under[0]!.seq
  return anchor
}

/** The node of an appended head. */
export const appended = (head: EventHead): Node => itemOf(head.seq, head)

/** Moves the tail into the tree. */
export function flush(surface: Surface): Surface {
  if (surface.tail.length === 0) return surface
  return { ...surface, tree: insertAll(surface.tree, surface.tail), tail: [] }
}

/** Adds appended nodes, at most `TAIL` more than the surface's tail holds (S2). */
export function withTail(surface: Surface, added: readonly Node[]): Surface {
  if (added.length === 0) return surface
  const { tree, moved, tail } = surface
  let { sums } = surface
  for (const node of added) sums = plusItem(sums, node)
  return { tree, moved, tail: tail.concat(added), sums }
}

const asMoved = (node: Node): Moved => ({ ...node, key: node.head.seq, anchor: node.key })
/** The replacements among nodes, by ascending seq. */
const movedOf = (nodes: readonly Node[]): Moved[] =>
  nodes
    .filter((node) => node.key !== node.head.seq)
    .map(asMoved)
    .sort((a, b) => a.key - b.key)

/** Exchanges a run of nodes for other nodes within the run's interval of anchors. */
function exchange(
  surface: Surface,
  gone: readonly EventHead[],
  come: readonly Node[],
  shadowsOf: ShadowsOf,
): Surface {
  const { tree, moved } = flush(surface)
  const anchors = [gone[0]!, gone[gone.length - 1]!].map(({ seq }) => anchorOf(seq, shadowsOf))
  const kept = gone
    .filter(({ seq }) => shadowsOf(seq) !== undefined)
    .reduce((map, { seq }) => removeRange(map, seq, seq), moved)
  const changed = insertAll(removeRange(tree, anchors[0]!, anchors[1]!), come)
  return {
    tree: changed,
    moved: insertAll(kept, movedOf(come)),
    tail: [],
    sums: sumsOf(changed),
  }
}

/** The surface after a planned change. Cannot fail. */
export function applyChange(surface: Surface, change: Change, shadowsOf: ShadowsOf): Surface {
  const itemAt = (seq: Seq, head: EventHead) => itemOf(anchorOf(seq, shadowsOf), head)
  switch (change.kind) {
    case 'append':
      return withTail(surface.tail.length < TAIL ? surface : flush(surface), [
        appended(change.head),
      ])
    case 'replace': {
      const { head, shadowed } = change
      return exchange(surface, shadowed, [itemAt(shadowed[0]!.seq, head)], shadowsOf)
    }
    case 'restore': {
      const { replacement, returned } = change
      const come = returned.map((head) => itemAt(head.seq, head))
      return exchange(surface, [replacement], come, shadowsOf)
    }
  }
}

/** The surface on which these nodes stand, by ascending anchor. O(n). */
export function surfaceFrom(nodes: readonly Node[]): Surface {
  const tree = insertAll<Node>(null, nodes)
  const moved = insertAll<Moved>(null, movedOf(nodes))
  return { tree, moved, tail: [], sums: sumsOf(tree) }
}

export type Replacement = { seq: Seq; start: Seq; end: Seq; shadowedSeqs: Seq[] }
export type Fold = {
  nodes: Seq[]
  replacements: Replacement[]
  restores: { seq: Seq; replacementSeq: Seq }[]
}

/**
 * The surface of a whole log, with plain arrays and from zero: the truth that `Surface` and `History`
 * are tested against (L7). Enforces L1, L2, S1–S5 and S7; pairing (S6) is left to `check`.
 */
export function foldSurface(heads: readonly EventHead[]): Result<Fold, Refusal> {
  const fold: Fold = { nodes: [], replacements: [], restores: [] }
  for (const [index, head] of heads.entries()) {
    const flaw = placementFlaw(head, index) ?? foldStep(fold, head, heads)
    if (flaw) return { ok: false, error: flaw }
  }
  return ok(fold)
}

function foldStep(fold: Fold, head: EventHead, heads: readonly EventHead[]): Refusal | null {
  const { nodes, replacements } = fold
  const { op, seq } = head
  if (op === undefined) return null
  if (op === 'append') {
    nodes.push(seq)
    return null
  }
  if (op.op === 'restore') {
    const at = nodes.indexOf(op.seq)
    const replacement = replacements.find((candidate) => candidate.seq === op.seq)
    if (at < 0) return refuse('S7', `node ${op.seq} is not on the surface`, seq).error
    if (!replacement) return refuse('S7', `node ${op.seq} replaced nothing`, seq).error
    nodes.splice(at, 1, ...replacement.shadowedSeqs)
    fold.restores.push({ seq, replacementSeq: op.seq })
    return null
  }
  const start = nodes.indexOf(op.start)
  const end = nodes.indexOf(op.end)
  if (start < 0 || end < 0 || start > end) {
    return refuse('S3', `no span runs from node ${op.start} to node ${op.end}`, seq).error
  }
  const shadowedSeqs = nodes.slice(start, end + 1)
  const flaw = replaceFlaw(
    head,
    shadowedSeqs.map((shadowed) => heads[shadowed]!),
  )
  if (flaw) return flaw
  nodes.splice(start, shadowedSeqs.length, seq)
  replacements.push({ seq, start: op.start, end: op.end, shadowedSeqs })
  return null
}
