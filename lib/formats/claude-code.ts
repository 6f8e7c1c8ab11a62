/**
 * Claude Code: JSONL whose rows form a tree by uuid and parentUuid. The shown conversation ends at the last
 * message; rows of one API message share its id; full and micro compactions are marked by system rows.
 */

import type { JsonObject } from '../core/message'
import type { Soon } from './blocks'
import type { Builder } from './builder'
import { type ClaudePlan, isAgentFile, isSettled, planClaude, summaryAfter } from './claude-plan'
import { type ClaudeNode, claudeNode, inertReason, isSilent } from './claude-rows'
import { FORMAT, takeBoundary, takeRow } from './claude-take'
import type { ForeignFile, Part, Place, Row } from './foreign'
import { isRow, rowOf, textOf, timeOf } from './json'
import type { Remark } from './report'
import { createShelf, readRowRuns, type Shelf } from './rows'
import { createSessions, type Opened, type Sessions } from './session'
import { NotStraight, readStraight } from './straight'

/** What a tool answered, for the program's own screen: the message holds what the model was told. */
const UNREAD = 'toolUseResult'

type Facts = { id?: string; agent?: string; version?: string; createdAt?: number }

/** What is known of a file by its rows: what each is, and where. */
type Catalogue = {
  readonly nodes: ClaudeNode[]
  readonly facts: Facts
  /** Index of the row of every uuid; the last one, where it comes again. */
  readonly uuids: Map<string, number>
  /** Another row had the uuid of one before. */
  repeats: boolean
  /** Rows that can become no event are done with here; they have no node where nothing can hang from them. */
  take(row: Row): ClaudeNode | null
}

function createCatalogue(keep: (at: Place, reason: string) => void): Catalogue {
  /** Bytes of every row. */
  const sizes: number[] = []
  let before: string | undefined
  const catalogue: Catalogue = {
    nodes: [],
    facts: {},
    uuids: new Map(),
    repeats: false,
    take(row) {
      const { nodes, facts, uuids } = catalogue
      sizes[row.index] = row.bytes
      if (!isRow(row.value)) {
        keep(row, 'it is no row of this format')
        return null
      }
      const node = claudeNode(row, row.value)
      const { uuid } = node
      const known = uuid === undefined ? undefined : uuids.get(uuid)
      if (known !== undefined && sizes[known] === row.bytes) {
        keep(row, 'it repeats a row that was read before')
        return null
      }
      if (known !== undefined) catalogue.repeats = true
      // Nearly every row hangs from the one before it: one text for both.
      if (node.parent === before) node.parent = before
      before = uuid
      if (node.kind === 'links') keep(row, inertReason(row.value))
      learn(facts, row.value)
      if (node.kind === 'links' && uuid === undefined) return null
      if (uuid !== undefined) uuids.set(uuid, row.index)
      nodes.push(node)
      return node
    },
  }
  return catalogue
}

function learn(facts: Facts, row: JsonObject): void {
  facts.id ??= textOf(row.sessionId)
  facts.agent ??= textOf(row.agentId)
  facts.version ??= textOf(row.version)
  facts.createdAt ??= timeOf(row.timestamp)
}

type Writing = {
  file: ForeignFile
  catalogue: Catalogue
  plan: ClaudePlan
  shelf: Shelf
}

async function* writeNodes(
  { file, catalogue, plan, shelf }: Writing,
  builder: Builder,
  nodes: readonly ClaudeNode[],
): AsyncGenerator<Part> {
  const voice = { keepBlob: file.keepBlob, builder }
  for (const node of nodes) {
    const found = shelf.get(node)
    const row = rowOf(found instanceof Promise ? await found : found)
    if (node.kind === 'boundary') {
      const next = plan.summaries.get(node.index)
      const summary = next ? { node: next, row: rowOf(await shelf.get(next)) } : null
      takeBoundary(builder, node, row, summary, catalogue.uuids)
    } else {
      const took = takeRow(voice, node, row)
      if (took instanceof Promise) await took
    }
    if (builder.isFull()) yield* builder.drain()
  }
  yield* builder.finish()
}

