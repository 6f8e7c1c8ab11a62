/**
 * pi and OpenClaw, versions 1 to 3: JSONL whose entries form a tree by id and parentId (version 1: a line).
 * The leaf is the last entry. A compaction names the first entry it kept, which need not be a message.
 */

import type { Block, JsonObject } from '../core/message'
import { anthropicPieces, resultContent, textBlock, textBlocks } from './blocks'
import type { Builder } from './builder'
import { compact, type FirstNode } from './compactions'
import { type ForeignFile, type Part, type Place, type Row, UnreadableFile } from './foreign'
import { countOf, isRow, numberOf, rowOf, textOf, timeOf, usageOf } from './json'
import { createShelf, readRowRuns, type Shelf } from './rows'
import { createSessions, type Sessions } from './session'
import { planTree } from './tree'

const FORMAT = 'pi'
const NEWEST = 3
const USAGE = { input: 'input', output: 'output', read: 'cacheRead', write: 'cacheWrite' }

type Entry = Place & { id?: string; parent?: string; speaks: boolean }
type Read = { header: JsonObject; entries: Entry[]; shelf: Shelf }

const SPEAKS = new Set(['message', 'custom_message', 'branch_summary'])

function entryOf(row: Row, value: JsonObject): Entry {
  const { index, line, nth, at, bytes, damaged } = row
  const speaks = SPEAKS.has(textOf(value.type) ?? '')
  return {
    index,
    line,
    nth,
    at,
    bytes,
    damaged,
    id: textOf(value.id),
    parent: textOf(value.parentId),
    speaks,
  }
}

async function readEntries(file: ForeignFile, sessions: Sessions): Promise<Read> {
  const shelf = createShelf(file)
  const entries: Entry[] = []
  let header: JsonObject = {}
  const take = (row: Row) => {
    if (!isRow(row.value)) return sessions.keep(row, 'it is no row of this format')
    if (row.value.type !== 'session') return void entries.push(entryOf(row, row.value))
    if (entries.length === 0) header = row.value
    sessions.keep(row, 'the header of the session')
    const { version } = row.value
    if (typeof version === 'number' && version > NEWEST) {
      const message = `This looks like a pi session, but of version ${version}; versions up to ${NEWEST} can be read.`
      throw new UnreadableFile('L6', message)
    }
  }
  for await (const run of readRowRuns(file, { outline: true })) for (const row of run) take(row)
  return { header, entries, shelf }
}

/** A writer of one session: what must be known of it while its entries are taken. */
type Writing = {
  file: ForeignFile
  builder: Builder
  /** All entries of the file by id and by place, for what compactions name. */
  indexOf: ReadonlyMap<string, number>
  entries: readonly Entry[]
  /** What the first node says without the summary laid before it. */
  first: FirstNode | null
}

const callsAs = (content: unknown): JsonObject[] =>
  (Array.isArray(content) ? content : []).map((block) => {
    const row = rowOf(block)
    if (row.type === 'toolCall') {
      return {
        type: 'tool_use',
        id: row.id ?? '',
        name: row.name ?? '',
        input: row.arguments ?? {},
      }
    }
    if (row.type === 'thinking') {
      return {
        type: 'thinking',
        thinking: row.thinking ?? '',
        signature: row.thinkingSignature ?? '',
      }
    }
    if (row.type === 'image' && row.source === undefined) {
      const source = { type: 'base64', media_type: row.mimeType ?? '', data: row.data ?? '' }
      return { type: 'image', source }
    }
    return row
  })

async function blocksOf(
  { file }: Writing,
  content: JsonObject[string] | undefined,
  byModel: boolean,
) {
  const given = Array.isArray(content) ? callsAs(content) : content
  const pieces = await anthropicPieces(file.keepBlob, given, byModel)
  return pieces.flatMap((piece) => (piece.kind === 'said' ? piece.blocks : piece.content))
}

function takeUser(writing: Writing, at: Place, content: Block[], kind: 'human' | 'notice'): void {
  const { builder } = writing
  builder.user(at, content, { kind })
  builder.inOrder(at, () => {
    const seq = builder.log.heads.findIndex(({ op }) => op === 'append')
    if (writing.first === null && seq >= 0 && builder.rows[seq]?.first === at.index) {
      writing.first = { seq, content }
    }
  })
}

async function takeMessage(writing: Writing, at: Place, message: JsonObject): Promise<void> {
  const { builder, file } = writing
  switch (message.role) {
    case 'assistant':
      return builder.assistant(at, {
        content: await blocksOf(writing, message.content, true),
        provider: `${FORMAT}/${textOf(message.provider) ?? 'unknown'}`,
        model: textOf(message.model),
        stopReason: textOf(message.stopReason),
        usage: usageOf(message.usage, USAGE),
        interrupted: message.stopReason === 'aborted',
      })
    case 'toolResult':
      return builder.result(at, {
        callId: textOf(message.toolCallId),
        name: textOf(message.toolName),
        content: await resultContent(
          file.keepBlob,
          Array.isArray(message.content) ? callsAs(message.content) : message.content,
        ),
        isError: message.isError === true,
      })
    case 'bashExecution': {
      const said = `$ ${textOf(message.command) ?? ''}\n${textOf(message.output) ?? ''}`
      if (message.excludeFromContext === true)
        return builder.keep(at, 'a command kept from the model')
      return takeUser(writing, at, [textBlock(said)], 'notice')
    }
    case 'user':
      return takeUser(writing, at, await blocksOf(writing, message.content, false), 'human')
    default: {
      const content = textBlocks(message.summary ?? message.content)
      return takeUser(writing, at, content, 'notice')
    }
  }
}

