import { expect, it } from 'vitest'
import { missingSections } from '../core/accept'
import type { EventOf, SessionEvent } from '../core/event'
import { automaticStopped, explainFloor } from '../core/loop'
import type { Block } from '../core/message'
import { PRESETS, thresholdOf } from '../core/policy'
import { type Beat, fails, type Line, says, uses } from './testing/model'
import { compactTool, type Rig, type RigOptions, reader, rig, text, tool } from './testing/rig'

const off = { ...PRESETS.standard.micro, when: 'off' as const }
const reading = (count: number, size: number): Line[] =>
  Array.from({ length: count }, (_, n) => uses([`r${n}-${size}`, 'read', { size }]))
const thinks: Beat[] = [
  { type: 'start', model: 'fake-1' },
  { type: 'block', index: 0, block: { type: 'thinking', thinking: 'Hm.', signature: 's' } },
  { type: 'end', stopReason: 'end_turn' },
]
const long = 'x'.repeat(60_000)

/** Above its threshold from the third step on, for ten steps. */
const pressed: RigOptions = {
  tools: [reader],
  policy: { threshold: { absolute: 2500, ratio: 0.8 }, micro: off, keepTail: 'newest-unit' },
  script: [...reading(10, 4000), says('read'), says('more')],
}

/** Runs until idle; where an attempt waits, time passes. */
async function runThrough(r: Rig, work: Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  let isDone = false
  work.then(
    () => {
      isDone = true
    },
    () => {
      isDone = true
    },
  )
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    const [next] = r.clock.sleepers()
    if (next === undefined || r.agent.live.retry === undefined) continue
    waits.push(next)
    r.clock.advance(next)
  }
  return waits
}
const run = async (r: Rig, words: string): Promise<number[]> => {
  await r.agent.send(text(words))
  return runThrough(r, r.agent.idle())
}

const failing: [string, Line, number][] = [
  ['empty', says(''), 1],
  ['longer than what it replaces', says(long), 1],
  ['truncated', says('So far', 'max_tokens'), 1],
  ['only thinking', thinks, 1],
  ['a tool call', uses(['x', 'read']), 1],
  ['a refusal', says('I will not.', 'refusal'), 1],
  ['stalled', fails('stalled'), 3],
  [
    'rate limited, with a time to wait',
    fails('rate-limit', { status: 429, retryAfterMs: 30_000 }),
    3,
  ],
  ['too large for the summariser', fails('overflow', { status: 400 }), 1],
  ['overloaded', fails('overloaded', { status: 529 }), 3],
]

it.each(failing)(
  '[C11] summaries that are %s cost two brackets, then automatic compaction stops and says so',
  async (kind, line, calls) => {
    const r = rig({ ...pressed, summaries: Array.from({ length: 40 }, () => line) })
    const waits = await run(r, 'read it all')
    expect(r.summariser.asked).toHaveLength(2 * calls)
    expect(waits).toHaveLength(2 * (calls - 1))
    if (kind.startsWith('rate')) expect(waits.every((ms) => ms >= 29_000)).toBe(true)
    const ends = r
      .events()
      .flatMap((event) => (event.type === 'compact/end' ? [event.data.error?.code] : []))
    expect(ends).toEqual(['summary', 'summary'])
    expect(r.agent.live.problem).toMatchObject({ code: 'automatic-stopped' })
    expect(r.surface().at(-1)).toBe('assistant: read')
    await run(r, 'more')
    expect(r.summariser.asked).toHaveLength(2 * calls)
    await r.verify()
  },
  20_000,
)

it('[C11] a summary with missing sections is accepted and marked: one call for each bracket that helps', async () => {
  const r = rig({ ...pressed, summaries: Array.from({ length: 40 }, () => says('Read some.')) })
  await run(r, 'read it all')
  const done = r
    .events()
    .filter((event): event is EventOf<'compact/summary'> => event.type === 'compact/summary')
  expect(r.summariser.asked).toHaveLength(done.length)
  expect(done.length).toBeGreaterThan(0)
  expect(done.length).toBeLessThan(9)
  expect(missingSections(done[0]!.data.summary)).toHaveLength(8)
  await r.verify()
})

