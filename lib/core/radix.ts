/**
 * A persistent ordered map from non-negative integers to items, with the sums of their weights:
 * a 32-way radix tree whose updates copy one path. Everything is O(log32 n) but for the items touched.
 */

import type { EventHead } from './event'

const BITS = 5
const WIDTH = 1 << BITS

/** A node's weight lies beside its head: sums are made anew with every copy of a path. */
export type Item = {
  readonly key: number
  readonly head: EventHead
  readonly tokens: number
  readonly bytes: number
  readonly media: number
  readonly open: number
}

export function itemOf(key: number, head: EventHead): Item {
  const { tokens, bytes, media } = head
  return { key, head, tokens, bytes, media, open: openDelta(head) }
}

export type Sums = {
  readonly count: number
  readonly tokens: number
  readonly bytes: number
  readonly media: number
  /** Calls minus results: over a prefix of a sound surface, the calls it leaves unanswered (P1). */
  readonly open: number
}

type Branch<T> = Sums & {
  /** 0 at the leaves, whose slots hold items. */
  readonly level: number
  readonly slots: readonly (Branch<T> | T | undefined)[]
}

export type Tree<T extends Item> = Branch<T> | null

export const NO_SUMS: Sums = { count: 0, tokens: 0, bytes: 0, media: 0, open: 0 }

function openDelta(head: EventHead): number {
  if (head.type === 'tool/result') return -1
  return head.type === 'assistant/message' ? (head.calls?.length ?? 0) : 0
}

export const sumsOf = <T extends Item>(tree: Tree<T>): Sums => tree ?? NO_SUMS

const isBranch = <T extends Item>(slot: Branch<T> | T): slot is Branch<T> => 'slots' in slot

/** The sums with one more item. */
export const plusItem = (sums: Sums, item: Item): Sums => ({
  count: sums.count + 1,
  tokens: sums.tokens + item.tokens,
  bytes: sums.bytes + item.bytes,
  media: sums.media + item.media,
  open: sums.open + item.open,
})

function branch<T extends Item>(level: number, slots: Branch<T>['slots']): Tree<T> {
  let count = 0
  let tokens = 0
  let bytes = 0
  let media = 0
  let open = 0
  for (let i = 0; i < slots.length; i += 1) {
    const slot = slots[i]
    if (slot === undefined) continue
    count += level === 0 ? 1 : (slot as Branch<T>).count
    tokens += slot.tokens
    bytes += slot.bytes
    media += slot.media
    open += slot.open
  }
  return count === 0 ? null : { level, slots, count, tokens, bytes, media, open }
}

const slotOf = (key: number, level: number): number => (key >>> (BITS * level)) & (WIDTH - 1)
/** Keys from 0 up to, not including, this fit under a branch of that level. */
const spanOf = (level: number): number => WIDTH ** (level + 1)

/** Inserts `items[from, to)`, ascending by key and all within the branch, in place of equal keys. */
function insertInto<T extends Item>(
  node: Branch<T> | undefined,
  level: number,
  items: readonly T[],
  from: number,
  to: number,
): Tree<T> {
  const slots = node ? node.slots.slice() : new Array<undefined>(WIDTH).fill(undefined)
  const updated: (Branch<T> | T | undefined)[] = slots
  for (let start = from; start < to; ) {
    const slot = slotOf(items[start]!.key, level)
    let end = start + 1
    if (level === 0) updated[slot] = items[start]
    else {
      while (end < to && slotOf(items[end]!.key, level) === slot) end++
      const child = updated[slot] as Branch<T> | undefined
      updated[slot] = insertInto(child, level - 1, items, start, end) ?? undefined
    }
    start = end
  }
  return branch(level, updated)
}

/** The tree with these items, ascending by key; an equal key is replaced. */
export function insertAll<T extends Item>(tree: Tree<T>, items: readonly T[]): Tree<T> {
  if (items.length === 0) return tree
  const last = items[items.length - 1]!.key
  let root = tree
  let level = tree?.level ?? 0
  while (last >= spanOf(level)) {
    level++
    if (root) {
      const slots = new Array<Branch<T> | undefined>(WIDTH).fill(undefined)
      slots[0] = root
      root = branch(level, slots)
    }
  }
  return insertInto(root ?? undefined, level, items, 0, items.length)
}

/** The tree without the keys from `low` to `high`, both included. */
export function removeRange<T extends Item>(tree: Tree<T>, low: number, high: number): Tree<T> {
  return tree && removeFrom(tree, 0, low, high)
}

function removeFrom<T extends Item>(
  node: Branch<T>,
  base: number,
  low: number,
  high: number,
): Tree<T> {
  const width = spanOf(node.level) / WIDTH
  const slots = node.slots.map((slot, index) => {
    const first = base + index * width
    const last = first + width - 1
    if (slot === undefined || last < low || first > high) return slot
    if (first >= low && last <= high) return undefined
    return isBranch(slot) ? (removeFrom(slot, first, low, high) ?? undefined) : slot
  })
  return branch(node.level, slots)
}

export function find<T extends Item>(tree: Tree<T>, key: number): T | undefined {
  if (!tree || key < 0 || key >= spanOf(tree.level)) return undefined
  let slot: Branch<T> | T | undefined = tree
  while (slot && isBranch(slot)) slot = slot.slots[slotOf(key, slot.level)]
  return slot
}

/** How many keys are smaller. */
export function rankOf<T extends Item>(tree: Tree<T>, key: number): number {
  if (!tree) return 0
  if (key >= spanOf(tree.level)) return tree.count
  let rank = 0
  let node: Branch<T> = tree
  for (;;) {
    const slot = slotOf(key, node.level)
    for (let i = 0; i < slot; i++) {
      const sibling = node.slots[i]
      if (sibling) rank += isBranch(sibling) ? sibling.count : 1
    }
    const child = node.slots[slot]
    if (!child || !isBranch(child)) return rank
    node = child
  }
}

/** The sum of `open` over the items before a position. */
export function openBefore<T extends Item>(tree: Tree<T>, position: number): number {
  let open = 0
  let left = position
  let node: Branch<T> | null = tree
  while (node && left > 0) {
    let next: Branch<T> | null = null
    for (const slot of node.slots) {
      if (slot === undefined) continue
      const count = isBranch(slot) ? slot.count : 1
      if (count > left) {
        next = isBranch(slot) ? slot : null
        break
      }
      open += slot.open
      left -= count
      if (left === 0) break
    }
    node = next
  }
  return open
}

/** The items at positions `from` to `to`, `to` not included, in order of their keys. */
export function slice<T extends Item>(tree: Tree<T>, from: number, to: number): T[] {
  const found: T[] = []
  if (tree) collect(tree, from, to, found)
  return found
}

function collect<T extends Item>(node: Branch<T>, from: number, to: number, into: T[]): void {
  let position = 0
  for (const slot of node.slots) {
    if (slot === undefined) continue
    if (position >= to) return
    const count = isBranch(slot) ? slot.count : 1
    if (position + count > from) {
      if (isBranch(slot)) collect(slot, from - position, to - position, into)
      else into.push(slot)
    }
    position += count
  }
}
