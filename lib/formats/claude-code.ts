/**
 * Claude Code: JSONL whose rows form a tree by uuid and parentUuid. The shown conversation ends at the last
 * message; rows of one API message share its id; full and micro compactions are marked by system rows.
 */

import type { JsonObject } from '../core/message'
import { anthropicPieces, resultContent } from './blocks'
import type { Builder } from './builder'
import { type ClaudePlan, planClaude } from './claude-plan'
import { type ClaudeNode, claudeNode, inertReason, metadataOf } from './claude-rows'
import { compact, pruneResults } from './compactions'
import type { ForeignFile, KeepBlob, Part, Row } from './foreign'
import {
  ANTHROPIC_USAGE,
  isRow,
  listOf,
  numberOf,
  rowOf,
  textOf,
  timeOf,
  usageOf,
  wordsOf,
} from './json'
import { createShelf, readRowRuns, type Shelf } from './rows'
import { createSessions, type Sessions } from './session'

const FORMAT = 'claude-code'
/** What a tool answered, for the program's own screen: the message holds what the model was told. */
const UNREAD = 'toolUseResult'

type Facts = { id?: string; agent?: string; version?: string; createdAt?: number }
type Read = { nodes: ClaudeNode[]; facts: Facts; shelf: Shelf }

/** One pass over the file: what each row is, and where. Rows that can become no event are done with here. */
async function readNodes(file: ForeignFile, sessions: Sessions): Promise<Read> {
  const shelf = createShelf(file)
  const nodes: ClaudeNode[] = []
  const facts: Facts = {}
  const seen = new Map<string, number>()
  const take = (row: Row) => {
    if (!isRow(row.value)) return sessions.keep(row, 'it is no row of this format')
    const node = claudeNode(row, row.value)
    const bytes = node.uuid === undefined ? undefined : seen.get(node.uuid)
    if (bytes === row.bytes) return sessions.keep(row, 'it repeats a row that was read before')
    if (node.uuid !== undefined) seen.set(node.uuid, row.bytes)
    if (node.kind === 'links') sessions.keep(row, inertReason(row.value))
    if (node.kind !== 'links' || node.uuid !== undefined) nodes.push(node)
    learn(facts, row.value)
  }
  for await (const run of readRowRuns(file, { outline: true, without: UNREAD })) {
    for (const row of run) take(row)
  }
  return { nodes, facts, shelf }
}

function learn(facts: Facts, row: JsonObject): void {
  facts.id ??= textOf(row.sessionId)
  facts.agent ??= textOf(row.agentId)
  facts.version ??= textOf(row.version)
  facts.createdAt ??= timeOf(row.timestamp)
}

const both = (row: JsonObject, camel: string, snake: string) => row[camel] ?? row[snake]

const triggerOf = (metadata: JsonObject) => (metadata.trigger === 'manual' ? 'manual' : 'pressure')

/** The first node on the surface that a preserved row became. */
function firstPreserved(builder: Builder, rows: ReadonlySet<number>): number | undefined {
  if (rows.size === 0) return undefined
  const seq = builder.rows.findIndex(
    ({ first, last }, at) =>
      (rows.has(first) || rows.has(last)) && builder.log.heads[at]?.op === 'append',
  )
  return seq < 0 ? undefined : seq
}

function takeBoundary(
  builder: Builder,
  node: ClaudeNode,
  row: JsonObject,
  summary: { node: ClaudeNode; row: JsonObject } | null,
  uuids: ReadonlyMap<string, number>,
): void {
  const metadata = metadataOf(row)
  const preserved = new Set(node.preserved.flatMap((id) => uuids.get(id) ?? []))
  const said = summary ? wordsOf(rowOf(summary.row.message).content) : ''
  const trigger = triggerOf(metadata)
  compact(builder, node, () => ({
    id: node.uuid ?? `compaction-${node.index}`,
    trigger,
    summary: said,
    ...(said === '' ? { opaque: true } : {}),
    certainty: 'derived',
    measured: numberOf(both(metadata, 'preTokens', 'pre_tokens')),
    instructions: textOf(both(metadata, 'userContext', 'user_context')),
    until: summary?.node,
    keepFrom: firstPreserved(builder, preserved),
  }))
  if (summary) builder.took(summary.node)
}

type Voice = { keepBlob: KeepBlob; builder: Builder }

