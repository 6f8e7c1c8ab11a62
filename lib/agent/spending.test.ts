import { expect, it } from 'vitest'
import type { EventOf, Spent } from '../core/event'
import type { Usage } from '../core/message'
import { PRESETS } from '../core/policy'
import { compactionCost, costSeqs } from '../core/projections/cost'
import { emptyUsage, extendUsage } from '../core/projections/usage'
import type { ModelEvent } from '../ports'
import { createSpending } from './spending'
import { type Beat, fails, type Line, says, stalls, uses } from './testing/model'
import { type Rig, reader, rig, text } from './testing/rig'

const WORDS = '## Request and intent\nRead.'
const input: Usage = { input_tokens: 900, output_tokens: 1, cache_read_input_tokens: 400 }
const start: ModelEvent = { type: 'start', model: 'fake-1', usage: input }
/** A reply that tells its input at once, then breaks off. */
const breaks: Beat[] = [start, ...fails('overloaded', { status: 529 })]
const hangs: Beat[] = [start, ...stalls('So far').slice(1)]
const off = { ...PRESETS.standard.micro, when: 'off' as const }

async function rested(summaries: Line[], more: Parameters<typeof rig>[0] = {}): Promise<Rig> {
  const r = rig({
    tools: [reader],
    policy: { micro: off, keepTail: 'newest-unit' },
    script: [...[1, 2, 3].map((n) => uses([`r${n}`, 'read', { size: 9000 }])), says('read')],
    summaries,
    ...more,
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  return r
}

const ends = (r: Rig) =>
  r
    .events()
    .filter((event): event is EventOf<'compact/end'> => event.type === 'compact/end')
    .map(({ data }) => ({ code: data.error?.code ?? 'done', spent: data.spent }))

/** What the card of the newest bracket says. */
function costOf(r: Rig) {
  const id = r.log.heads.findLast(({ type }) => type === 'compact/end')!.compactionId!
  return compactionCost(
    r.log,
    costSeqs(r.log.heads, id).map((seq) => r.events()[seq]!),
  )
}
const summaryTotals = (r: Rig) => extendUsage(emptyUsage(), r.log.heads).summaries

it('[C5] a cancelled call leaves what it had reported: on its card, and in the sums of the session', async () => {
  const r = await rested([hangs])
  const controller = new AbortController()
  const work = r.agent.compactNow(controller.signal).catch(() => null)
  while (!r.agent.live.compaction?.text) await new Promise((next) => setImmediate(next))
  controller.abort()
  await work
  const spent: Spent = { calls: 1, usage: input, cut: true }
  expect(ends(r)).toEqual([{ code: 'cancelled', spent }])
  expect(costOf(r)).toMatchObject({
    calls: 1,
    wasted: 1,
    isCut: true,
    usage: { input_tokens: 900, output_tokens: 1, cache_read_input_tokens: 400 },
  })
  expect(summaryTotals(r)).toMatchObject({ input_tokens: 900, requests: 1 })
  await r.verify()
})

it('[C5] [C6] an answer that is of no use was paid for in full', async () => {
  const r = await rested([says('')])
  await r.agent.compactNow(new AbortController().signal).catch(() => null)
  const [end] = ends(r)
  expect(end).toMatchObject({ code: 'summary', spent: { calls: 1 } })
  expect(end!.spent!.usage.input_tokens).toBeGreaterThan(5000)
  expect(end!.spent).not.toHaveProperty('cut')
  expect(costOf(r)).toMatchObject({ calls: 1, wasted: 1, isCut: false })
  await r.verify()
})

it('[C5] attempts that were asked again stand beside the summary that came; a refusal without figures does not', async () => {
  const r = await rested([breaks, fails('server', { status: 500 }), says(WORDS)])
  const work = r.agent.compactNow(new AbortController().signal)
  let isDone = false
  void work.then(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((next) => setImmediate(next))
    const [wait] = r.clock.sleepers()
    if (wait !== undefined && r.agent.live.retry) r.clock.advance(wait)
  }
  expect(ends(r)).toEqual([{ code: 'done', spent: { calls: 1, usage: input, cut: true } }])
  const { calls, wasted, usage, savedPerRequest } = costOf(r)
  expect({ calls, wasted }).toEqual({ calls: 2, wasted: 1 })
  expect(usage.input_tokens).toBeGreaterThan(5900)
  expect(savedPerRequest).toBeGreaterThan(1000)
  expect(summaryTotals(r).requests).toBe(2)
  await r.verify()
})

it('[C5] [C10] windows that were written are counted once, the one that broke off is what was spent', async () => {
  const part = says('## Request and intent\nA part was read with care.')
  const r = await rested([part, hangs], {
    header: { contextWindow: 400_000 },
    policy: { micro: off, keepTail: 'newest-unit', summaryModel: 'small-1' },
    deps: { windowOf: () => 6000 },
  })
  const controller = new AbortController()
  const work = r.agent.compactNow(controller.signal).catch(() => null)
  while (r.agent.live.compaction?.text !== 'So far') await new Promise((next) => setImmediate(next))
  controller.abort()
  await work
  expect(ends(r)).toEqual([{ code: 'cancelled', spent: { calls: 1, usage: input, cut: true } }])
  expect(costOf(r)).toMatchObject({ calls: 2, wasted: 1, unreported: 0 })
  await r.verify()
})

it('sums up calls, keeps fields that nobody reported absent, and counts no zeros', () => {
  const spending = createSpending()
  spending.cut(undefined)
  spending.cut({ input_tokens: 0, output_tokens: 0 })
  expect(spending.total()).toBeUndefined()
  spending.waste({ input_tokens: 1, output_tokens: 2 })
  expect(spending.total()).toEqual({ calls: 1, usage: { input_tokens: 1, output_tokens: 2 } })
  spending.cut({ input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 5 })
  spending.waste({ input_tokens: 1, output_tokens: 1 })
  expect(spending.total()).toEqual({
    calls: 3,
    usage: { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 5 },
    cut: true,
  })
})
