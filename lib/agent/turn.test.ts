import { expect, it } from 'vitest'
import type { EventOf, SessionEvent } from '../core/event'
import type { Block } from '../core/message'
import { says, uses } from './testing/model'
import { reader, rig, text, tool } from './testing/rig'

const endOf = (events: SessionEvent[]) =>
  events.filter((event) => event.type === 'turn/end').map((event) => event.data.reason)
const resultsOf = (events: SessionEvent[]) =>
  events.filter((event): event is EventOf<'tool/result'> => event.type === 'tool/result')

it('[Q1] a turn is its prompt, the header, then steps that carry the hash of what was sent', async () => {
  const r = rig({ script: [says('Hello there')] })
  await r.agent.send(text('hi'))
  await r.agent.idle()
  expect(r.types()).toEqual([
    'session/open',
    'turn/start',
    'user/message',
    'request/header',
    'step/start',
    'assistant/message',
    'step/end',
    'turn/end',
  ])
  expect(r.agent.live).toMatchObject({ phase: 'idle', content: [], held: false })
  await r.verify()
})

it('[Q1] a header is written again only when the choice has changed', async () => {
  const r = rig({ script: [says('a'), says('b'), says('c')] })
  await r.agent.send(text('1'))
  await r.agent.idle()
  await r.agent.send(text('2'))
  await r.agent.idle()
  r.chosen = { ...r.chosen, model: 'fake-2' }
  await r.agent.send(text('3'))
  await r.agent.idle()
  expect(r.types().filter((type) => type === 'request/header')).toHaveLength(2)
  expect(r.model.asked.map(({ model }) => model)).toEqual(['fake-1', 'fake-1', 'fake-2'])
  await r.verify()
})

it('[Q3] a model chosen while a turn runs takes effect at the next turn', async () => {
  const r = rig({ tools: [reader], script: [uses(['a', 'read']), says('b'), says('c')] })
  const sent = r.agent.send(text('1'))
  await r.written('tool/call')
  r.chosen = { ...r.chosen, model: 'fake-2' }
  await sent
  await r.agent.idle()
  await r.agent.send(text('2'))
  await r.agent.idle()
  expect(r.model.asked.map(({ model }) => model)).toEqual(['fake-1', 'fake-1', 'fake-2'])
  await r.verify()
})

it('all intents of a message are durable before any of its tools runs, and they run at once', async () => {
  let running = 0
  let most = 0
  let release = () => {}
  const both = new Promise<void>((resolve) => {
    release = resolve
  })
  const seen: number[] = []
  const meet = tool('meet', async () => {
    seen.push(r.types().filter((type) => type === 'tool/call').length)
    most = Math.max(most, ++running)
    if (running === 2) release()
    await both
    return { content: text('met'), isError: false }
  })
  const r = rig({ tools: [meet], script: [uses(['a', 'meet'], ['b', 'meet']), says('done')] })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect({ seen, most }).toEqual({ seen: [2, 2], most: 2 })
  await r.verify()
})

it('results are appended as they come, with how long each took', async () => {
  let finishFirst = () => {}
  const first = new Promise<void>((resolve) => {
    finishFirst = resolve
  })
  const slow = tool('slow', async () => {
    await first
    return { content: text('slow'), isError: false }
  })
  const fast = tool('fast', () => ({ content: text('fast'), isError: false }))
  const r = rig({ tools: [slow, fast], script: [uses(['a', 'slow'], ['b', 'fast']), says('done')] })
  await r.agent.send(text('go'))
  const live = await r.until(({ running }) => running.length === 1)
  expect(live).toMatchObject({ phase: 'tools', running: [{ callId: 'a', name: 'slow' }] })
  r.clock.advance(250)
  finishFirst()
  await r.agent.idle()
  const results = resultsOf(r.events())
  expect(results.map(({ data }) => data.callId)).toEqual(['b', 'a'])
  expect(results[1]!.data.durationMs).toBeGreaterThanOrEqual(250)
  expect(results[0]!.data.durationMs).toBeLessThan(250)
  await r.verify()
})

it('an unknown tool, unreadable arguments, a bug and a wordless error become results the model can act on', async () => {
  const bug = tool('bug', () => {
    throw new Error('oops')
  })
  const mute = tool('mute', () => ({ content: [], isError: true }))
  const calls = uses(['a', 'nope'], ['b', 'mute', '{"x": '], ['c', 'bug'], ['d', 'mute'])
  const r = rig({ tools: [bug, mute], script: [calls, says('sorry')] })
  await r.agent.send(text('go'))
  await r.agent.idle()
  const results = resultsOf(r.events()).toSorted((a, b) => (a.data.callId < b.data.callId ? -1 : 1))
  expect(results.map(({ data }) => [data.isError, JSON.stringify(data.content)])).toEqual([
    [true, expect.stringContaining('no tool named nope. The tools are: bug, mute')],
    [true, expect.stringContaining('not valid JSON')],
    [true, expect.stringContaining('The tool failed: oops')],
    [true, expect.stringContaining('without a message')],
  ])
  const call = r.events().find((event) => event.type === 'tool/call' && event.data.callId === 'b')
  expect(call?.data).toMatchObject({ input: {}, raw: '{"x": ' })
  await r.verify()
})

