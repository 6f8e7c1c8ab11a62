/**
 * Claude.ai exports: a list of conversations with `chat_messages`, in newer ones a tree by
 * parent_message_uuid. `text` is a flattened copy of `content`. No model is named.
 */

import type { JsonObject } from '../core/message'
import { anthropicPieces, textBlock, textBlocks } from './blocks'
import type { Builder } from './builder'
import { placeInside, readRecords } from './documents'
import { type ForeignFile, type KeepBlob, NOT_CHOSEN, type Part, type Place } from './foreign'
import { isRow, listOf, rowOf, textOf, timeOf } from './json'
import { createSessions, type Sessions } from './session'
import { planTree } from './tree'

const FORMAT = 'claude-ai'

type Said = { at: Place; value: JsonObject; parent: number; speaks: true; bytes: number }

/** Parents by uuid where the export has them, else the message before. A list may mix its branches. */
function messagesOf(row: Place, value: JsonObject): Said[] {
  const bytes = row.bytes / Math.max(1, listOf(value.chat_messages).length)
  const all = listOf(value.chat_messages).map((message, n) => ({
    bytes,
    at: placeInside(row, n),
    value: rowOf(message),
  }))
  const known = new Set(all.map(({ value }) => value.uuid))
  const placed = new Map<unknown, number>()
  const said: Said[] = []
  // A child may stand before its parent in the list: those wait for a later round.
  let waiting = all
  while (waiting.length > 0) {
    const later: typeof waiting = []
    for (const one of waiting) {
      const parentId = one.value.parent_message_uuid
      const found = placed.get(parentId)
      if (
        found === undefined &&
        parentId !== undefined &&
        known.has(parentId) &&
        parentId !== one.value.uuid
      ) {
        later.push(one)
        continue
      }
      const isRoot = parentId !== undefined
      placed.set(one.value.uuid, said.length)
      said.push({ ...one, parent: found ?? (isRoot ? -1 : said.length - 1), speaks: true })
    }
    if (later.length < waiting.length) waiting = later
    else {
      // What is left is a cycle: its messages follow one another.
      for (const one of later) said.push({ ...one, parent: said.length - 1, speaks: true })
      waiting = []
    }
  }
  return said
}

const attachmentText = (attachment: JsonObject): string => {
  const name = textOf(attachment.file_name) ?? 'attachment'
  const text = textOf(attachment.extracted_content)
  return text === undefined ? `[file: ${name}]` : `[file: ${name}]\n${text}`
}

async function take(builder: Builder, keepBlob: KeepBlob, { at, value }: Said): Promise<void> {
  const byModel = value.sender === 'assistant'
  builder.setTime(timeOf(value.created_at))
  const content = listOf(value.content).filter((block) => rowOf(block).type !== 'token_budget')
  const pieces =
    content.length > 0
      ? await anthropicPieces(keepBlob, content, byModel)
      : [{ kind: 'said' as const, blocks: textBlocks(value.text) }]
  const files = [...listOf(value.attachments), ...listOf(value.files)].filter(isRow)
  const attached = files.map((file) => textBlock(attachmentText(file)))
  const [first, ...rest] = pieces
  if (first?.kind === 'said') first.blocks.unshift(...(byModel ? [] : attached))
  for (const piece of first ? [first, ...rest] : []) {
    if (piece.kind === 'result') builder.result(at, piece)
    else if (byModel) builder.assistant(at, { content: piece.blocks, provider: FORMAT })
    else builder.user(at, piece.blocks)
  }
  if (!first) builder.user(at, attached)
}

async function* readConversation(
  file: ForeignFile,
  sessions: Sessions,
  row: Place,
  value: JsonObject,
): AsyncGenerator<Part> {
  const said = messagesOf(row, value)
  const plan = planTree(said, said.length - 1)
  const id = textOf(value.uuid) ?? `${sessions.fallbackId(FORMAT)}-${row.index}`
  const createdAt = timeOf(value.created_at)
  const title = textOf(value.name)
  const shown = new Set(plan.shown)
  let main: Builder | null = null
  for (const path of [plan.shown, ...plan.branches]) {
    const fork = path.findIndex((at) => main !== null && !shown.has(at))
    if (main && fork < 0) continue
    const shared = new Set([row.index, ...path.slice(0, fork).map((at) => said[at]?.at.index)])
    const end = main?.rows.findIndex(({ first }) => !shared.has(first)) ?? -1
    const seq = main ? (end < 0 ? main.rows.length : end) - 1 : -1
    const own = said[path[fork] ?? -1]
    const made = sessions.begin({
      format: FORMAT,
      id: main ? `${id}-${textOf(own?.value.uuid) ?? fork}` : id,
      createdAt,
      parent: seq < 0 ? undefined : { id, seq },
    })
    const { builder, opened } = made
    yield opened
    builder.took(row)
    builder.setTime(createdAt)
    if (title) builder.title(row, title)
    for (const at of path) {
      await take(builder, file.keepBlob, said[at] as Said)
      yield* builder.drain()
    }
    yield* builder.finish()
    main ??= builder
  }
  for (const { at } of said) sessions.keep(at, 'it belongs to none of the threads that were read')
}

export async function* readClaudeAi(file: ForeignFile): AsyncGenerator<Part> {
  const sessions = createSessions(file)
  for await (const row of readRecords(file)) {
    if (file.chosen?.has(row.index) === false) sessions.keep(row, NOT_CHOSEN)
    else if (isRow(row.value) && Array.isArray(row.value.chat_messages)) {
      yield* readConversation(file, sessions, row, row.value)
    } else sessions.keep(row, 'it is no conversation')
  }
}
