import { expect, it } from 'vitest'
import type { SessionEvent } from '../core/event'
import { backoff } from './ask'
import { fails, says, stalls } from './testing/model'
import { rig, text } from './testing/rig'

const failedOf = (events: SessionEvent[]) =>
  events
    .filter((event) => event.type === 'request/failed')
    .map(({ data }) => [data.attempt, data.error.code])

it('a passing failure is retried with growing waits, each failed attempt an event', async () => {
  const r = rig({ script: [fails('overloaded'), fails('network'), says('at last')] })
  await r.agent.send(text('go'))
  const first = await r.until((live) => live.retry?.attempt === 2)
  expect(first).toMatchObject({ phase: 'retrying', retry: { error: { code: 'overloaded' } } })
  expect(first.retry!.at - r.clock.now()).toBeGreaterThan(900)
  expect(r.clock.sleepers()[0]).toBeLessThanOrEqual(1000)
  r.clock.advance(1000)
  await r.until((live) => live.retry?.attempt === 3)
  expect(r.clock.sleepers()[0]).toBeGreaterThan(1900)
  r.clock.advance(2000)
  await r.agent.idle()
  expect(failedOf(r.events())).toEqual([
    [1, 'overloaded'],
    [2, 'network'],
  ])
  expect(r.surface()).toEqual(['human: go', 'assistant: at last'])
  expect(r.agent.live.retry).toBeUndefined()
  await r.verify()
})

it('the third failure ends the turn with its error', async () => {
  const script = [fails('server'), fails('stalled'), fails('rate-limit')]
  const r = rig({ script })
  await r.agent.send(text('go'))
  await r.until((live) => live.retry?.attempt === 2)
  r.clock.advance(1000)
  await r.until((live) => live.retry?.attempt === 3)
  r.clock.advance(2000)
  await r.agent.idle()
  expect(failedOf(r.events())).toHaveLength(3)
  expect(r.agent.live).toMatchObject({ phase: 'failed', problem: { code: 'rate-limit' } })
  expect(r.types().slice(-2)).toEqual(['step/end', 'turn/end'])
  await r.verify()
})

it("the server's own wish is honoured where it is longer", async () => {
  const r = rig({ script: [fails('rate-limit', { retryAfterMs: 30_000 }), says('ok')] })
  await r.agent.send(text('go'))
  await r.until((live) => live.phase === 'retrying')
  r.clock.advance(29_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(r.model.asked).toHaveLength(1)
  r.clock.advance(1000)
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: go', 'assistant: ok'])
  await r.verify()
})

it('retry() asks at once instead of waiting', async () => {
  const r = rig({ script: [fails('rate-limit', { retryAfterMs: 600_000 }), says('ok')] })
  await r.agent.send(text('go'))
  await r.until((live) => live.phase === 'retrying')
  await r.agent.retry()
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: go', 'assistant: ok'])
  await r.verify()
})

it('stop ends the wait', async () => {
  const r = rig({ script: [fails('overloaded')] })
  await r.agent.send(text('go'))
  await r.until((live) => live.phase === 'retrying')
  r.agent.stop()
  await r.agent.idle()
  expect(r.events().at(-1)!.data).toEqual({ turn: 1, reason: 'cancelled' })
  expect(r.clock.sleepers()).toEqual([])
  await r.verify()
})

it.each(['authentication', 'billing', 'invalid-request', 'not-found'] as const)(
  '%s is not retried',
  async (code) => {
    const r = rig({ script: [fails(code)] })
    await r.agent.send(text('go'))
    await r.agent.idle()
    expect(failedOf(r.events())).toEqual([[1, code]])
    expect(r.agent.live.problem).toMatchObject({ code })
    await r.verify()
  },
)

it('[R3] once content has streamed nothing is repeated: what came is kept as interrupted', async () => {
  const broken = [...stalls('Half an ans').slice(0, -1), ...fails('network')]
  const r = rig({ script: [broken, says('The other half')] })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: go', 'assistant: Half an ans'])
  expect(r.agent.live).toMatchObject({ phase: 'failed', problem: { code: 'network' }, held: true })
  const message = r.events().find((event) => event.type === 'assistant/message')
  expect(message?.data).toMatchObject({ interrupted: true })
  await r.verify()
  await r.agent.retry()
  await r.agent.idle()
  expect(r.surface()).toEqual([
    'human: go',
    'assistant: Half an ans',
    'notice: Your last reply was ',
    'assistant: The other half',
  ])
  await r.verify()
})

it('retry() after a turn that failed before any reply runs a turn on the same prompt', async () => {
  const r = rig({ script: [fails('authentication'), says('welcome')] })
  await r.agent.send(text('go'))
  await r.agent.idle()
  await r.agent.retry()
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: go', 'assistant: welcome'])
  expect(r.agent.live).toMatchObject({ phase: 'idle', problem: undefined })
  await r.verify()
})

it('a reply that breaks off without an end counts as a network failure', async () => {
  const r = rig({ script: [[{ type: 'start', model: 'fake-1' }], says('ok')] })
  await r.agent.send(text('go'))
  await r.until((live) => live.phase === 'retrying')
  await r.agent.retry()
  await r.agent.idle()
  expect(failedOf(r.events())).toEqual([[1, 'network']])
  await r.verify()
})

it('a wait longer than a timer can be set for is as long as one can be', () => {
  const far = { code: 'rate-limit' as const, message: 'later', retryAfterMs: 1.7e12 }
  expect(backoff(1, far, 0.5)).toBe(2 ** 31 - 1)
})

it('[L5] a server that quotes half a surrogate pair is tried again like any other', async () => {
  const r = rig({ script: [fails('overloaded', { message: 'busy with \ud83d' }), says('ok')] })
  await r.agent.send(text('go'))
  await r.until((live) => live.phase === 'retrying' || live.phase === 'failed')
  await r.agent.retry()
  await r.agent.idle()
  expect(failedOf(r.events())).toEqual([[1, 'overloaded']])
  expect(r.surface()).toEqual(['human: go', 'assistant: ok'])
  await r.verify()
})
