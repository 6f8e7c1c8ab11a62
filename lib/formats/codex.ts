/**
 * Codex rollouts: JSONL of `{timestamp, type, payload}`, in older files bare items. `response_item` rows are
 * the conversation, `event_msg` rows mirror it for a screen. `compacted` replaces everything before it.
 */

import { surfaceNodes } from '../core/log'
import type { Block, Json, JsonObject, Usage } from '../core/message'
import { type Soon, soon, textBlock } from './blocks'
import type { Builder } from './builder'
import { compact } from './compactions'
import type { ForeignFile, Part, Row } from './foreign'
import { countOf, isRow, listOf, rowOf, textOf, timeOf, usageOf, wordsOf } from './json'
import { createVoice, type ItemVoice, openaiBlocks, takeItem } from './openai-items'
import { readRowRuns } from './rows'
import { createSessions, type Opened } from './session'

const FORMAT = 'codex'

/** A row of either age as type and payload. */
function unwrap(value: JsonObject): { type: string; payload: JsonObject } {
  if (isRow(value.payload)) return { type: textOf(value.type) ?? '', payload: value.payload }
  if (value.record_type !== undefined) return { type: 'state', payload: value }
  const isMeta = value.type === undefined && value.id !== undefined && value.role === undefined
  return { type: isMeta ? 'session_meta' : 'response_item', payload: value }
}

/** Messages and opaque items that a compaction left, as blocks of its checkpoint (T3). */
async function keptBlocks(voice: ItemVoice, history: Json[], summary: string) {
  const blocks: Block[] = []
  let isOpaque = false
  for (const value of history) {
    const item = rowOf(value)
    if (item.type !== 'message') {
      isOpaque ||= String(item.type).includes('compaction')
      continue
    }
    const said = await openaiBlocks(voice.keepBlob, item.content)
    // The summary stands among the messages too.
    if (summary !== '' && wordsOf(item.content).includes(summary)) continue
    if (item.role !== 'user' && said.length > 0) blocks.push(textBlock(`[${String(item.role)}]`))
    blocks.push(...said)
  }
  return { blocks, isOpaque }
}

async function takeCompacted(voice: ItemVoice, row: Row, payload: JsonObject): Promise<void> {
  const history = listOf(payload.replacement_history)
  const summary = wordsOf(payload.message)
  const { blocks, isOpaque } = await keptBlocks(voice, history, summary)
  const isUnreadable = summary === '' && (isOpaque || history.length > 0)
  voice.endReply()
  compact(voice.builder, row, () => ({
    id: textOf(payload.window_id) ?? `compaction-${row.index}`,
    trigger: 'pressure',
    summary,
    kept: blocks,
    certainty: Array.isArray(payload.replacement_history) ? 'exact' : 'derived',
    opaque: isUnreadable || (summary === '' && blocks.length === 0),
  }))
}

/**
 * The newest turns were taken back: a note takes their place for the model, the transcript keeps them. What
 * a person said begins a turn.
 */
function takeBack(builder: Builder, row: Row, turns: number): void {
  builder.settled(row, () => {
    const { log } = builder
    const nodes = surfaceNodes(log)
    const begins = nodes.filter((seq) => {
      const head = log.heads[seq]
      return head?.type === 'user/message' && head.kind === 'human'
    })
    const start = begins.at(-turns) ?? begins[0]
    if (start === undefined || turns === 0)
      return builder.keep(row, 'it takes back no turn of the file')
    const sourceEventSeqs = nodes.slice(nodes.indexOf(start))
    const said =
      turns === 1 ? 'A turn was taken back here.' : `${turns} turns were taken back here.`
    builder.append(row, [
      {
        type: 'user/message',
        data: {
          id: `m${log.heads.length}`,
          content: [textBlock(said)],
          source: { kind: 'notice' },
        },
        surfaceOp: { op: 'replace', start, end: sourceEventSeqs.at(-1) ?? start },
        sourceEventSeqs,
      },
    ])
  })
}

