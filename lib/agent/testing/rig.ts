/**
 * An agent on a scripted model, a clock that stands still and a journal in memory; `verify` is how every
 * test ends: a clean log, and every request it says was sent rebuilt from it (Q5).
 */

import { expect } from 'vitest'
import { check } from '../../core/check'
import {
  LOG_VERSION,
  type RequestHeader,
  type SessionEvent,
  type SessionHeader,
} from '../../core/event'
import { headOf } from '../../core/head'
import { createLog, type Log, loadLog, surfaceNodes } from '../../core/log'
import { type Block, textOf } from '../../core/message'
import { PRESETS } from '../../core/policy'
import { requestAt } from '../../core/request'
import type { Journal, Tool, ToolOutcome } from '../../ports'
import { hashJson } from '../../storage/hash'
import { type MemoryDisk, memoryDisk, memoryJournal } from '../../storage/memory'
import { type Agent, createAgent } from '../agent'
import type { Live } from '../live'
import type { AgentDeps } from '../session'
import { type FakeClock, fakeClock } from './clock'
import { type Line, type ScriptedModel, scriptedModel } from './model'

export const text = (words: string): Block[] => [{ type: 'text', text: words }]

/** A tool that answers with `run`, or with its input. */
export const tool = (
  name: string,
  run: (input: unknown, signal: AbortSignal) => Promise<ToolOutcome> | ToolOutcome = (input) => ({
    content: text(JSON.stringify(input)),
    isError: false,
  }),
  effect: Tool['effect'] = 'reads',
): Tool => ({
  effect,
  spec: { name, description: `The tool ${name}.`, input_schema: { type: 'object' } },
  run: async (input, signal) => run(input, signal),
})

/** A tool that answers with as many characters as its input's `size` says. */
export const reader = tool('read', (input) => {
  const { size = 10 } = input as { size?: number }
  return {
    content: text('lorem ipsum '.repeat(Math.ceil(size / 12)).slice(0, size)),
    isError: false,
  }
})

export const compactTool = tool('compact', (input) => ({
  content: text('Scheduled: it runs after this step.'),
  isError: false,
  compact: input as { focus?: string },
}))

export const MIN_GAIN = { ratio: 0.1, tokens: 20 }

export type RigOptions = {
  script?: Line[]
  /** The summariser's lines; it is the session's own model on another script. */
  summaries?: Line[]
  tools?: Tool[]
  header?: Partial<RequestHeader>
  policy?: Partial<RequestHeader['policy']>
  maxSteps?: number
  disk?: MemoryDisk
  session?: Partial<SessionHeader>
  /** Wraps the journal, for crashes and failures. */
  journal?: (journal: Journal) => Journal
  deps?: Partial<AgentDeps>
}

export type Rig = {
  agent: Agent
  /** What the agent was made of, for tests of its parts. */
  deps: AgentDeps
  model: ScriptedModel
  summariser: ScriptedModel
  clock: FakeClock
  disk: MemoryDisk
  log: Log
  header: SessionHeader
  /** What `deps.header()` gives; change it to choose another model. */
  chosen: RequestHeader
  lives: Live[]
  /** Resolves with the first state that fits, the present one included. */
  until(fits: (live: Live) => boolean): Promise<Live>
  /** Resolves when an event of that type has been committed, `count` of them in all. */
  written(type: SessionEvent['type'], count?: number): Promise<SessionEvent>
  events(): SessionEvent[]
  types(): string[]
  /** The live surface as `kind: first words`. */
  surface(): string[]
  verify(): Promise<void>
}

const ids = () => {
  let next = 0
  return () => `id-${next++}`
}

export function rig(options: RigOptions = {}): Rig {
  const { script = [], summaries = [], tools = [], disk = memoryDisk() } = options
  const header: SessionHeader = {
    version: LOG_VERSION,
    id: 'session',
    createdAt: 1_700_000_000_000,
    ...options.session,
  }
  const loaded = loadLog(header, disk.events.map(headOf))
  if (!loaded.ok) throw new Error(loaded.error.message)
  const log = disk.events.length === 0 ? createLog(header) : loaded.value
  const model = scriptedModel(script)
  const summariser = scriptedModel(summaries)
  const clock = fakeClock(disk.events.at(-1)?.time)
  const lives: Live[] = []
  const watchers = new Set<() => void>()
  const tell = () => {
    for (const watcher of [...watchers]) watcher()
  }
  const chosen: RequestHeader = {
    provider: 'fake',
    model: 'fake-1',
    contextWindow: 100_000,
    system: 'You are a test.',
    tools: tools.map(({ spec }) => spec),
    params: { max_tokens: 1000 },
    policy: { ...PRESETS.standard, minGain: MIN_GAIN, ...options.policy },
    builder: 1,
    ...options.header,
  }
  const journal = memoryJournal(header.id, disk)
  const deps: AgentDeps = {
    log,
    journal: options.journal?.(journal) ?? journal,
    model: () => model,
    summariser: () => summariser,
    tools: () => tools,
    clock,
    newId: ids(),
    hash: hashJson,
    random: () => 0.5,
    header: () => self.chosen,
    maxSteps: options.maxSteps ?? 20,
    onCommit: tell,
    onLive(live) {
      lives.push(live)
      tell()
    },
    ...options.deps,
  }
  const self: Rig = {
    model,
    summariser,
    clock,
    disk,
    log,
    header,
    chosen,
    lives,
    deps,
    agent: createAgent(deps),
    until: (fits) => when(watchers, () => (fits(self.agent.live) ? self.agent.live : undefined)),
    written: (type, count = 1) =>
      when(watchers, () => disk.events.filter((event) => event.type === type)[count - 1]),
    events: () => disk.events,
    types: () => disk.events.map(({ type }) => type),
    surface: () => surfaceNodes(log).map((seq) => sketch(disk.events[seq]!)),
    verify: () => verify(header, disk.events),
  }
  return self
}

function when<T>(watchers: Set<() => void>, look: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const watch = () => {
      const found = look()
      if (found === undefined) return
      watchers.delete(watch)
      resolve(found)
    }
    watchers.add(watch)
    watch()
  })
}

function sketch(event: SessionEvent): string {
  if (event.type === 'user/message') {
    const { source, content } = event.data
    return source.kind === 'checkpoint'
      ? 'checkpoint'
      : `${source.kind}: ${textOf(content).slice(0, 20)}`
  }
  if (event.type === 'assistant/message') {
    const calls = event.data.content.filter(({ type }) => type === 'tool_use').length
    return `assistant: ${calls > 0 ? `${calls} calls` : textOf(event.data.content).slice(0, 20)}`
  }
  if (event.type !== 'tool/result') return event.type
  return `${event.data.isError ? 'error' : 'result'}: ${textOf(event.data.content).slice(0, 20)}`
}

/** A log without violations whose every stored hash is that of the body rebuilt from it. */
export async function verify(header: SessionHeader, events: SessionEvent[]): Promise<void> {
  expect(check(header, events)).toEqual([])
  const heads = events.map(headOf)
  for (const event of events) {
    if (!('requestHash' in event.data)) continue
    const { requestHash } = event.data
    if (requestHash === undefined) continue
    const body = await requestAt(heads, async (seq) => events[seq]!, event.seq)
    expect([event.seq, await hashJson(body)]).toEqual([event.seq, requestHash])
  }
}