/** The first node on the surface that was read from the kept entry or one after it. */
function keptNode(
  { builder, indexOf, entries }: Writing,
  value: JsonObject,
): number | null | undefined {
  const id = textOf(value.firstKeptEntryId)
  const index = countOf(value.firstKeptEntryIndex)
  // Version 1 counts the file's records, the header among them.
  const from = id !== undefined ? indexOf.get(id) : index
  if (from === undefined) return id === undefined ? undefined : null
  if (entries.length === 0) return undefined
  const seq = builder.rows.findIndex(
    ({ first }, at) => first >= from && builder.log.heads[at]?.op === 'append',
  )
  return seq < 0 ? undefined : seq
}

function takeCompaction(writing: Writing, at: Place, value: JsonObject): void {
  const { builder } = writing
  const isNamed = textOf(value.firstKeptEntryId) !== undefined
  compact(
    builder,
    at,
    () => ({
      id: textOf(value.id) ?? `compaction-${at.index}`,
      trigger: 'pressure',
      summary: textOf(value.summary) ?? '',
      opaque: textOf(value.summary) === undefined,
      certainty: isNamed ? 'exact' : 'derived',
      measured: numberOf(value.tokensBefore),
      keepFrom: keptNode(writing, value),
    }),
    () => writing.first,
  )
  const { heads, history } = builder.log
  const checkpoint = heads.findLast(({ kind }) => kind === 'checkpoint')
  // A later compaction that keeps everything repeats what this one carried.
  if (
    checkpoint &&
    writing.first &&
    history.replacementOf(writing.first.seq, heads.length - 1) === checkpoint.seq
  ) {
    writing.first = { ...writing.first, seq: checkpoint.seq }
  }
}

async function takeEntry(writing: Writing, at: Place, value: JsonObject): Promise<void> {
  const { builder } = writing
  builder.setTime(timeOf(value.timestamp) ?? timeOf(rowOf(value.message).timestamp))
  switch (value.type) {
    case 'message':
      return takeMessage(writing, at, rowOf(value.message))
    case 'custom_message':
      return takeUser(writing, at, await blocksOf(writing, value.content, false), 'notice')
    case 'branch_summary':
      return takeUser(writing, at, textBlocks(value.summary), 'notice')
    case 'compaction':
      return takeCompaction(writing, at, value)
    case 'session_info': {
      const name = textOf(value.name)
      return name ? builder.title(at, name, 'human') : builder.keep(at, 'facts about the session')
    }
    default:
      return builder.keep(at, `an entry that is no message (${textOf(value.type) ?? 'no type'})`)
  }
}

async function* write(
  writing: Writing,
  shelf: Shelf,
  entries: readonly Entry[],
): AsyncGenerator<Part> {
  for (const entry of entries) {
    const found = shelf.get(entry)
    await takeEntry(writing, entry, rowOf(found instanceof Promise ? await found : found))
    if (writing.builder.isFull()) yield* writing.builder.drain()
  }
  yield* writing.builder.finish()
}

/** Parents as positions; broken links go to the entry before. */
function linked(entries: readonly Entry[], file: ForeignFile) {
  const byId = new Map<string, number>()
  return entries.map((entry, at) => {
    const found = entry.parent === undefined ? undefined : byId.get(entry.parent)
    if (found === undefined && entry.parent !== undefined) {
      file.report.mended.push({
        line: entry.line,
        reason: 'its parent is not in the file before it: it follows the entry before',
      })
    }
    if (entry.id !== undefined) byId.set(entry.id, at)
    return { parent: found ?? at - 1, speaks: entry.speaks, bytes: entry.bytes }
  })
}

export async function* readPi(file: ForeignFile): AsyncGenerator<Part> {
  const sessions = createSessions(file)
  const { header, entries, shelf } = await readEntries(file, sessions)
  const tree = linked(entries, file)
  const plan = planTree(tree, entries.length - 1)
  const indexOf = new Map(entries.flatMap(({ id, index }) => (id ? [[id, index] as const] : [])))
  const begin = (id: string | undefined, parent?: { id: string; seq: number }) =>
    sessions.begin({
      format: FORMAT,
      id,
      createdAt: timeOf(header.timestamp),
      toolVersion: `session version ${String(header.version ?? 1)}`,
      parent,
    })
  const pick = (path: number[]) => path.flatMap((at) => entries[at] ?? [])
  const main = begin(textOf(header.id))
  yield main.opened
  const common = { file, indexOf, entries }
  yield* write({ ...common, builder: main.builder, first: null }, shelf, pick(plan.shown))
  const onPath = new Set(pick(plan.shown))
  for (const branch of plan.branches.map(pick)) {
    const fork = branch.findIndex((entry) => !onPath.has(entry))
    const own = branch[fork]
    if (!own) continue
    const shared = new Set(branch.slice(0, fork).map(({ index }) => index))
    const end = main.builder.rows.findIndex(
      ({ first, last }) => !shared.has(first) || !shared.has(last),
    )
    const seq = (end < 0 ? main.builder.rows.length : end) - 1
    const id = `${main.header.id}-${own.id ?? own.index}`
    const made = begin(id, seq < 0 ? undefined : { id: main.header.id, seq })
    yield made.opened
    yield* write({ ...common, builder: made.builder, first: null }, shelf, branch)
  }
  for (const entry of entries)
    sessions.keep(entry, 'it belongs to none of the conversations that were read')
}
