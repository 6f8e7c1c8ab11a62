/** A small agent loop over surface nodes: model → tools → model, with compaction where a test wants it. */

import { checkpointText } from '../../../core/checkpoint'
import type { RequestHeader, SurfaceEvent } from '../../../core/event'
import { headOf } from '../../../core/head'
import { type Block, isText, isToolUse, type JsonObject, textOf } from '../../../core/message'
import { PRESETS } from '../../../core/policy'
import { buildRequest, buildSummaryRequest, validateRequest } from '../../../core/request'
import type { Clock, Model, ModelEvent } from '../../../ports'
import type { Recall, RecallEntry } from '../../../tools/recall'
import { matchesQuery } from '../../../tools/recall'
import { toolsInPlace } from '../../../tools/testing/run-tool'
import type { Workspace } from '../../../tools/workspace'
import { OFFLINE_INFO, offlineModel } from '../../offline'
import { summarise } from '../../template'

export const still: Clock = { now: () => 0, sleep: async () => {} }
export const offline = offlineModel({ clock: still, pace: 0 })

export type Reply = { text: string; content: Block[]; events: ModelEvent[]; end: ModelEvent }

/** A whole reply, its calls put together from their pieces. */
export async function ask(
  model: Model,
  body: Parameters<Model['stream']>[0],
  signal = new AbortController().signal,
): Promise<Reply> {
  const content: Block[] = []
  const json = new Map<number, string>()
  const events: ModelEvent[] = []
  for await (const event of model.stream(body, signal)) {
    events.push(event)
    if (event.type === 'block') content[event.index] = { ...event.block }
    if (event.type !== 'delta') continue
    const block = content[event.index]!
    if (event.delta.type === 'text' && isText(block)) block.text += event.delta.text
    if (event.delta.type === 'input')
      json.set(event.index, (json.get(event.index) ?? '') + event.delta.json)
  }
  for (const [index, text] of json) {
    const block = content[index]!
    if (isToolUse(block)) block.input = JSON.parse(text) as JsonObject
  }
  const end = events.at(-1)!
  return { text: textOf(content), content, events, end }
}

/** When a loop replaces history by a summary: after these steps, counted from 1 over the whole session. */
export type LoopOptions = { micro?: number; compactAfter?: readonly number[]; maxSteps?: number }

