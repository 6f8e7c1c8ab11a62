/** The sessions in a Claude Code file: the shown one, abandoned branches, sub-agents (T2). */

import type { ClaudeNode } from './claude-rows'
import { type Remark, remark } from './report'
import { planTree, type TreeNode } from './tree'

export type ClaudePlan = {
  main: ClaudeNode[]
  /** Whole paths, the shared beginning too. */
  branches: ClaudeNode[][]
  agents: ClaudeNode[][]
  /** Summary rows by the index of their boundary. */
  summaries: Map<number, ClaudeNode>
}

/** Rows after a boundary among which its summary is looked for; it has always been the next. */
const SUMMARY_WITHIN = 4

/** The summary of the boundary at a place; null where it has none. */
export function summaryAfter(nodes: readonly ClaudeNode[], at: number): ClaudeNode | null {
  const near = nodes.slice(at + 1, at + 1 + SUMMARY_WITHIN)
  const end = near.findIndex(({ kind }) => kind === 'boundary')
  return near.slice(0, end < 0 ? undefined : end).find(({ kind }) => kind === 'summary') ?? null
}

/** Whether enough of a file is read to say what belongs to the row at a place. */
export const isSettled = (nodes: readonly ClaudeNode[], at: number): boolean =>
  nodes[at]?.kind !== 'boundary' || nodes.length > at + SUMMARY_WITHIN

function pairSummaries(nodes: readonly ClaudeNode[]): Map<number, ClaudeNode> {
  const summaries = new Map<number, ClaudeNode>()
  nodes.forEach((node, at) => {
    const found = node.kind === 'boundary' ? summaryAfter(nodes, at) : null
    if (found) summaries.set(node.index, found)
  })
  return summaries
}

/** Parents as positions in `nodes`: earlier ones only, so that there is no cycle; broken links go to the row before. */
function linked(nodes: readonly ClaudeNode[], mended: Remark[]): TreeNode[] {
  const byUuid = new Map<string, number>()
  /** Rows that a boundary preserved, as what follows it sees them: behind the boundary. */
  const behind = new Map<string, number>()
  return nodes.map((node, at) => {
    const { parent = '' } = node
    const isBoundary = node.kind === 'boundary'
    const found = isBoundary ? byUuid.get(parent) : (behind.get(parent) ?? byUuid.get(parent))
    for (const uuid of node.preserved) behind.set(uuid, at)
    const isRoot = at === 0 || (found === undefined && node.parent === undefined)
    if (found === undefined && !isRoot && node.kind !== 'boundary') {
      remark(
        mended,
        node.line,
        'its parent is not in the file before it: it follows the row before',
      )
    }
    if (node.uuid !== undefined) byUuid.set(node.uuid, at)
    const speaks = node.kind === 'says' && !node.beside
    return { parent: found ?? at - 1, speaks, bytes: node.bytes }
  })
}

/** Parallel calls lie beside the path, and so do results that answer a call of the path. */
function widener(nodes: readonly ClaudeNode[]): (path: Set<number>) => void {
  return (path) => {
    const keys = new Set<string>()
    for (const at of path) {
      const { key } = nodes[at] as ClaudeNode
      if (key !== undefined) keys.add(key)
    }
    const open = new Set<string>()
    nodes.forEach((node, at) => {
      if (node.key !== undefined && keys.has(node.key)) path.add(at)
      if (path.has(at)) for (const id of node.calls) open.add(id)
    })
    for (const at of path) for (const id of nodes[at]?.answers ?? []) open.delete(id)
    if (open.size === 0) return
    nodes.forEach((node, at) => {
      if (!node.answers.some((id) => open.has(id))) return
      path.add(at)
      for (const id of node.answers) open.delete(id)
    })
  }
}

/** Rows of sub-agents by agent, or by the root they hang from. */
function agentsOf(nodes: readonly ClaudeNode[]): ClaudeNode[][] {
  const groups = new Map<string, ClaudeNode[]>()
  const groupOf = new Map<string, string>()
  let current = ''
  for (const node of nodes) {
    const inherited = node.parent === undefined ? undefined : groupOf.get(node.parent)
    const isRoot = node.parent === undefined || current === ''
    current = node.agent ?? inherited ?? (isRoot ? `root ${node.index}` : current)
    if (node.uuid !== undefined) groupOf.set(node.uuid, current)
    const group = groups.get(current)
    if (group) group.push(node)
    else groups.set(current, [node])
  }
  return [...groups.values()].filter((group) => group.some(({ kind }) => kind === 'says'))
}

const speaks = ({ kind, beside }: ClaudeNode): boolean =>
  (kind === 'says' && !beside) || kind === 'summary'

/** Whether all that is said in a file is said by a sub-agent or to it. */
export const isAgentFile = (nodes: readonly ClaudeNode[]): boolean =>
  !nodes.some((node) => speaks(node) && !node.sidechain)

/** Plans the rows of a file, given in file order without repeats. Broken links are said in `mended`. */
export function planClaude(nodes: readonly ClaudeNode[], mended: Remark[]): ClaudePlan {
  const summaries = pairSummaries(nodes)
  const paired = new Set([...summaries.values()].map(({ index }) => index))
  const rest = nodes.filter(({ index, kind }) => !paired.has(index) || kind !== 'summary')
  const isAgent = isAgentFile(nodes)
  const own = isAgent ? rest : rest.filter(({ sidechain }) => !sidechain)
  // Summaries stay in the chain, where later rows hang from them.
  const chain = nodes.filter(({ sidechain }) => isAgent || !sidechain)
  const tree = linked(chain, mended)
  const leaf = chain.findLastIndex(speaks)
  const { shown, branches } = planTree(tree, leaf < 0 ? chain.length - 1 : leaf, widener(chain))
  const isOwn = new Set(own.map(({ index }) => index))
  const pick = (path: number[]) =>
    path.map((at) => chain[at] as ClaudeNode).filter(({ index }) => isOwn.has(index))
  const onPath = new Set(shown)
  // Titles, what hangs beside the path, and what follows the last message belong to it too.
  const shownToo = chain.flatMap((node, at) => {
    const isBeside = node.beside && onPath.has(tree[at]?.parent ?? -1)
    const isLater = at > leaf && !speaks(node)
    return onPath.has(at) || isBeside || isLater || node.kind === 'title' ? [at] : []
  })
  return {
    main: pick(shownToo),
    branches: branches.map(pick),
    agents: isAgent ? [] : agentsOf(rest.filter(({ sidechain }) => sidechain)),
    summaries,
  }
}
