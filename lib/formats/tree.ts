/** Conversations kept as trees: which rows are the shown one, and which were left behind (T2). */

export type TreeNode = {
  /** Of the record. */
  bytes: number
  /** Index of its parent, always smaller than its own; -1 for a root. */
  parent: number
  /** A message of either side; the rest of a tree only links. */
  speaks: boolean
}

export type TreePlan = {
  /** Indexes of the shown conversation, ascending. */
  shown: number[]
  /** For each other end of the tree: its whole path from the root, ascending, newest end first. */
  branches: number[][]
}

/** Ends beyond these stay where they are: a tree with more is noise, not choices. */
const MAX_BRANCHES = 200

function pathTo(nodes: readonly TreeNode[], leaf: number): Set<number> {
  const path = new Set<number>()
  for (let at = leaf; at >= 0 && !path.has(at); at = nodes[at]?.parent ?? -1) path.add(at)
  return path
}

const ascending = (path: Iterable<number>): number[] => [...path].sort((a, b) => a - b)

/**
 * What the copies of shared beginnings may add up to, in bytes: as many as the tree three times over. A
 * large file with many ends would otherwise come to many times its size.
 */
const COPIES = 3
const ALWAYS = 64 << 20

/**
 * Plans a tree whose shown conversation ends at `leaf`. `widen` adds to a path what belongs to it though
 * it lies beside it (parallel calls and their results). Each branch becomes a session with the beginning
 * it shares; those for which there is no room are left out, and their rows with them.
 */
export function planTree(
  nodes: readonly TreeNode[],
  leaf: number,
  widen: (path: Set<number>) => void = () => {},
): TreePlan {
  const shown = pathTo(nodes, leaf)
  widen(shown)
  const taken = new Set(shown)
  const branches: number[][] = []
  const bytesOf = (path: Iterable<number>) => {
    let sum = 0
    for (const at of path) sum += nodes[at]?.bytes ?? 0
    return sum
  }
  let room = Math.max(ALWAYS, COPIES * bytesOf(nodes.keys()))
  for (let end = nodes.length - 1; end >= 0 && branches.length < MAX_BRANCHES; end -= 1) {
    if (taken.has(end) || !nodes[end]?.speaks) continue
    const path = pathTo(nodes, end)
    widen(path)
    for (const at of path) taken.add(at)
    const cost = bytesOf(path)
    if (cost > room) continue
    room -= cost
    branches.push(ascending(path))
  }
  return { shown: ascending(shown), branches }
}
