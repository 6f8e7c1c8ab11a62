import { expect, it } from 'vitest'
import { type Line, says, stalls, uses } from './testing/model'
import { reader, rig, text } from './testing/rig'

function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), passed }
}

it('what is typed while busy is stored, shown, and starts turns of its own in order', async () => {
  const { open, passed } = gate()
  const r = rig({ script: [[passed, ...says('a')] as Line, says('b'), says('c')] })
  await r.agent.send(text('one'))
  await r.agent.send(text('two'))
  await r.agent.send(text('three'))
  expect(r.agent.live.queued.map(({ content }) => content)).toEqual([text('two'), text('three')])
  expect(r.disk.queue).toHaveLength(2)
  open()
  await r.agent.idle()
  expect(r.surface()).toEqual([
    'human: one',
    'assistant: a',
    'human: two',
    'assistant: b',
    'human: three',
    'assistant: c',
  ])
  expect([r.agent.live.queued, r.disk.queue]).toEqual([[], []])
  await r.verify()
})

it('send now slips one in before the next step; the rest wait for their turns', async () => {
  const { open, passed } = gate()
  const script: Line[] = [[passed, ...uses(['a', 'read'])], says('b'), says('c')]
  const r = rig({ tools: [reader], script })
  await r.agent.send(text('one'))
  await r.agent.send(text('later'))
  await r.agent.send(text('urgent'))
  await r.agent.sendNow(r.agent.live.queued[1]!.id)
  expect(r.disk.queue[1]).toMatchObject({ sendNow: true })
  open()
  await r.agent.idle()
  expect(r.surface()).toEqual([
    'human: one',
    'assistant: 1 calls',
    'result: lorem ipsu',
    'human: urgent',
    'assistant: b',
    'human: later',
    'assistant: c',
  ])
  expect(r.types().filter((type) => type === 'turn/start')).toHaveLength(2)
  await r.verify()
})

it('send now with nothing running begins a turn at once', async () => {
  const r = rig({ script: [stalls(), says('ok')] })
  await r.agent.send(text('one'))
  await r.until(({ step }) => step === 1)
  await r.agent.send(text('two'))
  r.agent.stop()
  await r.agent.idle()
  expect(r.agent.live).toMatchObject({ held: true, queued: [{ content: text('two') }] })
  await r.agent.sendNow(r.agent.live.queued[0]!.id)
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: one', 'human: two', 'assistant: ok'])
  await r.verify()
})

it('after a stop the queue is held, and goes on after the next message', async () => {
  const r = rig({ script: [stalls(), says('b'), says('c')] })
  await r.agent.send(text('one'))
  await r.until(({ step }) => step === 1)
  await r.agent.send(text('two'))
  r.agent.stop()
  await r.agent.idle()
  expect(r.model.asked).toHaveLength(1)
  await r.agent.send(text('three'))
  await r.agent.idle()
  expect(r.surface().filter((node) => node.startsWith('human'))).toEqual([
    'human: one',
    'human: three',
    'human: two',
  ])
  await r.verify()
})

it('a queued message can be taken back', async () => {
  const { open, passed } = gate()
  const r = rig({ script: [[passed, ...says('a')] as Line] })
  await r.agent.send(text('one'))
  await r.agent.send(text('two'))
  await r.agent.unqueue(r.agent.live.queued[0]!.id)
  open()
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: one', 'assistant: a'])
  expect(r.disk.queue).toEqual([])
  await r.verify()
})

it('a queued message and its row leave together: no moment holds both or neither', async () => {
  const { open, passed } = gate()
  const r = rig({ script: [[passed, ...says('a')] as Line, says('b')] })
  await r.agent.send(text('one'))
  await r.agent.send(text('two'))
  const moments: number[] = []
  r.disk.beforeWrite = () => {
    const logged = r.events().filter(({ type }) => type === 'user/message').length
    moments.push(logged + r.disk.queue.length)
  }
  open()
  await r.agent.idle()
  expect(new Set(moments)).toEqual(new Set([2]))
  await r.verify()
})

it('two messages sent at once become a turn and a queued message, neither is lost', async () => {
  const r = rig({ script: [says('a'), says('b')] })
  await Promise.all([r.agent.send(text('one')), r.agent.send(text('two'))])
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: one', 'assistant: a', 'human: two', 'assistant: b'])
  await r.verify()
})

it('[C7] a message that slips in is weighed before the next request', async () => {
  const { open, passed } = gate()
  const r = rig({
    tools: [reader],
    header: { contextWindow: 8000 },
    script: [
      uses(['a', 'read', { size: 7000 }]),
      [passed, ...uses(['b', 'read'])] as Line,
      says('c'),
    ],
    summaries: [says('## Request and intent\nRead.')],
  })
  await r.agent.send(text('one'))
  await r.written('step/start', 2)
  await r.agent.send(text('x'.repeat(16_000)))
  await r.agent.sendNow(r.agent.live.queued[0]!.id)
  open()
  await r.agent.idle()
  const types = r.types()
  const slipped = types.lastIndexOf('compact/start') - 1
  expect(types[slipped]).toBe('user/message')
  expect(types.slice(slipped + 1)).toContain('step/start')
  await r.verify()
})