/** The last event of the main session that only holds rows both have. */
function sharedSeq(main: Builder, branch: readonly ClaudeNode[]): number {
  const shared = new Set(branch.map(({ index }) => index))
  const end = main.rows.findIndex(({ first, last }) => !shared.has(first) || !shared.has(last))
  return (end < 0 ? main.rows.length : end) - 1
}

/** The event of the main session a sub-agent began after. */
const seqBefore = (main: Builder, index: number): number =>
  Math.max(
    0,
    main.rows.findLastIndex(({ first }) => first < index),
  )

/** A file of a sub-agent names the session it worked for; old ones named themselves. */
function mainIdentity({ id, agent }: Facts, isAgentFile: boolean) {
  if (!isAgentFile || id === undefined || agent === undefined || id.includes(agent)) return { id }
  return { id: `${id}-agent-${agent}`, parent: { id, seq: 0 } }
}

/** How the main session begins, by what is known of the file. */
function beginningOf({ facts }: Catalogue, isAgent: boolean) {
  const { createdAt, version } = facts
  return { format: FORMAT, createdAt, toolVersion: version, ...mainIdentity(facts, isAgent) }
}

const isOfAgent = ({ main }: ClaudePlan): boolean => main.some(({ sidechain }) => sidechain)

/** The sessions beside the main one, which is written; then what belongs to none. */
async function* writeOthers(
  writing: Writing,
  sessions: Sessions,
  main: Opened,
): AsyncGenerator<Part> {
  const { plan, catalogue } = writing
  const { createdAt, version } = catalogue.facts
  const common = { format: FORMAT, createdAt, toolVersion: version }
  const mainId = main.header.id
  const isMain = new Set(plan.branches.length > 0 ? plan.main.map(({ index }) => index) : [])
  for (const branch of plan.branches) {
    const own = branch.find(({ index }) => !isMain.has(index))
    if (!own) continue
    const seq = sharedSeq(main.builder, branch)
    const id = `${mainId}-${own.uuid ?? `row-${own.index}`}`
    const made = sessions.begin({
      ...common,
      id,
      ...(seq < 0 ? {} : { parent: { id: mainId, seq } }),
    })
    yield made.opened
    yield* writeNodes(writing, made.builder, branch)
  }
  for (const agent of plan.agents) {
    const [root] = agent as [ClaudeNode]
    const id = `${mainId}-agent-${root.agent ?? root.uuid ?? root.index}`
    const parent = { id: mainId, seq: seqBefore(main.builder, root.index) }
    const made = sessions.begin({
      ...common,
      id,
      ...(main.builder.log.heads.length > 0 ? { parent } : {}),
    })
    yield made.opened
    yield* writeNodes(writing, made.builder, agent)
  }
  for (const node of catalogue.nodes)
    sessions.keep(node, 'it belongs to none of the conversations that were read')
}

/** Any file: once for its outlines, once for what is said. */
async function* readPlanned(file: ForeignFile): AsyncGenerator<Part> {
  const sessions = createSessions(file)
  const catalogue = createCatalogue(sessions.keep)
  const shelf = createShelf(file)
  for await (const run of readRowRuns(file, { outline: true, without: UNREAD })) {
    for (const row of run) catalogue.take(row)
  }
  const plan = planClaude(catalogue.nodes, file.report.mended)
  const writing = { file, catalogue, plan, shelf }
  const main = sessions.begin(beginningOf(catalogue, isOfAgent(plan)))
  yield main.opened
  yield* writeNodes(writing, main.builder, plan.main)
  yield* writeOthers(writing, sessions, main)
}

/** A row that is read and not yet taken; `at` is its place among the nodes. */
type Waiting = { node: ClaudeNode; row: JsonObject; at: number }