async function takeMessage({ keepBlob, builder }: Voice, node: ClaudeNode, row: JsonObject) {
  const message: JsonObject = isRow(row.message) ? row.message : { content: row.message ?? null }
  const pieces = await anthropicPieces(keepBlob, message.content, node.byModel)
  if (pieces.length === 0) builder.keep(node, 'its message holds nothing')
  for (const piece of pieces) {
    if (piece.kind === 'result') builder.result(node, piece)
    else if (!node.byModel || message.model === '<synthetic>') {
      const isNotice = row.isMeta === true || node.byModel || row.isCompactSummary === true
      builder.user(node, piece.blocks, { kind: isNotice ? 'notice' : 'human' })
    } else {
      builder.assistant(node, {
        content: piece.blocks.filter(({ type }) => type !== 'fallback'),
        key: node.key,
        isId: true,
        id: node.key ?? node.uuid,
        provider: FORMAT,
        model: textOf(message.model),
        stopReason: textOf(message.stop_reason),
        usage: usageOf(message.usage, ANTHROPIC_USAGE),
        interrupted: row.isAbortedMidStream === true,
      })
    }
  }
}

/** Calls and results as rows of their own, which the first versions wrote. */
async function takeOldRow({ keepBlob, builder }: Voice, node: ClaudeNode, row: JsonObject) {
  const name = textOf(row.name) ?? 'unknown'
  if (row.type === 'tool_use') {
    const [piece] = await anthropicPieces(keepBlob, [row], true)
    if (piece?.kind === 'said') {
      const content = piece.blocks
      builder.assistant(node, { content, provider: FORMAT, id: node.uuid })
    }
    return
  }
  const callId = textOf(row.tool_use_id)
  const content = await resultContent(keepBlob, row.output ?? row.content)
  builder.result(node, { callId, name, content, isError: row.is_error === true })
}

async function takeRow(voice: Voice, node: ClaudeNode, row: JsonObject): Promise<void> {
  const { builder, keepBlob } = voice
  builder.setTime(timeOf(row.timestamp))
  if (node.kind === 'title') {
    const title = textOf(row.customTitle) ?? textOf(row.aiTitle)
    if (title) builder.title(node, title, row.type === 'custom-title' ? 'human' : 'automatic')
    else builder.keep(node, inertReason(row))
  } else if (node.kind === 'micro') {
    const metadata = rowOf(row.microcompactMetadata ?? row.microcompact_metadata)
    const ids = listOf(both(metadata, 'compactedToolIds', 'compacted_tool_ids'))
    const cause = metadata.trigger === 'manual' ? 'manual' : 'micro'
    pruneResults(
      builder,
      node,
      ids.flatMap((id) => textOf(id) ?? []),
      cause,
    )
  } else if (row.type === 'tool_use' || row.type === 'tool_result') {
    await takeOldRow(voice, node, row)
  } else if (row.type === 'attachment') {
    const { prompt } = rowOf(row.attachment)
    const pieces = await anthropicPieces(keepBlob, prompt, false)
    const blocks = pieces.flatMap((piece) => (piece.kind === 'said' ? piece.blocks : []))
    builder.user(node, blocks)
  } else await takeMessage(voice, node, row)
}

type Writing = {
  file: ForeignFile
  read: Read
  plan: ClaudePlan
  uuids: ReadonlyMap<string, number>
}

async function* writeNodes(
  { file, read, plan, uuids }: Writing,
  builder: Builder,
  nodes: readonly ClaudeNode[],
): AsyncGenerator<Part> {
  const voice = { keepBlob: file.keepBlob, builder }
  for (const node of nodes) {
    const found = read.shelf.get(node)
    const row = rowOf(found instanceof Promise ? await found : found)
    if (node.kind === 'boundary') {
      const next = plan.summaries.get(node.index)
      const summary = next ? { node: next, row: rowOf(await read.shelf.get(next)) } : null
      builder.setTime(timeOf(row.timestamp))
      takeBoundary(builder, node, row, summary, uuids)
    } else await takeRow(voice, node, row)
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

export async function* readClaudeCode(file: ForeignFile): AsyncGenerator<Part> {
  const sessions = createSessions(file)
  const read = await readNodes(file, sessions)
  const { facts, nodes } = read
  const plan = planClaude(nodes, file.report.mended)
  const uuids = new Map(nodes.flatMap(({ uuid, index }) => (uuid ? [[uuid, index] as const] : [])))
  const writing = { file, read, plan, uuids }
  const isAgentFile = plan.main.some(({ sidechain }) => sidechain)
  const common = { format: FORMAT, createdAt: facts.createdAt, toolVersion: facts.version }
  const main = sessions.begin({ ...common, ...mainIdentity(facts, isAgentFile) })
  yield main.opened
  yield* writeNodes(writing, main.builder, plan.main)
  const mainId = main.header.id
  const isMain = new Set(plan.main.map(({ index }) => index))
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
  for (const node of nodes)
    sessions.keep(node, 'it belongs to none of the conversations that were read')
}
