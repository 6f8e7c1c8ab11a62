import { describe, expect, it } from 'vitest'
import { deriveMessages } from './derive'
import type { EventOf, Policy, RequestHeader, SurfaceEvent } from './event'
import { surfaceNodes } from './log'
import type { Block, Message } from './message'
import { readMeter } from './meter'
import { PRESETS } from './policy'
import { planMicro, pruneDrafts } from './prune'
import { buildRequest, type RequestBody, validateRequest } from './request'
import {
  assistant,
  build,
  call,
  createWriter,
  notice,
  type Part,
  requestHeader,
  result,
  summary,
  use,
  user,
  type Writer,
} from './testing/build'

const text = (words: string): Block => ({ type: 'text', text: words })
const thinking = (words: string, signature = 'sig'): Block => ({
  type: 'thinking',
  thinking: words,
  signature,
})
const voice = { provider: 'test', model: 'model-a' }
const surfaceEvents = ({ log, events }: Pick<Writer, 'log' | 'events'>) =>
  surfaceNodes(log).map((seq) => events[seq] as SurfaceEvent)
const derive = (...parts: Part[]): Message[] =>
  deriveMessages(surfaceEvents(build(...parts)), voice)
const shape = (messages: Message[]) =>
  messages.map(({ role, content }) => [
    role,
    ...content.map(
      (block) =>
        (block as { tool_use_id?: string; text?: string }).tool_use_id ??
        (block as { text?: string }).text,
    ),
  ])

describe('messages', () => {
  it('[Q2] nodes of one role become one message', () => {
    expect(
      shape(derive(user('a'), notice('b'), assistant('c'), assistant('d'), user('e'))),
    ).toEqual([
      ['user', 'a', 'b'],
      ['assistant', 'c', 'd'],
      ['user', 'e'],
    ])
  })
  it('[Q2] results come first and in call order, whatever order they came in', () => {
    const messages = derive(
      user('go'),
      call('a', 'b', 'c'),
      result('c'),
      user('wait'),
      result('a'),
      result('b'),
    )
    expect(shape(messages).at(-1)).toEqual(['user', 'a', 'b', 'c', 'wait'])
  })
  it('[Q2] results of merged assistant messages follow all of them', () => {
    const messages = derive(user('go'), assistant('so'), call('a', 'b'), result('b'), result('a'))
    expect(messages).toHaveLength(3)
    expect(shape(messages).at(-1)).toEqual(['user', 'a', 'b'])
  })
  it('[S9] a node left without content derives nothing, and its neighbours merge', () => {
    expect(shape(derive(user('a'), assistant('  '), user('b')))).toEqual([['user', 'a', 'b']])
  })
  it('[S9] an interrupted reply that had said nothing derives nothing', () => {
    const cut = assistant([thinking('hm', '')], { interrupted: true })
    expect(shape(derive(user('a'), cut, user('b')))).toEqual([['user', 'a', 'b']])
  })
  it('[Q4] blank text blocks are left out', () => {
    expect(shape(derive(user([text(''), text('a'), text(' \n')])))).toEqual([['user', 'a']])
  })
  it('[Q4] an error result always says something', () => {
    const messages = derive(user('go'), call('a'), result('a', [], true))
    const [block] = messages.at(-1)!.content as unknown as [{ is_error: boolean; content: Block[] }]
    expect(block.is_error).toBe(true)
    expect(block.content).toHaveLength(1)
  })
  it('[Q2] a checkpoint is a user message', () => {
    const messages = derive(user('a'), assistant('b'), user('c'), summary(0, 1, { text: 'S' }))
    expect(shape(messages)).toEqual([['user', 'S', 'c']])
  })
})

describe('thinking', () => {
  const spoken = { type: 'thinking', thinking: ' so \n', signature: 'x==', extra: [1, { b: 2 }] }
  it('[Q3] is sent byte for byte', () => {
    const content = [spoken as Block, text('a'), use('t')]
    const messages = derive(user('go'), assistant(content), result('t'))
    expect(messages[1]!.content[0]).toEqual(spoken)
    expect(JSON.stringify(messages[1]!.content[0])).toBe(JSON.stringify(spoken))
  })
  it('[Q3] without a signature is never sent', () => {
    const messages = derive(user('go'), assistant([thinking('cut', ''), text('a')]), user('b'))
    expect(messages[1]!.content).toEqual([text('a')])
  })
  it('[Q3] of another model, or of one that is not known, is left out', () => {
    const redacted: Block = { type: 'redacted_thinking', data: 'enc' }
    const content = [thinking('so'), redacted, text('a')]
    const of = (model?: string) => derive(user('go'), assistant(content, { model }), user('b'))[1]
    expect(of('model-a')!.content).toHaveLength(3)
    expect(of('model-b')!.content).toEqual([text('a')])
    expect(of(undefined)!.content).toEqual([text('a')])
  })
  it('[Q3] of the same model elsewhere is left out: another provider cannot vouch for it', () => {
    const { events } = build(user('go'), assistant([thinking('so'), text('a')]))
    const reply = events[1] as EventOf<'assistant/message'>
    const moved = { ...reply, data: { ...reply.data, provider: 'elsewhere' } }
    const messages = deriveMessages([events[0] as SurfaceEvent, moved], voice)
    expect(messages[1]!.content).toEqual([text('a')])
  })
  it('[Q3] never ends a message: a reply of nothing but thinking is left out', () => {
    expect(shape(derive(user('a'), assistant([thinking('so')]), user('b')))).toEqual([
      ['user', 'a', 'b'],
    ])
    const cut = derive(user('a'), assistant([text('x'), thinking('so')]), user('b'))
    expect(cut[1]!.content).toEqual([text('x')])
  })
})

