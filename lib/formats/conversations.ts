/** The conversations of an export that holds many, before any of them is read: for a person to choose from. */

import type { JsonObject } from '../core/message'
import type { FormatId } from './detect'
import { readRecords } from './documents'
import { isRow, listOf, rowOf, textOf, timeOf } from './json'
import type { LineOptions, Source } from './lines'
import { emptyReport } from './report'

export type Conversation = {
  /** Of its record in the file. */
  index: number
  title: string
  /** Unix milliseconds; null where the export says none. */
  updatedAt: number | null
  messages: number
}

const NO_TITLE = 'Untitled'

const said = ({ mapping }: JsonObject): number =>
  Object.values(rowOf(mapping)).filter((node) => {
    const { role } = rowOf(rowOf(rowOf(node).message).author)
    return role === 'user' || role === 'assistant'
  }).length

/** One conversation of each format whose exports hold many. */
const FACTS: Partial<Record<FormatId, (value: JsonObject) => Omit<Conversation, 'index'>>> = {
  chatgpt: (value) => ({
    title: textOf(value.title) ?? NO_TITLE,
    updatedAt: timeOf(value.update_time) ?? timeOf(value.create_time) ?? null,
    messages: said(value),
  }),
  'claude-ai': (value) => ({
    title: textOf(value.name) ?? NO_TITLE,
    updatedAt: timeOf(value.updated_at) ?? timeOf(value.created_at) ?? null,
    messages: listOf(value.chat_messages).length,
  }),
}

/** In file order; none for formats whose files hold one conversation. Rejects with the signal's reason. */
export async function listConversations(
  format: FormatId,
  source: Source,
  lines: LineOptions,
): Promise<Conversation[]> {
  const factsOf = FACTS[format]
  if (!factsOf) return []
  const found: Conversation[] = []
  for await (const { index, value } of readRecords({
    ...{ source, lines, sha256: '', name: '', time: 0, seen: [], counted: new Set() },
    report: emptyReport(),
    keepBlob: () => Promise.reject(new Error('nothing is kept of a list')),
  })) {
    if (!isRow(value)) continue
    const one = factsOf(value)
    if (one.messages > 0) found.push({ index, ...one })
  }
  return found
}
