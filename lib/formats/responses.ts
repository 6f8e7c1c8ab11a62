/** Items of the OpenAI Responses API: a list, or a request or response that holds one. */

import type { Json, JsonObject } from '../core/message'
import type { Builder } from './builder'
import { compact } from './compactions'
import { placeInside, readRecords } from './documents'
import type { ForeignFile, Part, Place } from './foreign'
import { isRow, listOf, rowOf, textOf } from './json'
import { createVoice, type ItemVoice, takeItem } from './openai-items'
import { createSessions } from './session'

const FORMAT = 'responses'

/** Everything before an opaque item is in it. */
function takeOpaque(builder: Builder, at: Place, item: JsonObject): void {
  compact(builder, at, () => ({
    id: textOf(item.id) ?? `compaction-${at.index}`,
    trigger: 'pressure',
    summary: '',
    opaque: true,
    certainty: 'exact',
  }))
}

async function take(voice: ItemVoice, at: Place, value: Json): Promise<void> {
  const { builder } = voice
  const item = isRow(value) ? value : { type: 'message', role: 'user', content: value }
  if (item.type === 'compaction' || item.type === 'context_compaction') {
    voice.endReply()
    return takeOpaque(builder, at, item)
  }
  if (!(await takeItem(voice, at, item))) {
    builder.keep(at, `an item that is no message (${textOf(item.type) ?? 'no type'})`)
  }
}

export async function* readResponses(file: ForeignFile): AsyncGenerator<Part> {
  const sessions = createSessions(file)
  let voice: ItemVoice | null = null
  for await (const row of readRecords(file)) {
    const value = rowOf(row.value)
    if (!voice) {
      const made = sessions.begin({ format: FORMAT })
      yield made.opened
      voice = createVoice(made.builder, file.keepBlob, {
        provider: FORMAT,
        model: textOf(value.model),
      })
    }
    const { builder } = voice
    const inside = [...inputOf(value), ...listOf(value.output)]
    if (value.type === undefined && inside.length > 0) {
      const instructions = textOf(value.instructions)
      const all = instructions ? [{ role: 'system', content: instructions }, ...inside] : inside
      for (const [n, item] of all.entries()) {
        await take(voice, placeInside(row, n), item)
        yield* builder.drain()
      }
      builder.took(row)
    } else await take(voice, row, row.value)
    yield* builder.drain()
  }
  if (voice) yield* voice.builder.finish()
}

const inputOf = ({ input }: JsonObject): Json[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input)
