import { expect, it } from 'vitest'
import type { EventOf } from '../core/event'
import { PRESETS } from '../core/policy'
import type { RequestBody } from '../core/request'
import { requestAt } from '../core/request'
import { estimateRequest } from '../core/valid'
import { hashJson } from '../storage/hash'
import { fails, type Line, says, stalls, uses } from './testing/model'
import { reader, rig, text } from './testing/rig'

const summary = says('## Request and intent\nRead.')
const signal = () => new AbortController().signal
const off = {
  micro: { ...PRESETS.standard.micro, when: 'off' as const },
  keepTail: 'newest-unit' as const,
}
const WINDOW = 32_000

const reading = (count: number, size: number): Line[] =>
  Array.from({ length: count }, (_, n) => uses([`r${n}`, 'read', { size }]))
const sizeOf = (body: RequestBody) =>
  JSON.stringify([body.system, body.tools, body.messages]).length / 4 + body.max_tokens
const askedPart = ({ messages }: RequestBody): string =>
  /^<transcript part="(\d+)" of="(\d+)">|^<part /.exec(
    JSON.parse(JSON.stringify(messages))[0].content[0].text,
  )?.[0] ?? ''

/** A session whose history is `count` results of `size` characters, at rest. */
async function rested(count: number, size: number, summaries: Line[], window = WINDOW) {
  const r = rig({
    tools: [reader],
    header: { contextWindow: 4_000_000 },
    policy: { ...off, summaryModel: 'small-1' },
    script: [...reading(count, size), says('read')],
    summaries,
    maxSteps: count + 2,
    deps: { windowOf: (_, model) => (model === 'small-1' ? window : undefined) },
  })
  await r.agent.send(text('read it all'))
  await r.agent.idle()
  return r
}

it('[C10] [Q5] a history of 5,000,000 characters compacts with a summariser of 32k tokens', async () => {
  const long = says(`## Request and intent\n${'Read a part of it, with care. '.repeat(80)}`)
  const r = await rested(
    20,
    250_000,
    Array.from({ length: 200 }, () => long),
  )
  const results = (await r.agent.compactNow(signal()))!
  expect(results).toHaveLength(1)
  const { asked } = r.summariser
  expect(asked.length).toBeGreaterThan(40)
  for (const body of asked) {
    expect(body.model).toBe('small-1')
    expect(sizeOf(body)).toBeLessThanOrEqual(WINDOW)
  }
  const windows = r
    .events()
    .filter((event): event is EventOf<'compact/window'> => event.type === 'compact/window')
  expect(windows).toHaveLength(asked.length - 1)
  expect(windows.map(({ data }) => data.index)).toEqual(windows.map((_, index) => index))
  expect(windows.every(({ data }) => data.usage && data.requestHash)).toBe(true)
  expect(asked.filter((body) => askedPart(body).startsWith('<part')).length).toBeGreaterThan(1)
  expect(r.surface()).toEqual(['checkpoint', 'assistant: read'])
  const shown = r.lives.flatMap(({ compaction }) => (compaction?.part ? [compaction.part] : []))
  const of = shown[0]!.of
  expect(
    new Set(shown.filter(({ phase }) => phase === 'window').map(({ index }) => index)).size,
  ).toBe(of)
  expect(shown.at(-1)).toEqual({ phase: 'merge', index: 1, of: 1 })
  const last = r.events().findLast(({ type }) => type === 'compact/summary')!
  const read = async (seq: number) => r.events()[seq]!
  expect(await requestAt(r.log.heads, read, last.seq)).toEqual(asked.at(-1))
  for (const at of [0, 7, windows.length - 1])
    expect(await hashJson(await requestAt(r.log.heads, read, windows[at]!.seq))).toBe(
      windows[at]!.data.requestHash,
    )
  expect(await requestAt(r.log.heads, read, results[0]!.startSeq)).toEqual(asked[0])
}, 60_000)