it('[P2] ids a provider uses again are logged under ids of their own', async () => {
  const again = uses(['call_0', 'read'])
  const r = rig({ tools: [reader], script: [again, again, says('done')] })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect(resultsOf(r.events()).map(({ data }) => data.callId)).toEqual(['call_0', 'call_0_2'])
  await r.verify()
})

it('[L5] text that enters is repaired, and the live state says so', async () => {
  const broken = tool('broken', () => ({ content: text('a\udc00'), isError: false }))
  const r = rig({ tools: [broken], script: [uses(['a', 'broken']), says('b')] })
  await r.agent.send(text('x\ud800'))
  await r.agent.idle()
  expect(r.agent.live.repaired).toBe(2)
  expect(r.surface()).toContain('human: x\uFFFD')
  await r.verify()
})

it('a step limit ends the turn', async () => {
  const more = uses(['a', 'read'])
  const r = rig({ tools: [reader], script: [more, more, more], maxSteps: 2 })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect([endOf(r.events()), r.model.asked.length]).toEqual([['max-steps'], 2])
  await r.verify()
})

it('[R3] at the output limit the complete call is answered, the cut one left out, the turn ended', async () => {
  const cut = [
    ...uses(['a', 'read', { size: 3 }], ['b', 'read', '{"size": 12']).slice(0, -1),
    { type: 'end', stopReason: 'max_tokens' } as const,
  ]
  const r = rig({ tools: [reader], script: [cut] })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect(r.surface()).toEqual(['human: go', 'assistant: 1 calls', 'error: Not run: the reply r'])
  expect(r.types()).not.toContain('tool/call')
  expect(endOf(r.events())).toEqual(['max-tokens'])
  await r.verify()
})

it('a paused reply goes on in the next step, with nothing put between', async () => {
  const r = rig({ script: [says('searching', 'pause_turn'), says('found')] })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect(r.model.asked[1]!.messages.at(-1)!.role).toBe('assistant')
  expect(endOf(r.events())).toEqual(['completed'])
  await r.verify()
})

it.each(['refusal', 'stop_sequence', 'something_new'])(
  'a reply that stops with %s completes the turn',
  async (stopReason) => {
    const r = rig({ script: [says('well', stopReason)] })
    await r.agent.send(text('go'))
    await r.agent.idle()
    expect(endOf(r.events())).toEqual(['completed'])
    await r.verify()
  },
)

it('an empty reply completes the turn and derives no message', async () => {
  const r = rig({ script: [says(''), says('hello')] })
  await r.agent.send(text('go'))
  await r.agent.idle()
  await r.agent.send(text('and?'))
  await r.agent.idle()
  expect(r.model.asked[1]!.messages).toHaveLength(1)
  await r.verify()
})

it('[Q4] a request that would be refused is not sent, and the turn says why', async () => {
  const r = rig({ script: [] })
  await r.agent.send(text('   '))
  await r.agent.idle()
  expect(r.model.asked).toEqual([])
  expect(r.types()).not.toContain('step/start')
  expect(endOf(r.events())).toEqual(['error'])
  expect(r.agent.live).toMatchObject({
    phase: 'failed',
    problem: { code: 'invalid-request', message: expect.stringContaining('Q4') },
  })
  await r.verify()
})

it('a bug ends the turn as interrupted, says so, and the session can go on', async () => {
  let isBroken = true
  const r = rig({
    script: [says('fine')],
    deps: {
      tools: () => [],
      hash: async () => {
        if (isBroken) throw new Error('no crypto here')
        return 'h'
      },
    },
  })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect(r.agent.live).toMatchObject({
    phase: 'failed',
    problem: { code: 'internal', message: 'no crypto here' },
  })
  expect(endOf(r.events())).toEqual(['interrupted'])
  isBroken = false
  await r.agent.send(text('again'))
  await r.agent.idle()
  expect(endOf(r.events())).toEqual(['interrupted', 'completed'])
})

it('an idle agent waits for nothing', async () => {
  const r = rig({ script: [says('hello')] })
  await r.agent.send(text('hi'))
  await r.agent.idle()
  const told = r.lives.length
  r.clock.advance(3_600_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect([r.clock.sleepers(), r.lives.length]).toEqual([[], told])
})

it('[Q4] a session that holds an image no model takes goes on, and the model reads why it sees none', async () => {
  const source = { type: 'blob' as const, hash: 'h', media_type: 'image/png', bytes: 9 }
  const wide: Block = { type: 'image', source: { ...source, width: 9000, height: 100 } }
  const r = rig({ script: [says('I see none'), says('still none')] })
  await r.agent.send([wide])
  await r.agent.idle()
  await r.agent.send(text('and now?'))
  await r.agent.idle()
  expect(r.surface().at(-1)).toBe('assistant: still none')
  expect(r.agent.live.problem).toBeUndefined()
  for (const { messages } of r.model.asked)
    expect(JSON.stringify(messages[0])).toContain('9000 × 100 pixels; at most 8000 a side')
  await r.verify()
})

it('[L5] half a surrogate pair in the system prompt is repaired, and the turn runs', async () => {
  const r = rig({ script: [says('ok')], header: { system: 'Be kind \ud83d' } })
  await r.agent.send(text('go'))
  await r.agent.idle()
  expect(r.model.asked[0]?.system).toMatchObject([{ text: 'Be kind \ufffd' }])
  expect(r.surface()).toEqual(['human: go', 'assistant: ok'])
  await r.verify()
})
