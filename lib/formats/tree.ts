/** Conversations kept as trees: which rows are the shown one, and which were left behind (T2). */

export type TreeNode = {
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
 * Plans a tree whose shown conversation ends at `leaf`. `widen` adds to a path what belongs to it though
 * it lies beside it (parallel calls and their results).
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
  for (let end = nodes.length - 1; end >= 0 && branches.length < MAX_BRANCHES; end -= 1) {
    if (taken.has(end) || !nodes[end]?.speaks) continue
    const path = pathTo(nodes, end)
    widen(path)
    for (const at of path) taken.add(at)
    branches.push(ascending(path))
  }
  return { shown: ascending(shown), branches }
}
