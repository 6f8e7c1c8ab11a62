/** Why replies stop, and what the loop makes of it. */

import { describe, expect, it } from 'vitest'
import { reader, tool } from '../../agent/testing/rig'
import { endOf, lastReply, raw, reply, say, script, sse, startBench } from '../testing/conformance'

const bench = startBench()
const echo = tool('echo')
const statuses = () => bench.calls().map((call) => call.status)

describe('a reply that stops with', () => {
  it.each([
    ['end_turn', 'completed'],
    ['stop_sequence', 'completed'],
    ['refusal', 'completed'],
    ['a_reason_from_the_future', 'completed'],
    ['max_tokens', 'max-tokens'],
  ])(
    '[R3] %s ends the turn as %s; the reason is in the log, the next request is taken',
    async (stop, end) => {
      const run = bench.agent()
      script(bench, raw(reply(sse.text(0, 'So far.'), stop)))
      await say(run, 'one')
      expect(lastReply(run)).toMatchObject({ stopReason: stop, content: [{ text: 'So far.' }] })
      expect(endOf(run)).toBe(end)
      await say(run, 'two')
      expect(statuses()).toEqual([200, 200])
      await run.verify()
    },
  )

  it('tool_use goes on by itself', async () => {
    const run = bench.agent({ tools: [echo] })
    script(bench, { calls: [{ name: 'echo', input: {} }] })
    await say(run, 'go')
    expect([endOf(run), statuses()]).toEqual(['completed', [200, 200]])
  })

  it('end_turn though it calls a tool runs the tool: some servers say so', async () => {
    const run = bench.agent({ tools: [echo] })
    script(bench, raw(reply(sse.call(0, 'toolu_1', 'echo', '{}'), 'end_turn')))
    await say(run, 'go')
    expect(run.types()).toContain('tool/call')
    expect([endOf(run), statuses()]).toEqual(['completed', [200, 200]])
    await run.verify()
  })

  it('tool_use without any call ends the turn', async () => {
    const run = bench.agent()
    script(bench, raw(reply(sse.text(0, 'Hm.'), 'tool_use')))
    await say(run, 'go')
    expect([endOf(run), statuses()]).toEqual(['completed', [200]])
  })

  it('no reason at all, but a regular end, is taken for end_turn', async () => {
    const run = bench.agent()
    script(bench, raw(reply(sse.text(0, 'Hm.'), null)))
    await say(run, 'go')
    expect(lastReply(run)).toMatchObject({ stopReason: 'end_turn' })
  })

  it('max_tokens in the middle of a call runs no half call, and Continue goes on', async () => {
    const run = bench.agent({ tools: [echo] })
    script(
      bench,
      raw([
        sse.start(),
        ...sse.text(0, 'I will write it.'),
        sse.open(1, { type: 'tool_use', id: 'toolu_1', name: 'echo', input: {} }),
        sse.delta(1, { type: 'input_json_delta', partial_json: '{"path":"a' }),
        sse.close(1),
        ...sse.end('max_tokens'),
      ]),
    )
    await say(run, 'go')
    expect(endOf(run)).toBe('max-tokens')
    expect(run.types()).not.toContain('tool/call')
    await run.agent.retry()
    await run.agent.idle()
    expect([endOf(run), statuses()]).toEqual(['completed', [200, 200]])
    expect(JSON.stringify(bench.calls()[1]?.body)).toContain('Go on from where it stopped')
    await run.verify()
  })

  it('max_tokens after a whole call does not run it, but answers it', async () => {
    const run = bench.agent({ tools: [echo] })
    script(bench, raw(reply(sse.call(0, 'toolu_1', 'echo', '{"a":1}'), 'max_tokens')))
    await say(run, 'go')
    await say(run, 'on')
    expect(statuses()).toEqual([200, 200])
    expect(JSON.stringify(bench.calls()[1]?.body)).toContain('reached the output limit')
    await run.verify()
  })

  it('pause_turn is continued from its own blocks, as the provider wants', async () => {
    const run = bench.agent()
    script(bench, { text: 'Searching.', pause: true })
    await say(run, 'go')
    expect(statuses()).toEqual([200, 200])
    const sent = bench.calls()[1]?.body as { messages: { role: string }[] }
    expect(sent.messages.at(-1)?.role).toBe('assistant')
    expect(endOf(run)).toBe('completed')
    await run.verify()
  })

  it('pause_turn for ever ends at the step limit', async () => {
    const run = bench.agent({ maxSteps: 4 })
    script(bench, ...Array.from({ length: 9 }, () => ({ text: 'Hm.', pause: true })))
    await say(run, 'go')
    expect(run.agent.live.problem).toBeUndefined()
    expect([endOf(run), bench.calls().length]).toEqual(['max-steps', 4])
    await run.verify()
  })

  it('[C9] model_context_window_exceeded keeps the words and makes room before it goes on', async () => {
    const run = bench.agent({ tools: [reader], policy: { keepTail: 'newest-unit' } })
    await say(
      run,
      `[[call: read {"size":12000}]] [[then]] [[call: read {"size":12000}]] [[then]] [[reply: read]]`,
    )
    const before = bench.calls().length
    script(bench, raw(reply(sse.text(0, 'Half of it'), 'model_context_window_exceeded')))
    await say(run, 'go')
    expect(run.types().some((type) => type === 'compact/start' || type === 'compact/prune')).toBe(
      true,
    )
    expect(
      bench
        .calls()
        .slice(before)
        .every((call) => call.status === 200),
    ).toBe(true)
    expect(JSON.stringify(run.events())).toContain('Half of it')
    expect(endOf(run)).toBe('completed')
    await run.verify()
  })

  it('refusal after a call does not run it', async () => {
    const run = bench.agent({ tools: [echo] })
    script(bench, raw(reply(sse.call(0, 'toolu_1', 'echo', '{}'), 'refusal')))
    await say(run, 'go')
    expect(run.types()).not.toContain('tool/call')
    await say(run, 'and now?')
    expect(statuses()).toEqual([200, 200])
    await run.verify()
  })
})