/** Tokens of the last reply, as a later row says them. OpenAI counts the cache as part of the input. */
function usageIn(payload: JsonObject): Usage | undefined {
  const last = rowOf(rowOf(payload.info).last_token_usage)
  const usage = usageOf(last, { input: 'input_tokens', output: 'output_tokens' })
  const cached = countOf(last.cached_input_tokens) ?? 0
  if (!usage || cached > usage.input_tokens) return usage
  const input_tokens = usage.input_tokens - cached
  return { ...usage, input_tokens, cache_read_input_tokens: cached }
}

function takeRow(voice: ItemVoice, row: Row, value: JsonObject): Soon<void> {
  const { builder } = voice
  const { type, payload } = unwrap(value)
  const kind = textOf(payload.type)
  builder.setTime(timeOf(value.timestamp))
  switch (type) {
    case 'compacted':
      return takeCompacted(voice, row, payload)
    case 'turn_context':
      voice.said = { ...voice.said, model: textOf(payload.model) ?? voice.said.model }
      return builder.keep(row, 'settings of a turn')
    case 'response_item':
      if (kind === 'agent_message') {
        return soon(openaiBlocks(voice.keepBlob, payload.content), (content) => {
          const from = `[message from ${textOf(payload.author) ?? 'another agent'}]`
          voice.endReply()
          builder.user(row, [textBlock(from), ...content], { kind: 'notice' })
        })
      }
      return soon(takeItem(voice, row, payload), (isTaken) => {
        if (!isTaken) builder.keep(row, `an item that is no message (${kind ?? 'of no kind'})`)
      })
    case 'event_msg':
      if (kind === 'thread_name_updated') {
        const title = textOf(payload.thread_name) ?? textOf(payload.name)
        if (title) return builder.title(row, title)
      }
      if (kind === 'context_compacted') return builder.keep(row, 'says again that a compaction ran')
      if (kind === 'thread_rolled_back') {
        voice.endReply()
        return takeBack(builder, row, countOf(payload.num_turns) ?? 1)
      }
      if (kind === 'token_count') {
        const isSaid = builder.describe({ usage: usageIn(payload) })
        return isSaid ? builder.took(row) : builder.keep(row, 'a count of tokens')
      }
      return builder.keep(row, `an event for the screen (${kind ?? 'of no kind'})`)
    default:
      return builder.keep(row, `a row that is no message (${type || 'no type'})`)
  }
}

const idOf = (meta: JsonObject): string | undefined => textOf(meta.id) ?? textOf(meta.session_id)

/** Whose work a sub-agent does; a fork names the session it copied from. */
function parentOf(meta: JsonObject): { id: string; seq: number } | undefined {
  const id = textOf(meta.parent_thread_id) ?? textOf(meta.forked_from_id)
  return id === undefined || id === idOf(meta) ? undefined : { id, seq: 0 }
}

export async function* readCodex(file: ForeignFile): AsyncGenerator<Part> {
  const sessions = createSessions(file)
  let session: Opened | null = null
  let voice: ItemVoice | null = null
  for await (const run of readRowRuns(file)) {
    for (const row of run) {
      if (!isRow(row.value)) {
        sessions.keep(row, 'it is no row of this format')
        continue
      }
      const { type, payload } = unwrap(row.value)
      if (!session || !voice) {
        const meta = type === 'session_meta' ? payload : {}
        session = sessions.begin({
          format: FORMAT,
          id: idOf(meta),
          createdAt: timeOf(row.value.timestamp) ?? timeOf(payload.timestamp),
          toolVersion: textOf(meta.cli_version),
          parent: parentOf(meta),
        })
        const provider = `${FORMAT}/${textOf(meta.model_provider) ?? 'openai'}`
        voice = createVoice(session.builder, file.keepBlob, { provider })
        yield session.opened
      }
      const taking = takeRow(voice, row, row.value)
      if (taking instanceof Promise) await taking
      if (session.builder.isFull()) yield* session.builder.drain()
    }
  }
  if (session) yield* session.builder.finish()
}