const startsOf = (events: SessionEvent[]) =>
  events.filter(({ type }) => type === 'compact/start').length

it('[C11] each arming event allows two more brackets, no more', async () => {
  const r = rig({
    ...pressed,
    script: [
      ...reading(5, 4000),
      says('read'),
      ...reading(5, 4001),
      says('more'),
      ...reading(4, 4002),
      says('end'),
    ],
    summaries: Array.from({ length: 40 }, () => says('')),
  })
  await run(r, 'read it all')
  expect(startsOf(r.events())).toBe(2)
  r.chosen = { ...r.chosen, model: 'fake-2' }
  await run(r, 'more')
  expect(startsOf(r.events())).toBe(4)
  const [node] = r.events().filter(({ type }) => type === 'user/message')
  await r.agent.setPins([node!.seq], true)
  await r.agent.setPins([node!.seq], false)
  await run(r, 'the end')
  expect(startsOf(r.events())).toBe(6)
  await r.verify()
})

it('[C11] [C12] a model that asks for it again and again pays for two failures as well, and is told', async () => {
  const asks = Array.from({ length: 8 }, (_, n) => uses([`c${n}`, 'compact']))
  const r = rig({
    ...pressed,
    tools: [reader, compactTool],
    script: [...reading(3, 4000), ...asks, says('read')],
    summaries: Array.from({ length: 40 }, () => fails('invalid-request')),
  })
  await run(r, 'read it all')
  expect(r.summariser.asked).toHaveLength(2)
  expect(r.agent.live.problem).toMatchObject({ code: 'automatic-stopped' })
  const words = r
    .events()
    .filter((event) => event.type === 'user/message')
    .at(-1)!
  expect(JSON.stringify(words.data.content)).toContain('failed (refused): Automatic compaction')
  await r.verify()
})

it('[C11] a manual success arms it again', async () => {
  const r = rig({
    ...pressed,
    script: [...reading(5, 4000), says('read'), ...reading(6, 4001), says('more')],
    summaries: [
      says(''),
      says(''),
      says('All read.'),
      ...Array.from({ length: 9 }, () => says('')),
    ],
  })
  await run(r, 'read it all')
  expect(await r.agent.compactNow(new AbortController().signal)).toHaveLength(1)
  await run(r, 'more')
  expect(startsOf(r.events())).toBe(5)
  await r.verify()
})

