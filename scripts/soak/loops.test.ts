/** What summaries cost that fail or are too large for one call, counted at the strict stand-in, over HTTP. Rules C10, C11. */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startFake } from '../../e2e/support/fake-anthropic/server.mjs'
import { type Agent, createAgent } from '../../lib/agent/agent'
import { check } from '../../lib/core/check'
import type { SessionEvent, SessionHeader } from '../../lib/core/event'
import { createLog } from '../../lib/core/log'
import { PRESETS } from '../../lib/core/policy'
import { BUILDER } from '../../lib/core/request'
import type { Tool } from '../../lib/ports'
import { anthropicModel, DEFAULT_LIMITS } from '../../lib/providers/anthropic'
import { hashJson } from '../../lib/storage/hash'
import { type MemoryDisk, memoryDisk, memoryJournal } from '../../lib/storage/memory'

let fake: Awaited<ReturnType<typeof startFake>>
beforeAll(async () => {
  fake = await startFake({ delay: 0 })
})
afterAll(() => fake.close())
beforeEach(() => fake.state.reset())

const HEADER: SessionHeader = { version: 1, id: 's', createdAt: 1 }
const read: Tool = {
  effect: 'reads',
  spec: { name: 'read', description: 'Reads.', input_schema: { type: 'object' } },
  run: async () => ({
    content: [{ type: 'text', text: 'berth and quay '.repeat(270) }],
    isError: false,
  }),
}

/** Of the stand-in's models. */
const SMALL = { id: 'fake-small-16k', window: 16_000 }

type Ways = {
  /** Silence a summary may keep, in ms. */
  idle?: number
  /** Tokens above which it compacts by itself. */
  absolute?: number
  /** Who writes summaries, where that is not the model itself. */
  summaryModel?: string
}

/** An agent whose chat and summaries both go over HTTP; waits between attempts pass at once. */
function start({ idle = DEFAULT_LIMITS.idle, absolute = 2500, summaryModel }: Ways = {}): {
  agent: Agent
  disk: MemoryDisk
  waits: number[]
} {
  const disk = memoryDisk()
  const waits: number[] = []
  let [id, time] = [0, 1_700_000_000_000]
  const server = { apiKey: 'key', baseURL: fake.url }
  const agent = createAgent({
    log: createLog(HEADER),
    journal: memoryJournal(HEADER.id, disk),
    model: () => anthropicModel(server),
    summariser: () => anthropicModel({ ...server, limits: { ...DEFAULT_LIMITS, idle } }),
    windowOf: (_, model) => (model === SMALL.id ? SMALL.window : 200_000),
    tools: () => [read],
    clock: {
      now: () => ++time,
      async sleep(ms) {
        waits.push(ms)
        time += ms
      },
    },
    newId: () => `id-${id++}`,
    hash: hashJson,
    random: () => 0.5,
    header: () => ({
      provider: 'anthropic',
      model: 'claude-haiku-5-5',
      contextWindow: 200_000,
      system: 'You keep the harbour in order.',
      tools: [read.spec],
      params: { max_tokens: 8000 },
      policy: {
        ...PRESETS.standard,
        threshold: { absolute, ratio: 0.8 },
        micro: { ...PRESETS.standard.micro, when: 'off' },
        keepTail: 'newest-unit',
        ...(summaryModel !== undefined && { summaryModel }),
      },
      builder: BUILDER,
    }),
    maxSteps: 20,
    onCommit: () => {},
    onLive: () => {},
  })
  return { agent, disk, waits }
}

/** Eight steps, each with a result of about a thousand tokens: above the threshold from the third on. */
const task = (directive: string): string =>
  [
    `Read on. ${directive}`,
    ...Array.from({ length: 8 }, (_, n) => `[[call: read {"n":${n}}]]`),
    '[[reply: All read.]]',
  ].join(' [[then]] ')

type Asked = { kind: string; status: number }
const asked = async (): Promise<Asked[]> =>
  (await fetch(`${fake.url}/__control/log`)).json() as Promise<Asked[]>