/** What a prefix cache does with a body: the blocks it reads, and what it keeps at each breakpoint. */
function createCache() {
  const kept = new Set<string>()
  return (body: RequestBody): { read: number; blocks: number } => {
    const parts = [
      ...body.tools.map((tool) => ({ role: 'tool', block: tool as object })),
      ...body.system.map((block) => ({ role: 'system', block: block as object })),
      ...body.messages.flatMap(({ role, content }) => content.map((block) => ({ role, block }))),
    ]
    const prefixes: string[] = []
    const marks: number[] = []
    parts.forEach(({ role, block }, index) => {
      const { cache_control, ...rest } = block as { cache_control?: object }
      prefixes.push(`${prefixes.at(-1) ?? ''}${role}${JSON.stringify(rest)}`)
      if (cache_control) marks.push(index)
    })
    let read = 0
    for (const mark of marks)
      for (let at = mark; at >= Math.max(0, mark - 20); at--)
        if (kept.has(prefixes[at]!)) read = Math.max(read, at + 1)
    for (const mark of marks) kept.add(prefixes[mark]!)
    return { read, blocks: parts.length }
  }
}

const tools = [
  { name: 'read_file', description: 'Reads.', input_schema: { type: 'object' } },
  { name: 'bash', description: 'Runs.', input_schema: { type: 'object' } },
]
const withPolicy = (policy: Policy): RequestHeader => requestHeader({ tools, policy })
const marksOf = (body: RequestBody) =>
  [
    ...body.tools,
    ...body.system,
    ...body.messages.flatMap(({ content }) => content as object[]),
  ].filter((part) => 'cache_control' in part)

/** Plays steps of so many parallel calls and gives what the cache did with each request. */
function converse(policy: Policy, callsByStep: number[]) {
  const writer = createWriter()
  const cache = createCache()
  const head = withPolicy(policy)
  user('go on and on')(writer)
  return callsByStep.map((calls, index) => {
    for (const { seq, content } of planMicro(writer.log, policy, readMeter(writer.log))) {
      const original = writer.events[seq] as EventOf<'tool/result'>
      writer.write(...pruneDrafts(writer.log, seq, original, content, 'micro'))
    }
    const body = buildRequest(head, surfaceEvents(writer))
    expect(validateRequest(body)).toBeNull()
    const ids = Array.from({ length: calls }, (_, n) => `s${index}-${n}`)
    assistant([thinking('so'), text('now'), ...ids.map((id) => use(id))])(writer)
    for (const id of ids) result(id, 'word '.repeat(50))(writer)
    return { ...cache(body), body }
  })
}

describe('cache breakpoints', () => {
  it('[Q6] stand after the tools, after the system prompt, and on the newest messages', () => {
    const [first, second, third] = converse(PRESETS.standard, [1, 1, 1])
    expect(first!.body.tools[0]).not.toHaveProperty('cache_control')
    expect(first!.body.tools[1]).toHaveProperty('cache_control')
    expect(first!.body.system[0]).toHaveProperty('cache_control')
    expect(marksOf(first!.body)).toHaveLength(3)
    expect(marksOf(second!.body)).toHaveLength(4)
    expect(third!.body.messages.at(-1)!.content.at(-1)).toHaveProperty('cache_control')
    expect(third!.body.messages.at(-3)!.content.at(-1)).toHaveProperty('cache_control')
  })
  it('[Q6] each step reads all that the step before sent, however many calls one step makes', () => {
    const steps = converse(PRESETS.standard, [1, 2, 15, 30, 1, 12, 3, 40, 1])
    expect(steps.slice(1).map((step) => step.read)).toEqual(
      steps.slice(0, -1).map((step) => step.blocks),
    )
  })
  it('[Q6] under a micro pass before every request, steps still read what the pass left alone', () => {
    const steps = converse(
      PRESETS.teaching,
      Array.from({ length: 14 }, () => 1),
    )
    // A step adds four blocks; the newest three results and the one just replaced stay unread.
    for (const { blocks, read } of steps.slice(6)) expect(blocks - read).toBeLessThanOrEqual(18)
    expect(steps.at(-1)!.read).toBeGreaterThan(30)
  })
  it('[Q6] never stand on thinking or on an empty block', () => {
    const parts = [user('go'), assistant([text('a'), use('t')]), result('t', [])]
    const body = buildRequest(withPolicy(PRESETS.standard), surfaceEvents(build(...parts)))
    const [answer] = body.messages[2]!.content
    expect(answer).toMatchObject({ type: 'tool_result', content: [] })
    expect(answer).not.toHaveProperty('cache_control')
    expect(body.messages[1]!.content[1]).toHaveProperty('cache_control')
    const odd: Block = { type: 'server_tool_use', id: 's' }
    const paused = build(user('go'), assistant([text('a'), thinking('so'), odd]))
    const [, reply] = buildRequest(withPolicy(PRESETS.standard), surfaceEvents(paused)).messages
    expect(reply!.content.map((block) => 'cache_control' in block)).toEqual([true, false, false])
  })
  it('[Q6] a blank system prompt and no tools leave their places out', () => {
    const body = buildRequest(requestHeader({ system: ' ' }), surfaceEvents(build(user('a'))))
    expect(body.system).toEqual([])
    expect(marksOf(body)).toHaveLength(1)
  })
  it('[L1] deriving marks copies, never the events', () => {
    const built = build(user('a'), assistant('b'), user('c'))
    const before = JSON.stringify(built.events)
    buildRequest(withPolicy(PRESETS.standard), surfaceEvents(built))
    expect(JSON.stringify(built.events)).toBe(before)
  })
})