export function createLoop(files: Workspace, options: LoopOptions = {}) {
  let nodes: SurfaceEvent[] = []
  const log: SurfaceEvent[] = []
  let steps = 0
  const shadowed = () => log.filter((event) => !nodes.includes(event))
  const entry = (event: SurfaceEvent): RecallEntry => ({
    seq: event.seq,
    kind:
      event.type === 'tool/result'
        ? 'result'
        : event.type === 'user/message'
          ? 'user'
          : 'assistant',
    ...(event.type === 'tool/result' && { name: event.data.name }),
    text: event.data.content
      .map((block) =>
        isText(block)
          ? block.text
          : isToolUse(block)
            ? `${block.name} ${JSON.stringify(block.input)}`
            : '',
      )
      .join('\n'),
  })
  const recall: Recall = {
    search: async (query, limit) =>
      shadowed()
        .map(entry)
        .filter((one) => matchesQuery(one.text, query))
        .reverse()
        .slice(0, limit),
    read: async (from, to) => log.filter(({ seq }) => seq >= from && seq <= to).map(entry),
  }
  const tools = toolsInPlace(files, recall)
  const header: RequestHeader = {
    provider: 'offline',
    model: OFFLINE_INFO.model,
    contextWindow: OFFLINE_INFO.contextWindow,
    system: 'You work in a small workspace of files.',
    tools: tools.map((tool) => tool.spec),
    params: { max_tokens: OFFLINE_INFO.maxTokens },
    policy: PRESETS.teaching,
    builder: 1,
  }
  type Draft = { type: SurfaceEvent['type']; data: unknown }
  const event = ({ type, data }: Draft): SurfaceEvent => {
    const node = { seq: log.length, time: 0, type, data, surfaceOp: 'append' } as SurfaceEvent
    log.push(node)
    return node
  }
  const add = (draft: Draft) => nodes.push(event(draft))

  /** X1 with the teaching preset's settings. */
  function micro(): void {
    const carried = nodes.findLastIndex((node) => node.type === 'assistant/message')
    const results = nodes.filter((node) => node.type === 'tool/result')
    for (const old of results.slice(0, -(options.micro ?? Number.POSITIVE_INFINITY))) {
      if (
        old.type !== 'tool/result' ||
        nodes.indexOf(old) > carried ||
        old.data.isError ||
        textOf(old.data.content).length <= 100
      )
        continue
      const text = `[Previous: used ${old.data.name}; recall #${old.seq}]`
      const node = event({
        type: 'tool/result',
        data: { ...old.data, content: [{ type: 'text', text }] },
      })
      nodes = nodes.map((one) => (one === old ? node : one))
    }
  }

  /** A checkpoint for all but the newest unit. */
  function compact(focus?: string): string {
    const from = nodes.findLastIndex((node) => node.type === 'assistant/message')
    const span = nodes.slice(0, from)
    if (span.length === 0) return ''
    const start = {
      compactionId: 'c',
      turn: 1,
      trigger: 'pressure' as const,
      range: { start: span[0]!.seq, end: span.at(-1)!.seq },
      ...(focus && { instructions: focus }),
    }
    const summary = summarise(buildSummaryRequest(header, span, start, 'transcript'))
    const text = checkpointText(summary, span.map(headOf))
    const node = event({
      type: 'user/message',
      data: {
        id: 'x',
        content: [{ type: 'text', text }],
        source: { kind: 'checkpoint', compactionId: 'c' },
      },
    })
    nodes = [node, ...nodes.slice(from)]
    return summary
  }

  async function step(): Promise<{ text: string; calls: { name: string; input: JsonObject }[] }> {
    if (options.micro !== undefined) micro()
    const body = buildRequest(header, nodes)
    const invalid = validateRequest(body, { window: OFFLINE_INFO.contextWindow })
    if (invalid) throw new Error(`${invalid.rule}: ${invalid.message}`)
    const { text, content, end } = await ask(offline, body)
    if (end.type !== 'end') throw new Error(JSON.stringify(end))
    steps++
    add({ type: 'assistant/message', data: { id: `a${steps}`, content } })
    const calls = content.filter(isToolUse)
    for (const call of calls) {
      const tool = tools.find((one) => one.spec.name === call.name)!
      const outcome = await tool.run(call.input, new AbortController().signal)
      add({
        type: 'tool/result',
        data: {
          id: `r${call.id}`,
          callId: call.id,
          name: call.name,
          content: outcome.content,
          isError: outcome.isError,
        },
      })
      if (outcome.compact) compact(outcome.compact.focus)
    }
    if (options.compactAfter?.includes(steps)) compact()
    return { text, calls }
  }

  return {
    compact,
    nodes: () => nodes,
    header,
    /** Sends a message and runs until the model answers without a call. */
    async send(request: string | Block[]) {
      const content: Block[] =
        typeof request === 'string' ? [{ type: 'text', text: request }] : request
      add({
        type: 'user/message',
        data: { id: `u${log.length}`, content, source: { kind: 'human' } },
      })
      const turn: { text: string; calls: { name: string; input: JsonObject }[] }[] = []
      for (let at = 0; at < (options.maxSteps ?? 60); at++) {
        const done = await step()
        turn.push(done)
        if (done.calls.length === 0) {
          return {
            steps: turn,
            calls: turn.flatMap(({ calls }) => calls),
            answer: done.text,
            words: turn.map(({ text }) => text).join('\n\n'),
          }
        }
      }
      throw new Error(
        `no end after ${turn.length} steps: ${JSON.stringify(turn.slice(-3).flatMap(({ calls }) => calls))}`,
      )
    },
  }
}