it('[C11] an irreducible floor costs no call at all, and the explainer says what fills it and what helps', async () => {
  const r = rig({
    tools: [reader, tool('other')],
    header: { system: 'You are told a lot. '.repeat(600) },
    policy: { threshold: { ratio: 0.2 }, micro: off, keepTail: 'newest-unit' },
    script: [uses(['a', 'read', { size: 4000 }]), says('read'), says('x'.repeat(900)), says('y')],
    summaries: [],
  })
  await run(r, 'hello')
  const unit = r.events().find(({ type }) => type === 'assistant/message')!.seq
  await r.agent.setPins([unit], true)
  r.chosen = { ...r.chosen, contextWindow: 15_000 }
  await run(r, 'more')
  expect(r.agent.live.problem).toMatchObject({ code: 'automatic-stopped' })
  expect(r.summariser.asked).toEqual([])
  expect(automaticStopped(r.log, r.chosen.policy)?.code).toBe('floor')
  const told = explainFloor(r.log, r.chosen.policy)
  expect(told.total).toBeGreaterThan(told.threshold!)
  expect(told.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThan(0.95 * told.total)
  expect(told.parts[0]!.kind).toBe('system')
  const pins = told.parts.find(({ kind }) => kind === 'pins')!
  expect(pins.seqs).toContain(unit)
  expect(told.remedies.map(({ kind }) => kind)).toEqual(['unpin', 'drop-tools', 'switch-model'])
  const larger = told.remedies.find((one) => one.kind === 'switch-model')!
  expect(larger.window).toBeGreaterThan(15_000)
  expect(thresholdOf(r.chosen.policy, larger.window, 1000)).toBeGreaterThanOrEqual(told.total)
  await r.verify()
})

it('[C11] the explainer offers the newest turn end that was below the threshold as a fork', async () => {
  const r = rig({
    ...pressed,
    script: [says('hi'), ...reading(3, 4000), says('read')],
    summaries: [says(''), says('')],
  })
  await run(r, 'hello')
  const end = r.events().at(-1)!.seq
  await run(r, 'read')
  expect(explainFloor(r.log, r.chosen.policy).remedies).toContainEqual({ kind: 'fork', at: end })
  await r.verify()
})

const picture = (n: number, bytes: number): Block => ({
  type: 'image',
  source: { type: 'blob', hash: `h${n}`, media_type: 'image/png', bytes, width: 100, height: 100 },
})
const camera = (bytes: number) => {
  let n = 0
  return tool('look', () => ({ content: [picture(n++, bytes)], isError: false }))
}
const looking = (count: number): Line[] =>
  Array.from({ length: count }, (_, n) => uses([`l${n}`, 'look']))
const mediaOf = (r: Rig) =>
  (r.model.asked.at(-1)!.messages.flatMap(({ content }) => content) as { content?: Block[] }[])
    .flatMap(({ content }) => content ?? [])
    .filter(({ type }) => type === 'image').length

it('[C9] [M4] old images go first when bytes run out, long before tokens do, and no model is paid for it', async () => {
  const r = rig({
    tools: [camera(3_000_000)],
    policy: { micro: off },
    script: [...looking(12), says('seen')],
    summaries: [],
  })
  await run(r, 'look around')
  expect(r.types()).toContain('compact/prune')
  expect(r.types()).not.toContain('compact/start')
  for (const body of r.model.asked) expect(JSON.stringify(body).length).toBeLessThan(32_000_000)
  expect(mediaOf(r)).toBeGreaterThan(1)
  expect(mediaOf(r)).toBeLessThan(8)
  const first = r.events().find((event) => event.type === 'compact/prune')!
  expect(first.data.shadowedSeqs[0]).toBe(
    r.events().find(({ type }) => type === 'tool/result')!.seq,
  )
  await r.verify()
})

it('[C9] [M4] no request holds more images than the provider takes', async () => {
  const r = rig({
    tools: [camera(1000)],
    policy: { micro: off },
    script: [...looking(104), says('seen')],
    summaries: [],
    maxSteps: 110,
    header: { contextWindow: 1_000_000 },
  })
  await run(r, 'look around')
  expect(r.surface().at(-1)).toBe('assistant: seen')
  expect(r.types()).not.toContain('request/failed')
  await r.verify()
}, 60_000)

it('[C9] a server that refuses the bytes (413) has media taken away first, whatever our limits say', async () => {
  const r = rig({
    tools: [camera(200_000)],
    policy: { micro: off },
    header: { contextWindow: undefined },
    script: [...looking(4), fails('overflow', { status: 413 }), says('seen')],
    summaries: [says('Looked.')],
  })
  await run(r, 'look around')
  const pruned = r.events().filter((event) => event.type === 'compact/prune')
  expect(pruned.length).toBeGreaterThan(0)
  expect(r.types().indexOf('compact/prune')).toBeLessThan(r.types().indexOf('compact/start'))
  expect(r.surface().at(-1)).toBe('assistant: seen')
  await r.verify()
})

it('[C11] [M4] failing summaries under byte pressure stop after two brackets as well', async () => {
  const r = rig({
    policy: { micro: off, keepTail: 'newest-unit' },
    script: Array.from({ length: 8 }, () => says('nice')),
    summaries: Array.from({ length: 20 }, () => says('')),
  })
  for (let n = 0; n < 5; n++) {
    await r.agent.send([picture(n, 4_500_000), ...text('look')])
    await r.agent.idle()
  }
  expect(r.summariser.asked).toHaveLength(2)
  expect(r.agent.live.problem).toMatchObject({ code: 'automatic-stopped' })
  await r.verify()
})
