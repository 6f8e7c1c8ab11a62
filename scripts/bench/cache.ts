/** What the prompt cache makes of a long turn, as the strict stand-in bills it: the real loop and wire, over HTTP. */

import { startFake } from '../../e2e/support/fake-anthropic/server.mjs'
import { segmentsOf } from '../../e2e/support/fake-anthropic/tokens.mjs'
import { createAgent } from '../../lib/agent/agent'
import { LOG_VERSION, type Policy, type RequestHeader } from '../../lib/core/event'
import { createLog } from '../../lib/core/log'
import type { Usage } from '../../lib/core/message'
import { PRESETS } from '../../lib/core/policy'
import { BUILDER } from '../../lib/core/request'
import type { Clock, Tool } from '../../lib/ports'
import { anthropicModel } from '../../lib/providers/anthropic'
import { costOf } from '../../lib/state/prices'
import { hashJson } from '../../lib/storage/hash'
import { memoryJournal } from '../../lib/storage/memory'
import { type Figure, figure } from './figures'

const MODEL = 'claude-sonnet-5-5'
const STEPS = 40
/** Characters of a tool result: most short, every fifth a long file. */
const sizeAt = (step: number): number => (step % 5 === 0 ? 16_000 : 1_500 + (step % 7) * 300)

const read: Tool = {
  effect: 'reads',
  spec: {
    name: 'read_file',
    description: 'Reads a file of the workspace. '.repeat(40),
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  },
  async run(input) {
    const { path } = input as { path: string }
    const line = `${path}: the log holds every event and the surface is what remains of it.\n`
    const size = sizeAt(Number(/\d+/.exec(path)?.[0] ?? 0))
    const text = line.repeat(Math.ceil(size / line.length)).slice(0, size)
    return { content: [{ type: 'text', text }], isError: false }
  },
}

const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((done) => {
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        done()
      })
    }),
}

type Call = { kind: string | null; usage: Usage; body: { system: []; messages: [] } }

/** A turn of forty steps, then a compaction of its head; what each call was billed. */
async function play(policy: Policy): Promise<{ steps: Call[]; summaries: Call[] }> {
  const fake = await startFake({ port: 0, delay: 0 })
  const header: RequestHeader = {
    provider: 'anthropic',
    model: MODEL,
    contextWindow: 200_000,
    system: 'You work in a small workspace of files. '.repeat(100),
    tools: [read.spec],
    params: { max_tokens: 8_000 },
    policy,
    builder: BUILDER,
  }
  const session = { version: LOG_VERSION, id: 'bench', createdAt: 0 }
  const model = anthropicModel({ apiKey: 'bench-key', baseURL: fake.url })
  let ids = 0
  const agent = createAgent({
    log: createLog(session),
    journal: memoryJournal(session.id),
    model: () => model,
    summariser: () => model,
    tools: () => [read],
    clock,
    newId: () => `id-${ids++}`,
    hash: hashJson,
    random: () => 0.5,
    header: () => header,
    maxSteps: STEPS + 10,
    onCommit() {},
    onLive() {},
  })
  const calls = Array.from(
    { length: STEPS - 1 },
    (_, n) => `[[call: read_file {"path":"f${n}.md"}]]`,
  )
  const text = `${calls.join(' [[then]] ')} [[then]] [[reply: All read.]]`
  await agent.send([{ type: 'text', text }])
  await agent.idle()
  await agent.compactNow(new AbortController().signal)
  await agent.idle()
  await agent.close()
  const log = fake.state.log.filter((entry) => entry.usage) as unknown as Call[]
  await fake.close()
  return {
    steps: log.filter((call) => call.kind === 'step'),
    summaries: log.filter((call) => call.kind === 'summary'),
  }
}

/** Tokens of the prefix two requests share, in the provider's own segments. */
function shared(before: Call, call: Call): number {
  const [a, b] = [segmentsOf(before.body), segmentsOf(call.body)]
  let tokens = 0
  for (let at = 0; at < a.length && a[at]?.key === b[at]?.key; at++) tokens += b[at]?.tokens ?? 0
  return tokens
}

const readOf = (call: Call): number => call.usage.cache_read_input_tokens ?? 0
const billOf = (calls: Call[]): number =>
  calls.reduce((sum, call) => sum + (costOf(call.usage, MODEL) ?? 0), 0)

export async function run(): Promise<Figure[]> {
  const standard = PRESETS.standard
  const without = await play({ ...standard, micro: { ...standard.micro, when: 'off' } })
  const withMicro = await play(standard)

  let possible = 0
  let taken = 0
  without.steps.forEach((call, at) => {
    const before = without.steps[at - 1]
    if (!before) return
    possible += shared(before, call)
    taken += readOf(call)
  })
  const summary = without.summaries[0] as Call
  const prefix = shared(without.steps.at(-1) as Call, summary)
  return [
    figure(
      `cache: tokens of a ${without.steps.length}-step turn not read, beside all that could be (micro off)`,
      possible - taken,
      possible,
      0.01,
      'tokens',
    ),
    figure(
      'cache: tokens a head compaction did not read, beside the prefix it shares with the last step',
      prefix - readOf(summary),
      prefix,
      0.1,
      'tokens',
    ),
    figure(
      `bill of the ${withMicro.steps.length}-step turn with micro as in the standard preset, beside the bill without`,
      billOf(withMicro.steps),
      billOf(without.steps),
      0.999,
      'dollars',
    ),
  ]
}