it('[C10] [Q5] every window and the merge are rebuilt from the log; nothing of the span is missing', async () => {
  const r = await rested(
    6,
    20_000,
    Array.from({ length: 9 }, () => summary),
    12_000,
  )
  await r.agent.compactNow(signal())
  const parts = r.summariser.asked.map(askedPart)
  expect(parts[0]).toMatch(/part="1" of="\d"/)
  expect(parts.at(-1)).toMatch(/^<part/)
  const sent = r.summariser.asked.map((body) => JSON.stringify(body.messages)).join('')
  for (const seq of r
    .events()
    .flatMap((event) => (event.type === 'tool/result' ? [event.seq] : [])))
    expect(sent).toContain(`#${seq} result of read`)
  await r.verify()
})

it('[C10] a unit larger than a window is cut inside its text', async () => {
  const r = await rested(
    1,
    90_000,
    Array.from({ length: 9 }, () => summary),
    12_000,
  )
  expect(await r.agent.compactNow(signal())).toHaveLength(1)
  expect(r.summariser.asked.length).toBeGreaterThan(3)
  expect(JSON.stringify(r.summariser.asked[2]!.messages)).toContain('result of read (continued)')
  await r.verify()
})

it('[C10] the conversation itself is asked where it fits, its transcript where only that does', async () => {
  const r = rig({
    tools: [reader],
    header: { contextWindow: 200_000, system: 'You are told much. '.repeat(3000) },
    policy: off,
    script: [...reading(2, 9000), says('read')],
    summaries: [summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  r.chosen = { ...r.chosen, contextWindow: 14_000 }
  expect(await r.agent.compactNow(signal())).toHaveLength(1)
  expect(r.summariser.asked).toHaveLength(1)
  expect(r.summariser.asked[0]!.tools).toEqual([])
  expect(estimateRequest(r.summariser.asked[0]!)).toBeLessThan(14_000)
  expect(r.types()).not.toContain('compact/window')
  await r.verify()
})

it('[C10] [C11] a record that does not help ends the bracket at once: one call, and the windows paid for stay', async () => {
  const useless = [
    says('x'.repeat(60_000)),
    says(''),
    says('cut off', 'max_tokens'),
    uses(['x', 'read']),
  ]
  for (const line of useless) {
    const r = await rested(6, 20_000, [summary, line, summary], 12_000)
    const before = r.surface()
    await expect(r.agent.compactNow(signal())).rejects.toMatchObject({ code: 'summary' })
    expect(r.summariser.asked).toHaveLength(2)
    expect(r.types().filter((type) => type === 'compact/window')).toHaveLength(1)
    expect(r.surface()).toEqual(before)
    await r.verify()
  }
})

it('[C10] [C5] a cancel ends it in the middle of a window', async () => {
  const r = await rested(6, 20_000, [summary, stalls('Half')], 12_000)
  const before = r.surface()
  const controller = new AbortController()
  const wished = r.agent.compactNow(controller.signal)
  const live = await r.until(({ compaction }) => compaction?.text === 'Half')
  expect(live.compaction?.part).toMatchObject({ phase: 'window', index: 2 })
  controller.abort()
  await expect(wished).rejects.toMatchObject({ code: 'cancelled' })
  expect(r.surface()).toEqual(before)
  expect(r.log.state.bracket).toBeNull()
  await r.verify()
})

it('[C10] a summariser with hardly any window is never asked', async () => {
  const r = await rested(2, 9000, [summary], 900)
  await expect(r.agent.compactNow(signal())).rejects.toMatchObject({ code: 'refused' })
  expect(r.summariser.asked).toEqual([])
  expect(r.types()).not.toContain('compact/start')
  await r.verify()
})

it('[C10] a summary request the provider finds too large is asked again in windows, smaller', async () => {
  const r = rig({
    tools: [reader],
    header: { contextWindow: undefined },
    policy: off,
    script: [...reading(4, 20_000), says('read')],
    summaries: [fails('overflow'), ...Array.from({ length: 6 }, () => summary)],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  expect(await r.agent.compactNow(signal())).toHaveLength(1)
  const [first, ...rest] = r.summariser.asked
  for (const body of rest) expect(sizeOf(body)).toBeLessThan(0.6 * sizeOf(first!))
  expect(r.types().filter((type) => type === 'compact/start')).toHaveLength(2)
  await r.verify()
})
