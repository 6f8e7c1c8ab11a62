import { expect, it } from 'vitest'
import type { Journal } from '../ports'
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

/** A journal whose next writes of queued messages wait for a gate each. */
function slowQueue() {
  const gates: ReturnType<typeof gate>[] = []
  let isSlow = false
  const journal = (inner: Journal): Journal => ({
    ...inner,
    async saveQueued(message) {
      if (isSlow) {
        const own = gate()
        gates.push(own)
        await own.passed
      }
      return inner.saveQueued(message)
    },
  })
  const slow = () => {
    isSlow = true
  }
  const open = () => {
    isSlow = false
    for (const own of gates) own.open()
  }
  return { journal, slow, open, gates }
}

const humans = (r: ReturnType<typeof rig>) => r.surface().filter((node) => node.startsWith('human'))

it('send now asked for twice sends once, though the second is written when the first is sent', async () => {
  const [reply, end] = [gate(), gate()]
  const store = slowQueue()
  const script: Line[] = [
    [reply.passed, ...uses(['a', 'read'])],
    [end.passed, ...uses(['b', 'read'])],
    says('c'),
  ]
  const r = rig({ tools: [reader], script, journal: store.journal })
  await r.agent.send(text('one'))
  await r.agent.send(text('two'))
  const { id } = r.agent.live.queued[0]!
  store.slow()
  const [first, second] = [r.agent.sendNow(id), r.agent.sendNow(id)]
  await expect.poll(() => store.gates.length).toBeGreaterThan(0)
  store.gates[0]!.open()
  await first
  reply.open()
  await r.written('step/start', 2)
  store.open()
  await second
  end.open()
  await r.agent.idle()
  expect(humans(r)).toEqual(['human: one', 'human: two'])
  expect([r.agent.live.queued, r.disk.queue]).toEqual([[], []])
  await r.verify()
})

it('a message whose turn comes while send now is being written is sent once', async () => {
  const { open, passed } = gate()
  const store = slowQueue()
  const script: Line[] = [[passed, ...says('a')] as Line, says('b'), says('c')]
  const r = rig({ script, journal: store.journal })
  await r.agent.send(text('one'))
  await r.agent.send(text('two'))
  store.slow()
  const hastened = r.agent.sendNow(r.agent.live.queued[0]!.id)
  await expect.poll(() => store.gates.length).toBe(1)
  open()
  await r.written('turn/end')
  // The next turn begins by itself, unless something is still being done with its message.
  await new Promise((done) => setTimeout(done))
  store.open()
  await hastened
  await r.agent.idle()
  expect(humans(r)).toEqual(['human: one', 'human: two'])
  expect([r.agent.live.queued, r.disk.queue]).toEqual([[], []])
  await r.verify()
})

it('send now asked for twice with nothing running begins one turn', async () => {
  const store = slowQueue()
  const r = rig({ script: [stalls(), says('ok'), says('again')], journal: store.journal })
  await r.agent.send(text('one'))
  await r.until(({ step }) => step === 1)
  await r.agent.send(text('two'))
  r.agent.stop()
  await r.agent.idle()
  const { id } = r.agent.live.queued[0]!
  store.slow()
  const [first, second] = [r.agent.sendNow(id), r.agent.sendNow(id)]
  await first
  await r.written('turn/start', 2)
  store.open()
  await second
  await r.agent.idle()
  expect(humans(r)).toEqual(['human: one', 'human: two'])
  expect(r.types().filter((type) => type === 'turn/start')).toHaveLength(2)
  expect([r.agent.live, r.disk.queue]).toMatchObject([{ phase: 'idle', queued: [] }, []])
  await r.verify()
})

it('a message taken back while send now is being written is not sent', async () => {
  const { open, passed } = gate()
  const store = slowQueue()
  const r = rig({ script: [[passed, ...says('a')] as Line, says('b')], journal: store.journal })
  await r.agent.send(text('one'))
  await r.agent.send(text('two'))
  store.slow()
  const { id } = r.agent.live.queued[0]!
  const asked = [r.agent.sendNow(id), r.agent.unqueue(id)]
  await expect.poll(() => store.gates.length).toBe(1)
  open()
  await r.written('turn/end')
  store.open()
  await Promise.all(asked)
  await r.agent.idle()
  expect(humans(r)).toEqual(['human: one'])
  expect([r.agent.live, r.disk.queue]).toMatchObject([{ phase: 'idle', queued: [] }, []])
  await r.verify()
})