/** What was taken so far of a file whose rows stand as they are shown. */
function createTaking(file: ForeignFile, { nodes, uuids }: Catalogue, isAgent: boolean) {
  const taken: ClaudeNode[] = []
  /** Rows that only link lend their time to one that has none: right if they are part of what is shown. */
  const lenders: ClaudeNode[] = []
  let lent: { node: ClaudeNode; time: number } | null = null
  let summary: ClaudeNode | null = null

  return {
    take(builder: Builder, { node, row, at }: Waiting, rest: readonly Waiting[]): Soon<void> {
      if (node === summary || (node.sidechain && !isAgent)) return
      const time = timeOf(row.timestamp)
      if (node.kind === 'links') {
        if (!isSilent(row)) throw new NotStraight()
        if (time !== undefined) lent = { node, time }
        return
      }
      if (lent && time === undefined) {
        builder.setTime(lent.time)
        lenders.push(lent.node)
      }
      lent = null
      taken.push(node)
      if (node.kind !== 'boundary') return takeRow({ keepBlob: file.keepBlob, builder }, node, row)
      summary = summaryAfter(nodes, at)
      takeBoundary(builder, node, row, rest.find((one) => one.node === summary) ?? null, uuids)
    },
    /** Whether the plan of the whole file shows just this. */
    isPlanned({ main, branches }: ClaudePlan): boolean {
      const shown = main.filter(({ kind }) => kind !== 'links')
      if (branches.length > 0 || shown.length !== taken.length) return false
      return (
        shown.every((node, at) => node === taken[at]) &&
        lenders.every((node) => main.includes(node))
      )
    },
  }
}

/** A main session that is being taken, and how it began by what was known then. */
type Begun = {
  beginning: ReturnType<typeof beginningOf>
  main: Opened
  taking: ReturnType<typeof createTaking>
}

/** A file whose rows stand as they are shown, in one pass: what it comes to is held against the plan at its end. */
async function* readRows(file: ForeignFile): AsyncGenerator<Part> {
  const { report } = file
  const { repaired } = report
  const sessions = createSessions(file)
  const kept: Remark[] = []
  const catalogue = createCatalogue((at, reason) => sessions.keep(at, reason, kept))
  const { nodes } = catalogue
  const waiting: Waiting[] = []
  let begun: Begun | null = null
  const begin = (): Begun => {
    const isAgent = isAgentFile(nodes)
    const beginning = beginningOf(catalogue, isAgent)
    const taking = createTaking(file, catalogue, isAgent)
    return { beginning, main: sessions.begin(beginning), taking }
  }
  for await (const run of readRowRuns(file)) {
    for (const row of run) {
      const node = catalogue.take(row)
      if (node) waiting.push({ node, row: rowOf(row.value), at: nodes.length - 1 })
      if (!begun) continue
      const { main, taking } = begun
      for (let next = waiting[0]; next && isSettled(nodes, next.at); next = waiting[0]) {
        waiting.shift()
        const took = taking.take(main.builder, next, waiting)
        if (took instanceof Promise) await took
      }
      if (main.builder.isFull()) yield* main.builder.drain()
    }
    // What a shelf would not ask for is not repaired, and which of two rows an id means is known at the end.
    if (report.repaired > repaired || catalogue.repeats) throw new NotStraight()
    if (begun) continue
    begun = begin()
    yield begun.main.opened
  }
  if (!begun) {
    begun = begin()
    yield begun.main.opened
  }
  const { beginning, main, taking } = begun
  for (let next = waiting.shift(); next; next = waiting.shift())
    await taking.take(main.builder, next, waiting)
  const mended: Remark[] = []
  const plan = planClaude(nodes, mended)
  const began =
    JSON.stringify(beginning) === JSON.stringify(beginningOf(catalogue, isOfAgent(plan)))
  if (!began || !taking.isPlanned(plan)) throw new NotStraight()
  report.kept = [...kept, ...report.kept]
  report.mended = [...mended, ...report.mended]
  yield* main.builder.finish()
  yield* writeOthers({ file, catalogue, plan, shelf: createShelf(file) }, sessions, main)
}

export const readClaudeCode = (file: ForeignFile): AsyncGenerator<Part> =>
  readStraight(file, readRows, readPlanned)
