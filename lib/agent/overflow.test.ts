import { expect, it } from 'vitest'
import type { EventOf, SessionEvent } from '../core/event'
import { PRESETS } from '../core/policy'
import { fails, type Line, says, stalls, uses } from './testing/model'
import { reader, rig, text } from './testing/rig'

const reading = (count: number, size: number): Line[] =>
  Array.from({ length: count }, (_, n) => uses([`r${n}`, 'read', { size }]))
const summary = says('## Request and intent\nRead.')
/** The window is unknown: only the provider can say that it is full (C7). */
const blind = {
  tools: [reader],
  header: { contextWindow: undefined },
  policy: { micro: { ...PRESETS.standard.micro, when: 'off' as const } },
}
const endOf = (events: SessionEvent[]) =>
  events.filter((event) => event.type === 'turn/end').map(({ data }) => data.reason)
const startsOf = (events: SessionEvent[]) =>
  events.filter((event): event is EventOf<'compact/start'> => event.type === 'compact/start')

it('[C9] the failed step closes, all but the newest unit is compacted, a fresh step asks once more', async () => {
  const r = rig({
    ...blind,
    script: [...reading(2, 4000), fails('overflow'), says('done')],
    summaries: [summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  const types = r.types()
  const failed = types.indexOf('request/failed')
  expect(types.slice(failed, failed + 7)).toEqual([
    'request/failed',
    'step/end',
    'compact/start',
    'compact/summary',
    'user/message',
    'compact/end',
    'step/start',
  ])
  expect(startsOf(r.events())[0]!.data).toMatchObject({ trigger: 'context-overflow', turn: 1 })
  expect(r.surface()).toEqual([
    'checkpoint',
    'assistant: 1 calls',
    expect.stringMatching(/^result/),
    'assistant: done',
  ])
  const steps = r
    .events()
    .flatMap((event) => (event.type === 'step/start' ? [event.data.step] : []))
  expect(steps).toEqual([1, 2, 3, 4])
  expect(endOf(r.events())).toEqual(['completed'])
  await r.verify()
})

it('[C9] a prune alone is a replacement: with nothing to summarise the step is tried again', async () => {
  const r = rig({
    ...blind,
    policy: { ...blind.policy, prune: { thresholdChars: 3000, headChars: 500, tailChars: 100 } },
    script: [...reading(1, 9000), fails('overflow'), says('done')],
    summaries: [],
  })
  await r.agent.send(text('x'))
  await r.agent.idle()
  const causes = r
    .events()
    .flatMap((event) => (event.type === 'compact/prune' ? [event.data.cause] : []))
  expect(causes).toEqual(['overflow'])
  expect(startsOf(r.events())).toEqual([])
  expect(endOf(r.events())).toEqual(['completed'])
  await r.verify()
})

it("[C9] where nothing can be replaced the provider's own error stands", async () => {
  const r = rig({ ...blind, script: [fails('overflow')] })
  await r.agent.send(text('too much already'))
  await r.agent.idle()
  expect(endOf(r.events())).toEqual(['error'])
  expect(r.agent.live).toMatchObject({
    phase: 'failed',
    problem: { code: 'overflow', message: 'scripted overflow' },
  })
  await r.verify()
})

it('[C9] there is one retry: a second overflow in a row ends the turn', async () => {
  const r = rig({
    ...blind,
    script: [...reading(3, 4000), fails('overflow'), fails('overflow')],
    summaries: [summary, summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  expect(startsOf(r.events())).toHaveLength(1)
  expect(endOf(r.events())).toEqual(['error'])
  await r.verify()
})

it('[C9] a step that worked in between earns the next overflow its own retry', async () => {
  const [read] = reading(1, 4000)
  const r = rig({
    ...blind,
    script: [read!, read!, fails('overflow'), read!, read!, fails('overflow'), says('done')],
    summaries: [summary, summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  expect(startsOf(r.events())).toHaveLength(2)
  expect(endOf(r.events())).toEqual(['completed'])
  await r.verify()
})

it('[C9] a failed summary leaves nothing to retry with', async () => {
  const r = rig({
    ...blind,
    script: [...reading(2, 4000), fails('overflow')],
    summaries: [fails('authentication')],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  expect(endOf(r.events())).toEqual(['error'])
  expect(r.agent.live.problem).toMatchObject({ code: 'overflow' })
  await r.verify()
})

it('[C9] a cancel wins over the retry', async () => {
  const r = rig({
    ...blind,
    script: [...reading(2, 4000), fails('overflow'), says('never')],
    summaries: [stalls('So far')],
  })
  await r.agent.send(text('read'))
  await r.until(({ compaction }) => compaction?.text === 'So far')
  r.agent.stop()
  await r.agent.idle()
  expect(endOf(r.events())).toEqual(['cancelled'])
  expect(r.model.left()).toBe(1)
  await r.verify()
})

it('[C9] a reply cut off by a full window stays, and the model is told to go on', async () => {
  const r = rig({
    ...blind,
    script: [
      ...reading(2, 4000),
      says('The answer beg', 'model_context_window_exceeded'),
      says('ins here.'),
    ],
    summaries: [summary, summary, summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  expect(r.surface()).toEqual([
    'checkpoint',
    'assistant: The answer beg',
    'notice: Your reply was cut o',
    'assistant: ins here.',
  ])
  expect(endOf(r.events())).toEqual(['completed'])
  await r.verify()
})

it('[C9] calls of such a reply are answered as not run', async () => {
  const cut = [...uses(['last', 'read']).slice(0, -1)]
  const r = rig({
    ...blind,
    script: [
      ...reading(2, 4000),
      [...cut, { type: 'end', stopReason: 'model_context_window_exceeded' }] as Line,
      says('done'),
    ],
    summaries: [summary, summary, summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  expect(r.surface()).toEqual([
    'checkpoint',
    'assistant: 1 calls',
    'error: Not run: the context',
    'assistant: done',
  ])
  await r.verify()
})

it('[C10] a request known not to fit is never sent: it is compacted first', async () => {
  const r = rig({
    tools: [reader],
    header: { contextWindow: 8000 },
    policy: { threshold: { ratio: 5 }, micro: { ...PRESETS.standard.micro, when: 'off' } },
    script: [...reading(2, 14_000), says('done'), says('more')],
    summaries: [summary, summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  await r.agent.send(text('z'.repeat(6000)))
  await r.agent.idle()
  expect(r.types()).not.toContain('request/failed')
  expect(startsOf(r.events())[0]!.data.trigger).toBe('context-overflow')
  expect(endOf(r.events())).toEqual(['completed', 'completed'])
  await r.verify()
})

it('[C10] a prompt larger than the window ends the turn with words, and nothing is sent', async () => {
  const r = rig({ header: { contextWindow: 2000 }, script: [says('never')] })
  await r.agent.send(text('z'.repeat(20_000)))
  await r.agent.idle()
  expect(r.model.asked).toEqual([])
  expect(r.agent.live.problem).toMatchObject({
    code: 'overflow',
    message: expect.stringMatching(/^The request holds \d+ tokens; the window holds 2000/),
  })
  await r.verify()
})

it('[C9] one retry holds even where a second relief could make room', async () => {
  const cut = says('The answer begins and goes on. '.repeat(100), 'model_context_window_exceeded')
  const r = rig({
    ...blind,
    script: [...reading(2, 4000), cut, cut, says('never')],
    summaries: [summary, summary],
  })
  await r.agent.send(text('read'))
  await r.agent.idle()
  expect(startsOf(r.events())).toHaveLength(1)
  expect(endOf(r.events())).toEqual(['error'])
  expect(r.model.left()).toBe(1)
  await r.verify()
})

it('[C9] a window found full at a later attempt is logged as that attempt', async () => {
  const full = says('', 'model_context_window_exceeded')
  const r = rig({
    ...blind,
    script: [...reading(2, 4000), fails('overloaded'), full, says('on')],
    summaries: [summary],
  })
  await r.agent.send(text('read'))
  await r.until((live) => live.retry?.attempt === 2)
  r.clock.advance(1000)
  await r.agent.idle()
  const failed = r
    .events()
    .flatMap((event) =>
      event.type === 'request/failed' ? [[event.data.attempt, event.data.error.code]] : [],
    )
  expect(failed).toEqual([
    [1, 'overloaded'],
    [2, 'overflow'],
  ])
  expect(endOf(r.events())).toEqual(['completed'])
  await r.verify()
})
