import { expect, it } from 'vitest'
import type { EventOf } from '../core/event'
import { textOf } from '../core/message'
import type { Live } from './live'
import { says, stalls, uses } from './testing/model'
import { reader, rig, text, tool } from './testing/rig'

const shows = (live: Live, words: string) => textOf(live.content) === words
const never = tool('never', () => new Promise<never>(() => {}))

it('stop before the first word keeps the prompt and nothing else', async () => {
  const r = rig({ script: [stalls()] })
  await r.agent.send(text('go'))
  await r.until((live) => live.phase === 'waiting' && live.step === 1)
  r.agent.stop()
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: go'])
  expect(r.events().at(-1)!.data).toEqual({ turn: 1, reason: 'cancelled' })
  expect(r.agent.live).toMatchObject({ phase: 'idle', held: true })
  await r.verify()
})

it('stop while streaming keeps what came as an interrupted message', async () => {
  const r = rig({ script: [stalls('Half a sen')] })
  await r.agent.send(text('go'))
  await r.until((live) => shows(live, 'Half a sen'))
  r.agent.stop()
  await r.agent.idle()
  const message = r.events().find((event) => event.type === 'assistant/message')
  expect(message?.data).toMatchObject({ interrupted: true, content: text('Half a sen') })
  expect(r.types()).not.toContain('request/failed')
  await r.verify()
})

it('[R3] stop while calls stream drops the cut one and answers the complete one', async () => {
  const beats = uses(['a', 'never'], ['b', 'never', '{"size": 12']).slice(0, -1)
  const r = rig({ tools: [never], script: [[...beats, 'hang']] })
  await r.agent.send(text('go'))
  await r.until((live) => live.typing?.text === '{"size": 12')
  r.agent.stop()
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: go', 'assistant: 1 calls', 'error: Cancelled by the use'])
  expect(r.types()).not.toContain('tool/call')
  await r.verify()
})

it('stop does not wait for a model that ignores its signal', async () => {
  const deaf = {
    provider: 'fake',
    async *stream() {
      yield { type: 'block', index: 0, block: { type: 'text', text: 'x' } } as const
      await new Promise(() => {})
    },
  }
  const r = rig({ deps: { model: () => deaf } })
  await r.agent.send(text('go'))
  await r.until((live) => live.phase === 'streaming')
  r.agent.stop()
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: go', 'assistant: x'])
  await r.verify()
})

it('stop while tools run answers those that still run and keeps those that finished', async () => {
  const r = rig({
    tools: [never, reader],
    script: [uses(['a', 'never'], ['b', 'read', { size: 5 }])],
  })
  await r.agent.send(text('go'))
  await r.written('tool/result')
  r.agent.stop()
  await r.agent.idle()
  expect(r.surface()).toEqual([
    'human: go',
    'assistant: 2 calls',
    'result: lorem',
    'error: Cancelled by the use',
  ])
  expect(r.types().slice(-2)).toEqual(['step/end', 'turn/end'])
  await r.verify()
})

it('a tool hears the stop', async () => {
  const heard: boolean[] = []
  const listening = tool(
    'listening',
    (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          heard.push(true)
          resolve({ content: text('late'), isError: false })
        })
      }),
  )
  const r = rig({ tools: [listening], script: [uses(['a', 'listening'])] })
  await r.agent.send(text('go'))
  await r.until((live) => live.phase === 'tools')
  r.agent.stop()
  await r.agent.idle()
  expect(heard).toEqual([true])
  await r.verify()
})

it('stop right after the prompt was sent sends no request', async () => {
  const r = rig({ script: [says('no')] })
  await r.agent.send(text('go'))
  r.agent.stop()
  await r.agent.idle()
  expect(r.model.asked).toEqual([])
  expect(r.events().at(-1)!.data).toEqual({ turn: 1, reason: 'cancelled' })
  await r.verify()
})

it('a turn after a stop starts clean', async () => {
  const r = rig({ script: [stalls('Half'), says('whole')] })
  await r.agent.send(text('go'))
  await r.until((live) => live.phase === 'streaming')
  r.agent.stop()
  await r.agent.idle()
  await r.agent.send(text('again'))
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: go', 'assistant: Half', 'human: again', 'assistant: whole'])
  await r.verify()
})

it('[R3] the stream row is at most 500 ms behind and goes with the message', async () => {
  const r = rig({ script: [stalls('Half a sen')] })
  await r.agent.send(text('go'))
  await r.until((live) => shows(live, 'Half a sen'))
  expect(r.disk.stream).toBeNull()
  expect(r.clock.sleepers()).toEqual([expect.any(Number)])
  expect(r.clock.sleepers()[0]).toBeLessThanOrEqual(500)
  const writes = r.disk.writes
  r.clock.advance(500)
  await new Promise((resolve) => setImmediate(resolve))
  expect(r.disk.stream).toMatchObject({ turn: 1, step: 1, content: text('Half a sen') })
  r.clock.advance(5000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(r.disk.writes).toBe(writes + 1)
  r.agent.stop()
  await r.agent.idle()
  expect(r.disk.stream).toBeNull()
  const message = r.events().find((event) => event.type === 'assistant/message')
  expect((message as EventOf<'assistant/message'>).data.content).toEqual(text('Half a sen'))
  await r.verify()
})

it('[R3] a reply that ends takes its stream row with it, and no save lands after it', async () => {
  const order: string[] = []
  let finishSave = () => {}
  const r = rig({
    script: [
      [
        ...stalls('Half').slice(0, -1),
        async () => r.clock.advance(500),
        { type: 'end', stopReason: 'end_turn' },
      ],
    ],
    journal: (memory) => ({
      ...memory,
      async saveStream(row) {
        order.push('save begins')
        await new Promise<void>((resolve) => {
          finishSave = resolve
        })
        await memory.saveStream(row)
        order.push('save ends')
      },
      async append(write) {
        if (write.endStream) order.push('append')
        await memory.append(write)
      },
    }),
  })
  await r.agent.send(text('go'))
  await r.until(({ phase, content }) => phase === 'streaming' && content.length > 0)
  for (let turns = 0; order.length === 0 && turns < 100; turns++)
    await new Promise((resolve) => setImmediate(resolve))
  finishSave()
  await r.agent.idle()
  expect(order).toEqual(['save begins', 'save ends', 'append'])
  expect(r.disk.stream).toBeNull()
  await r.verify()
})

it('what a deaf model says after the stop is not shown', async () => {
  let speak = () => {}
  const late = new Promise<void>((resolve) => {
    speak = resolve
  })
  const deaf = {
    provider: 'fake',
    async *stream() {
      yield { type: 'block', index: 0, block: { type: 'text', text: 'x' } } as const
      await late
      yield { type: 'delta', index: 0, delta: { type: 'text', text: 'late' } } as const
    },
  }
  const r = rig({ deps: { model: () => deaf } })
  await r.agent.send(text('go'))
  await r.until((live) => live.phase === 'streaming')
  r.agent.stop()
  await r.agent.idle()
  const told = r.lives.length
  speak()
  await new Promise((resolve) => setImmediate(resolve))
  expect(r.lives).toHaveLength(told)
  await r.verify()
})
