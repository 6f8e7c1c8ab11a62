/**
 * ChatGPT exports: a list of conversations, each a tree `mapping` whose shown thread ends at `current_node`.
 * Parents alone link it: children may be missing, roots have no message.
 */

import type { Block, Json, JsonObject } from '../core/message'
import { textBlock, textBlocks } from './blocks'
import type { Builder } from './builder'
import { placeInside, readRecords } from './documents'
import { type ForeignFile, NOT_CHOSEN, type Part, type Place } from './foreign'
import { imageTypeOf } from './image-type'
import { isRow, listOf, rowOf, showJson, textOf, timeOf, wordsOf } from './json'
import { createSessions, type Sessions } from './session'
import { planTree } from './tree'

const FORMAT = 'chatgpt'

type Node = {
  at: Place
  id: string
  parent: number
  speaks: boolean
  bytes: number
  message: JsonObject
}

/** Nodes with parents before children, whatever order the file has; a cycle is cut where it closes. */
function nodesOf(row: Place, mapping: JsonObject): Node[] {
  const ids = Object.keys(mapping)
  const bytes = row.bytes / Math.max(1, ids.length)
  const placeOf = new Map<string, number>()
  const nodes: Node[] = []
  const fileOrder = new Map(ids.map((id, n) => [id, n]))
  const visit = (first: string) => {
    const chain: string[] = []
    const inChain = new Set<string>()
    let id: string | undefined = first
    while (id !== undefined && !placeOf.has(id) && !inChain.has(id) && Object.hasOwn(mapping, id)) {
      chain.push(id)
      inChain.add(id)
      id = textOf(rowOf(mapping[id]).parent)
    }
    for (const next of chain.reverse()) {
      const node = rowOf(mapping[next])
      const parent = placeOf.get(textOf(node.parent) ?? '') ?? -1
      const message = rowOf(node.message)
      const n = fileOrder.get(next) ?? 0
      placeOf.set(next, nodes.length)
      const speaks = isSpoken(message)
      nodes.push({ at: placeInside(row, n), id: next, parent, speaks, bytes, message })
    }
  }
  for (const id of ids) visit(id)
  return nodes
}

/** Messages a person would see or a model would read. */
const isSpoken = (message: JsonObject): boolean => {
  const role = rowOf(message.author).role
  return role === 'user' || role === 'assistant' || role === 'tool'
}

/** Who reads: a file, for the media that lie beside it. */
type Media = Pick<ForeignFile, 'keepBlob' | 'besideIt'>