const ends = (events: readonly SessionEvent[]): (string | undefined)[] =>
  events.flatMap((event) => (event.type === 'compact/end' ? [event.data.error?.code] : []))

const failing: [string, string, number][] = [
  ['empty', '[[summary: empty]]', 1],
  ['longer than what they replace', '[[summary: long 4000]]', 1],
  ['cut off', '[[summary: stop max_tokens]]', 1],
  ['only thinking', '[[summary: empty]] [[summary: thinking]]', 1],
  ['a tool call', '[[summary: empty]] [[summary: call read {"n":9}]]', 1],
  ['refused', '[[summary: stop refusal]]', 1],
  ['silent', '[[summary: stall]]', 3],
  ['rate limited, with a time to wait', '[[summary: error 429 retry-after=20]]', 3],
  ['overloaded', '[[summary: error 529]]', 3],
  [
    'too large for the summariser',
    '[[summary: error 400 prompt is too long: 9 tokens > 8 maximum]]',
    1,
  ],
]

it.each(failing)(
  '[C11] summaries that are %s cost two brackets at the provider, a whole session long',
  async (kind, directive, calls) => {
    const { agent, disk, waits } = start(kind === 'silent' ? { idle: 500 } : {})
    await agent.send([{ type: 'text', text: task(directive) }])
    await agent.idle()
    await agent.send([{ type: 'text', text: 'And more. [[reply: More.]]' }])
    await agent.idle()
    const all = await asked()
    expect(all.filter((one) => one.kind === 'summary')).toHaveLength(2 * calls)
    // Nothing the stand-in refuses by itself, and the task was finished all the same.
    expect(all.filter((one) => one.kind === 'step' && one.status !== 200)).toEqual([])
    expect(all.filter((one) => one.kind === 'step')).toHaveLength(10)
    expect(ends(disk.events)).toEqual(['summary', 'summary'])
    // Two more attempts a bracket, each no sooner than the server asked for.
    if (kind.startsWith('rate')) expect(waits.filter((ms) => ms >= 19_000)).toHaveLength(4)
    expect(agent.live.problem).toMatchObject({ code: 'automatic-stopped' })
    expect(check(HEADER, disk.events)).toEqual([])
    await agent.close()
  },
)

it('[C11] summaries without their sections help, and cost one call for each that does', async () => {
  const { agent, disk } = start()
  await agent.send([{ type: 'text', text: task('[[summary: reply Some of it was read.]]') }])
  await agent.idle()
  const summaries = (await asked()).filter(({ kind }) => kind === 'summary')
  expect(ends(disk.events).every((code) => code === undefined)).toBe(true)
  expect(summaries).toHaveLength(ends(disk.events).length)
  expect(summaries.length).toBeGreaterThan(0)
  expect(summaries.length).toBeLessThan(7)
  expect(check(HEADER, disk.events)).toEqual([])
  await agent.close()
})

it('[C10] a span four times the summariser’s window goes out in parts that the provider takes', async () => {
  const { agent, disk } = start({ absolute: 150_000, summaryModel: SMALL.id })
  for (const part of ['one', 'two', 'three']) {
    await agent.send([
      { type: 'text', text: `${part} ${'berth and quay and crane '.repeat(3600)}` },
    ])
    await agent.idle()
  }
  const [done] = (await agent.compactNow(new AbortController().signal)) ?? []
  expect(done!.shadowedTokenCount).toBeGreaterThan(2 * SMALL.window)
  const summaries = (await asked()).filter(({ kind }) => kind === 'summary')
  expect(summaries.length).toBeGreaterThan(4)
  // The stand-in refuses what its window does not hold.
  expect(summaries.map(({ status }) => status)).toEqual(summaries.map(() => 200))
  expect(disk.events.filter(({ type }) => type === 'compact/window')).toHaveLength(
    summaries.length - 1,
  )
  expect(check(HEADER, disk.events)).toEqual([])
  await agent.close()
})
