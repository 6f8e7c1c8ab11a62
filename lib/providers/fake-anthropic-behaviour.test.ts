/** What the stand-in bills, says and remembers. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SECTIONS } from '../../e2e/support/fake-anthropic/conversation.mjs'
import type { Block } from '../core/message'
import { prefixInstruction, transcriptInstruction } from '../core/prompt'
import {
  assistant,
  bodyOf,
  call,
  controlOf,
  type Fake,
  postTo,
  readFile,
  result,
  startQuickFake,
  text,
  user,
} from './testing/fake'

let fake: Fake
beforeAll(async () => {
  fake = await startQuickFake()
})
afterAll(() => fake.close())
beforeEach(() => fake.state.reset())

const post = postTo(() => fake)
const control = controlOf(() => fake)

const model = 'claude-sonnet-5-5'
const cached = { cache_control: { type: 'ephemeral' } }

describe('the prompt cache', () => {
  const long = (n: number) => text(`${n} ${'word '.repeat(1000)}`)
  const mark = (block: Block) => ({ ...block, ...cached }) as Block
  const usage = async (body: object) => {
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = (
      await post(body)
    ).usage
    return {
      rest: input_tokens!,
      written: cache_creation_input_tokens!,
      read: cache_read_input_tokens!,
    }
  }
  const counted = async (body: object) =>
    ((await post(body, '/v1/messages/count_tokens')) as unknown as { input_tokens: number })
      .input_tokens

  it('[Q6] bills every token once: read, written, or plain', async () => {
    const body = bodyOf([user(mark(long(1)), 'tail')])
    const total = await counted({ ...body, max_tokens: undefined })
    const first = await usage(body)
    const second = await usage(body)
    expect(first.read).toBe(0)
    expect(first.written).toBeGreaterThan(1024)
    expect(first.written + first.rest).toBe(total)
    expect(second).toEqual({ read: first.written, written: 0, rest: first.rest })
  })

  it('[Q6] extends a prefix when the conversation grows', async () => {
    const first = await usage(bodyOf([user(mark(long(1)))]))
    const second = await usage(bodyOf([user(long(1)), assistant('yes'), user(mark(long(2)))]))
    expect(second.read).toBe(first.written)
    expect(second.written).toBeGreaterThan(1024)
  })

  it('[X5] finds nothing behind an early change, and the system’s prefix after a change in the messages', async () => {
    const system = [mark(long(0))]
    const before = await usage({ ...bodyOf([user(long(1), mark(long(2)))]), system })
    const after = await usage({ ...bodyOf([user(text('changed'), mark(long(2)))]), system })
    expect(after.read).toBeGreaterThan(1024)
    expect(after.read).toBeLessThan(before.written)
    const other = await usage({ ...bodyOf([user('hi')]), system: [mark(long(9))] })
    expect(other.read).toBe(0)
  })

  it('[Q6] begins with the tools', async () => {
    const body = { ...bodyOf([user(mark(long(1)))]) }
    await usage(body)
    const renamed = { ...readFile, name: 'read_files' }
    expect((await usage({ ...body, tools: [renamed] })).read).toBe(0)
  })

  it('[Q6] keeps no prefix under 1024 tokens', async () => {
    const body = bodyOf([user(mark(text('word '.repeat(500))))])
    expect(await usage(body)).toMatchObject({ written: 0, read: 0 })
    expect(await usage(body)).toMatchObject({ written: 0, read: 0 })
  })

  it('[Q6] looks back over 20 blocks from a breakpoint and no further', async () => {
    const bits = (n: number) => Array.from({ length: n }, (_, i) => text(`bit ${i}`))
    await usage(bodyOf([user(mark(long(1)))]))
    expect(
      (await usage(bodyOf([user(long(1), ...bits(18), mark(text('end')))]))).read,
    ).toBeGreaterThan(0)
    fake.state.cache.clear()
    await usage(bodyOf([user(mark(long(1)))]))
    expect((await usage(bodyOf([user(long(1), ...bits(19), mark(text('end')))]))).read).toBe(0)
  })

  it('[Q6] forgets after five minutes without use, by a clock that can be put forward', async () => {
    const body = bodyOf([user(mark(long(1)))])
    const { written } = await usage(body)
    await control('clock', { advance: 4 * 60_000 })
    expect((await usage(body)).read).toBe(written)
    await control('clock', { advance: 4 * 60_000 })
    expect((await usage(body)).read).toBe(written)
    await control('clock', { advance: 5 * 60_000 + 1000 })
    expect((await usage(body)).read).toBe(0)
  })

  it('[Q6] keeps a prefix alive that a later breakpoint found by looking back', async () => {
    const body = bodyOf([user(mark(long(1)))])
    const { written } = await usage(body)
    await control('clock', { advance: 4 * 60_000 })
    await usage(bodyOf([user(long(1)), assistant('yes'), user(mark(long(2)))]))
    await control('clock', { advance: 4 * 60_000 })
    expect((await usage(body)).read).toBe(written)
  })
})

describe('what it says', () => {
  const say = async (body: object) => (await post(body)).content
  const words = (content: Block[]) => content.map((block) => (block as { text?: string }).text)

  it('follows directives step by step, counting replies since the newest text', async () => {
    const first = user(
      '[[call: read_file {"path":"a"}]] [[then]] [[call: read_file {"path":"b"}]] [[reply: Both read.]]',
    )
    const one = await say(bodyOf([first]))
    expect(one).toMatchObject([{ type: 'tool_use', input: { path: 'a' } }])
    const id = (block: Block | undefined) => (block as { id: string }).id
    const soFar = [first, assistant(...one), user(result(id(one[0])))]
    const two = await say(bodyOf(soFar))
    expect(two).toMatchObject([{ type: 'tool_use', input: { path: 'b' } }])
    const three = await say(bodyOf([...soFar, assistant(...two), user(result(id(two[0])))]))
    expect(words(three)).toEqual(['Both read.'])
  })

  it('thinks when it is given room to', async () => {
    const room = { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } }
    const content = await say({ ...bodyOf('hi'), ...room })
    expect(content.map((block) => block.type)).toEqual(['thinking', 'text'])
  })

  it('calls tools on plain requests and quotes what they gave', async () => {
    const first = user('Please read notes.md and plan.md')
    const calls = await say(bodyOf([first]))
    expect(calls.slice(1)).toMatchObject([
      { name: 'read_file', input: { path: 'notes.md' } },
      { name: 'read_file', input: { path: 'plan.md' } },
    ])
    const ids = calls.slice(1).map((block) => (block as { id: string }).id)
    const results = ids.map((id) => result(id, [text('# Notes\nmore')]))
    const [answer] = words(await say(bodyOf([first, assistant(...calls), user(...results)])))
    expect(answer).toContain('beginning with “# Notes”')
  })

  it('[C14] answers both forms of a summary request with every section', async () => {
    const conversation = [user('build it'), assistant('built'), user('thanks', prefixInstruction())]
    for (const body of [bodyOf(conversation), bodyOf(transcriptInstruction('#0 user\nbuild it'))]) {
      const [summary] = words(await say(body))
      for (const section of SECTIONS) expect(summary).toContain(`## ${section}\n`)
      expect(fake.state.log.at(-1)?.kind).toBe('summary')
    }
  })

  it('[C13] goes on with a scripted task from the summary of it, and takes that summary for no request', async () => {
    const task = user(
      '[[call: read_file {"path":"a"}]] [[then]] [[call: read_file {"path":"b"}]] [[reply: Done.]]',
    )
    const head = [task, assistant(call()), user(result(), prefixInstruction('keep names'))]
    const [summary] = words(await say(bodyOf(head)))
    const next = await say(bodyOf(`<record>\n${summary}\n</record>\nrecall_search finds it.`))
    expect(next).toMatchObject([{ type: 'tool_use', input: { path: 'b' } }])
    expect(fake.state.log.at(-1)?.kind).toBe('step')
    const other = await say(bodyOf([user(`<record>\n${summary}\n</record>`, '[[reply: New.]]')]))
    expect(words(other)).toEqual(['New.'])
  })

  it('keeps [[summary: …]] for summary requests', async () => {
    const said = '[[summary: error 529 once]] [[reply: fine]]'
    expect(words(await say(bodyOf(said)))).toEqual(['fine'])
    const request = bodyOf([user(said, prefixInstruction())])
    expect((await post(request)).status).toBe(529)
    expect((await post(request)).status).toBe(200)
  })

  it('takes scripted steps first, in order, where they match', async () => {
    await control('script', [
      { match: 'second', text: 'B' },
      { kind: 'summary', text: 'S' },
      { text: 'A' },
    ])
    expect(words(await say(bodyOf('first')))).toEqual(['A'])
    expect(words(await say(bodyOf('second')))).toEqual(['B'])
    expect(words(await say(bodyOf([user('x', prefixInstruction())])))).toEqual(['S'])
    expect(fake.state.script).toEqual([])
  })

  it('logs each request with its times, and forgets on reset', async () => {
    await say(bodyOf('hi'))
    const log = (await (await fetch(`${fake.url}/__control/log`)).json()) as object[]
    expect(log).toMatchObject([
      { path: '/v1/messages', status: 200, model, kind: 'step', finished: true },
    ])
    await control('reset', {})
    expect(await (await fetch(`${fake.url}/__control/log`)).json()).toEqual([])
  })
})