/** A picture of the export: its bytes where they came along, else where it was. */
async function assetBlock({ keepBlob, besideIt }: Media, pointer: string): Promise<Block> {
  // `file-service://file-abc`, `sediment://file_abc`: the file's name begins with what stands behind.
  const name = pointer.replace(/^[a-z-]+:\/\//, '')
  const found = name === '' ? null : await besideIt?.(name)
  if (!found) return textBlock(`[image: ${pointer}]`)
  const bytes = new Uint8Array(await found.arrayBuffer())
  const mediaType = imageTypeOf(bytes)
  if (mediaType === null) return textBlock(`[file: ${pointer}]`)
  return { type: 'image', source: await keepBlob(bytes, mediaType) }
}

async function partBlock(media: Media, part: Json): Promise<Block[]> {
  if (!isRow(part)) return textBlocks(part)
  const pointer = textOf(part.asset_pointer)
  if (pointer !== undefined) return [await assetBlock(media, pointer)]
  return textBlocks(part.text ?? showJson(part))
}

/** Content of any of its types as blocks. */
async function contentOf(media: Media, content: JsonObject): Promise<Block[]> {
  if (content.content_type === 'thoughts') {
    const thinking = listOf(content.thoughts).map((thought) =>
      wordsOf(rowOf(thought).content ?? thought),
    )
    return [{ type: 'thinking', thinking: thinking.join('\n'), signature: '' }]
  }
  if (Array.isArray(content.parts)) {
    const blocks: Block[] = []
    for (const part of content.parts) blocks.push(...(await partBlock(media, part)))
    return blocks
  }
  const said = content.text ?? content.result ?? content.content ?? content.user_instructions
  return textBlocks(said)
}

/** Names of what a person attached, where the message does not show it. */
const attachedTo = (metadata: JsonObject): Block[] =>
  listOf(metadata.attachments).flatMap((attachment) => {
    const { name, mime_type, mimeType } = rowOf(attachment)
    const isShown = (textOf(mime_type) ?? textOf(mimeType) ?? '').startsWith('image/')
    return typeof name === 'string' && !isShown ? [textBlock(`[file: ${name}]`)] : []
  })

async function take(media: Media, builder: Builder, { at, id, message }: Node): Promise<void> {
  const author = rowOf(message.author)
  const metadata = rowOf(message.metadata)
  const recipient = textOf(message.recipient) ?? 'all'
  const content = [...attachedTo(metadata), ...(await contentOf(media, rowOf(message.content)))]
  builder.setTime(timeOf(message.create_time))
  if (author.role === 'assistant' && recipient !== 'all') {
    const input = {
      text: content.map((block) => String(rowOf(block as JsonObject).text ?? '')).join('\n'),
    }
    builder.assistant(at, {
      content: [{ type: 'tool_use', id, name: recipient, input }],
      provider: FORMAT,
      model: textOf(metadata.model_slug),
    })
  } else if (author.role === 'assistant') {
    builder.assistant(at, { content, id, provider: FORMAT, model: textOf(metadata.model_slug) })
  } else if (author.role === 'tool' && builder.waitsForResult()) {
    builder.result(at, { content, name: textOf(author.name), isError: false })
  } else if (author.role === 'user' && metadata.is_visually_hidden_from_conversation !== true) {
    builder.user(at, content, { kind: 'human' }, id)
  } else if (content.length > 0) builder.user(at, content, { kind: 'notice' }, id)
  else builder.keep(at, 'a message that holds nothing')
}

/** The end of the shown thread: where the file says, else the newest message. */
function leafOf(nodes: readonly Node[], current: Json | undefined): number {
  const named = nodes.findIndex(({ id }) => id === current)
  return named >= 0 ? named : nodes.findLastIndex(({ speaks }) => speaks)
}

async function* write(
  file: ForeignFile,
  builder: Builder,
  nodes: readonly Node[],
): AsyncGenerator<Part> {
  for (const node of nodes) {
    if (Object.keys(node.message).length === 0) builder.keep(node.at, 'a node without a message')
    else await take(file, builder, node)
    if (builder.isFull()) yield* builder.drain()
  }
  yield* builder.finish()
}

async function* readConversation(
  file: ForeignFile,
  sessions: Sessions,
  row: Place,
  value: JsonObject,
): AsyncGenerator<Part> {
  const nodes = nodesOf(row, rowOf(value.mapping))
  if (!nodes.some(({ speaks }) => speaks)) {
    return void sessions.keep(row, 'a conversation without messages')
  }
  const plan = planTree(nodes, leafOf(nodes, value.current_node))
  const id =
    textOf(value.conversation_id) ??
    textOf(value.id) ??
    `${sessions.fallbackId(FORMAT)}-${row.index}`
  const createdAt = timeOf(value.create_time)
  const pick = (path: number[]) => path.flatMap((at) => nodes[at] ?? [])
  const title = textOf(value.title)
  const main = sessions.begin({ format: FORMAT, id, createdAt })
  yield main.opened
  main.builder.took(row)
  main.builder.setTime(createdAt)
  if (title) main.builder.title(row, title)
  yield* write(file, main.builder, pick(plan.shown))
  const shown = new Set(plan.shown)
  for (const branch of plan.branches) {
    const fork = branch.findIndex((at) => !shown.has(at))
    const own = nodes[branch[fork] ?? -1]
    if (!own) continue
    const shared = new Set([row.index, ...pick(branch.slice(0, fork)).map(({ at }) => at.index)])
    const end = main.builder.rows.findIndex(({ first }) => !shared.has(first))
    const seq = (end < 0 ? main.builder.rows.length : end) - 1
    const parent = seq < 0 ? undefined : { id, seq }
    const made = sessions.begin({ format: FORMAT, id: `${id}-${own.id}`, createdAt, parent })
    yield made.opened
    made.builder.setTime(createdAt)
    if (title) made.builder.title(row, title)
    yield* write(file, made.builder, pick(branch))
  }
  for (const { at } of nodes) sessions.keep(at, 'it belongs to none of the threads that were read')
}

export async function* readChatgpt(file: ForeignFile): AsyncGenerator<Part> {
  const sessions = createSessions(file)
  for await (const row of readRecords(file)) {
    if (file.chosen?.has(row.index) === false) sessions.keep(row, NOT_CHOSEN)
    else if (isRow(row.value) && isRow(row.value.mapping))
      yield* readConversation(file, sessions, row, row.value)
    else sessions.keep(row, 'it is no conversation')
  }
}
