import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventData, EventOf, RequestHeader, Seq, SessionEvent, SurfaceEvent } from './event'
import { headOf } from './head'
import { createHistory } from './history'
import { type Block, isText, type Message } from './message'
import { SECTIONS } from './prompt'
import {
  buildRequest,
  buildSummaryRequest,
  callOf,
  type RequestBody,
  requestAt,
  summaryForm,
  validateRequest,
} from './request'
import { foldSurface } from './surface'
import { arbitraryLog } from './testing/arbitrary'
import {
  assistant,
  type Built,
  bracket,
  build,
  call,
  commit,
  draft,
  fail,
  header,
  prune,
  raw,
  requestHeader,
  result,
  start,
  step,
  stepEnd,
  stepStart,
  summary,
  turn,
  turnStart,
  use,
  user,
} from './testing/build'

type Start = EventData['compact/start']
const lastText = ({ messages }: RequestBody): string => {
  const block = messages.at(-1)!.content.at(-1)!
  return isText(block) ? block.text : ''
}
const withoutMarks = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner)))
const bodiesOf =
  ({ events }: Pick<Built, 'events'>) =>
  async (seq: Seq) =>
    events[seq]!
/** The same with a history and without one. */
const at = async (built: Pick<Built, 'heads' | 'events'>, seq: Seq) => {
  const { heads } = built
  const folded = requestAt(heads, bodiesOf(built), seq)
  const looked = requestAt(heads, bodiesOf(built), seq, createHistory(heads))
  expect(await looked.catch(String)).toEqual(await folded.catch(String))
  return folded
}

describe('buildRequest', () => {
  it('[Q1] takes system, tools and params from the header and messages from the surface', () => {
    const { events } = build(user('hi'))
    const tool = { name: 'bash', description: 'Runs.', input_schema: { type: 'object' } }
    const params: RequestHeader['params'] = {
      max_tokens: 7,
      temperature: 0.5,
      thinking: { type: 'adaptive' },
      effort: 'low',
    }
    const body = buildRequest(requestHeader({ tools: [tool], params }), events as SurfaceEvent[])
    expect(withoutMarks(body)).toEqual({
      model: 'model-a',
      max_tokens: 7,
      temperature: 0.5,
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
      system: [{ type: 'text', text: 'You are a test.' }],
      tools: [tool],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    })
  })
  it('[Q1] leaves out what the header does not set', () => {
    const { events } = build(user('hi'))
    const body = buildRequest(requestHeader(), events as SurfaceEvent[])
    expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'model', 'system', 'tools'])
  })
})

const focus = 'keep the colours'
const startOf = (range: Start['range'], patch: Partial<Start> = {}): Start => ({
  compactionId: 'c',
  turn: null,
  trigger: 'manual',
  range,
  provider: 'test',
  model: 'model-a',
  maxTokens: 500,
  ...patch,
})

describe('buildSummaryRequest', () => {
  const built = build(
    user('hi'),
    assistant([use('a', 'bash', { command: 'ls' })]),
    result('a', 'files'),
    assistant('done'),
    user('bye'),
  )
  const nodes = built.events as SurfaceEvent[]
  const conversation = requestHeader({
    tools: [{ name: 'bash', description: 'Runs.', input_schema: {} }],
    params: { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } },
  })

  it('[Q6] repeats the conversation where the range begins at the head and the model is its own', () => {
    const first = 0
    expect(summaryForm(conversation, first, startOf({ start: 0, end: 3 }))).toBe('prefix')
    expect(summaryForm(conversation, first, startOf({ start: 3, end: 3 }))).toBe('transcript')
    const other = startOf({ start: 0, end: 3 }, { model: 'model-b' })
    expect(summaryForm(conversation, first, other)).toBe('transcript')
    const elsewhere = startOf({ start: 0, end: 3 }, { provider: 'template' })
    expect(summaryForm(conversation, first, elsewhere)).toBe('transcript')
  })
  it('[Q6] the prefix is that of the conversation, and the instruction comes last', () => {
    const start = startOf({ start: 0, end: 3 }, { instructions: focus, maxTokens: 3000 })
    const body = buildSummaryRequest(conversation, nodes.slice(0, 4), start, 'prefix')
    const chat = buildRequest(conversation, nodes)
    expect(withoutMarks(body.system)).toEqual(withoutMarks(chat.system))
    expect(body.tools).toEqual(chat.tools)
    expect(body.thinking).toEqual(chat.thinking)
    expect(body.max_tokens).toBe(3000)
    expect(withoutMarks(body.messages.slice(0, -1))).toEqual(
      withoutMarks(chat.messages.slice(0, 4)),
    )
    expect(body.messages.at(-1)!.role).toBe('user')
    expect(body.messages.at(-1)!.content).toHaveLength(1)
    expect(lastText(body)).toContain(`<focus>\n${focus}\n</focus>`)
    expect(validateRequest(body)).toBeNull()
  })
  it('[Q6] a breakpoint stands where the conversation itself was cached, none on the instruction', () => {
    const body = buildSummaryRequest(
      conversation,
      nodes.slice(0, 3),
      startOf({ start: 0, end: 2 }),
      'prefix',
    )
    const content = body.messages.at(-1)!.content
    expect(content.map((block) => block.type)).toEqual(['tool_result', 'text'])
    expect(content[0]).toHaveProperty('cache_control')
    expect(content[1]).not.toHaveProperty('cache_control')
  })
  it('[C14] leaves thinking out where its budget does not fit a summary', () => {
    const body = buildSummaryRequest(
      conversation,
      nodes.slice(0, 4),
      startOf({ start: 0, end: 3 }),
      'prefix',
    )
    expect(body).not.toHaveProperty('thinking')
  })
  it('[Q5] the text form names each node by seq, kind and tool, and only those of the range', () => {
    const start = startOf({ start: 1, end: 3 }, { model: 'model-b', instructions: focus })
    const body = buildSummaryRequest(conversation, nodes.slice(0, 4), start, 'transcript')
    expect(body.model).toBe('model-b')
    expect(body.max_tokens).toBe(500)
    expect(body.tools).toEqual([])
    expect(body.messages).toHaveLength(1)
    const prompt = lastText(body)
    expect(prompt).toContain('#1 assistant\ncall bash {"command":"ls"}')
    expect(prompt).toContain('#2 result of read_file\nfiles')
    expect(prompt).toContain('#3 assistant\ndone')
    expect(prompt).not.toContain('#0')
    expect(prompt).toContain(focus)
    expect(validateRequest(body)).toBeNull()
  })
  it('[C10] the text form drops no block silently but thinking', () => {
    const image: Block = {
      type: 'image',
      source: { type: 'blob', hash: 'h', media_type: 'image/png', bytes: 12 },
    }
    const odd: Block = { type: 'citation', quote: 'as it was' }
    const seen = build(
      user([{ type: 'text', text: 'look' }, image]),
      assistant([{ type: 'thinking', thinking: 'secret', signature: 's' }, odd]),
      call('a'),
      result('a', 'broke', true),
      user('x'),
    )
    const start = startOf({ start: 0, end: 3 })
    const body = buildSummaryRequest(
      conversation,
      seen.events as SurfaceEvent[],
      start,
      'transcript',
    )
    const prompt = lastText(body)
    expect(prompt).toContain('[image: image/png, 12 bytes]')
    expect(prompt).toContain('as it was')
    expect(prompt).toContain('#3 error from read_file\nbroke')
    expect(prompt).not.toContain('secret')
  })
  it.each(['prefix', 'transcript'] as const)('[C14] the %s form asks for every section', (form) => {
    const start = startOf({ start: 0, end: 3 })
    const prompt = lastText(buildSummaryRequest(conversation, nodes.slice(0, 4), start, form))
    const places = SECTIONS.map(({ title }) => prompt.indexOf(`## ${title}\n`))
    expect(places.every((place) => place >= 0)).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(prompt).not.toContain('<focus>')
  })
})

describe('requestAt', () => {
  it('[Q5] a step sent what stood before it, whatever became of that later', async () => {
    const read = step(call('a'), start('a'), result('a', 'the file'))
    const built = build(header(), turn(user('go'), read, step(assistant('done'))), prune(6, 'gone'))
    const second = built.heads.findLast((head) => head.type === 'step/start')!.seq
    const body = await at(built, second)
    expect(JSON.stringify(body.messages)).toContain('the file')
    expect(await at(built, built.heads.length - 1)).toEqual(body)
    expect((await at(built, second - 1)).messages).toHaveLength(1)
  })
  it('[Q1] the header of a step is the last one before it', async () => {
    const built = build(
      header({ model: 'old' }),
      header({ model: 'new' }),
      turn(user('go'), step(assistant('done'))),
      header({ model: 'newer' }),
    )
    expect((await at(built, built.heads.length - 1)).model).toBe('new')
  })
  it('[Q5] a draft that was reviewed was written by the draft’s call', async () => {
    const model = { provider: 'test', model: 'model-a', maxTokens: 500 }
    const built = build(
      header(),
      user('a'.repeat(400)),
      assistant('b'),
      user('c'),
      bracket(1, 2),
      draft(),
    )
    const draftSeq = 5
    const start = (compactionId: string, patch: Partial<Start>) =>
      raw({
        type: 'compact/start',
        data: startOf({ start: 1, end: 2 }, { compactionId, ...patch }),
      })
    const reviewed = build(
      header(),
      user('a'.repeat(400)),
      assistant('b'),
      user('c'),
      start('one', { ...model, instructions: focus }),
      draft(),
      start('two', { draftSeq, provider: undefined, model: undefined, maxTokens: undefined }),
      commit('edited'),
    )
    const body = await at(reviewed, reviewed.heads.length - 1)
    expect(lastText(body)).toContain(focus)
    expect(body).toEqual(await at(reviewed, draftSeq))
    await expect(at(built, draftSeq)).rejects.toThrow('called no model')
  })
  it('[Q5] says why where no body can be known', async () => {
    const built = build(header(), user('hi'), user('ho'), user('x'), summary(1, 2))
    await expect(at(built, 1)).rejects.toThrow('No request was made before #1')
    await expect(at(built, 4)).rejects.toThrow('called no model')
    const step0: SessionEvent[] = [
      { seq: 0, time: 0, type: 'step/start', data: { turn: 1, step: 1 } },
    ]
    const damaged = { events: step0, heads: step0.map(headOf) }
    await expect(at(damaged, 0)).rejects.toThrow('does not say how')
  })
  it('[Q5] knows which call an event belongs to', () => {
    const open = build(
      header(),
      turnStart,
      user('go'),
      user('more'),
      stepStart,
      assistant('x'),
      stepEnd,
    )
    expect(open.heads.map((_, seq) => callOf(open.heads, seq))).toEqual([-1, -1, -1, -1, 4, 4, 4])
    const later = build(
      header(),
      turn(user('go'), user('more'), step(assistant('x'))),
      bracket(2, 3),
      user('meanwhile'),
      fail('cancelled'),
      bracket(2, 3),
      commit(),
    )
    const names = later.heads.map((_, seq) => callOf(later.heads, seq))
    expect(names.slice(8)).toEqual([8, 4, 8, 11, 11, 11, 11])
  })

  /** Bodies as they were made, one event after the other; `null` where none was. */
  function bodiesMade(events: SessionEvent[]): (RequestBody | null)[] {
    const heads = events.map(headOf)
    let chosen: RequestHeader | null = null
    let newestStep: RequestBody | null = null
    const summaries = new Map<string, RequestBody | null>()
    return events.map((event, seq) => {
      const folded = foldSurface(heads.slice(0, seq))
      const surface = folded.ok ? folded.value.nodes : []
      const nodes = surface.map((node) => events[node] as SurfaceEvent)
      if (event.type === 'request/header') chosen = event.data
      if (event.type === 'step/start') newestStep = buildRequest(chosen!, nodes)
      if (event.type === 'compact/start') {
        const { data } = event
        const form = summaryForm(chosen!, surface[0], data)
        const upTo = nodes.slice(0, surface.indexOf(data.range.end) + 1)
        summaries.set(data.compactionId, buildSummaryRequest(chosen!, upTo, data, form))
      }
      const id = heads[seq]!.compactionId
      return id !== undefined ? (summaries.get(id) ?? newestStep) : newestStep
    })
  }

  it('[Q5] rebuilds every step and summariser body of any log from heads and bodies alone', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog(), fc.nat(), async ({ events, heads }, salt) => {
        const models = events.map((event): SessionEvent => {
          if (event.type !== 'compact/start') return event
          const model = (event.seq + salt) % 3 === 0 ? 'model-b' : 'model-a'
          const data = {
            ...event.data,
            provider: 'test',
            model,
            maxTokens: 300,
            instructions: focus,
          }
          return { ...event, data } satisfies EventOf<'compact/start'>
        })
        const made = bodiesMade(models)
        for (const [seq, body] of made.entries()) {
          const replayed = requestAt(heads, async (wanted) => models[wanted]!, seq)
          if (body) expect(await replayed).toEqual(body)
          else await expect(replayed).rejects.toThrow(RangeError)
        }
      }),
      { numRuns: 60 },
    )
  }, 20_000)

  it('[Q5][S9] a transcript leaves out what derives no message, whoever builds it', async () => {
    const model = { compactionId: 'c', model: 'model-b' }
    const built = build(
      header(),
      user(''),
      user('b'),
      user('c'),
      raw({ type: 'compact/start', data: startOf({ start: 1, end: 2 }, model) }),
    )
    const body = await at(built, 4)
    expect(lastText(body)).toContain('<transcript>\n#2 user\nb\n</transcript>')
    const nodes = built.events.slice(1, 3) as SurfaceEvent[]
    const start = built.events[4]!.data as Start
    expect(buildSummaryRequest(requestHeader(), nodes, start, 'transcript')).toEqual(body)
  })
  it('[Q5] asks for no body it does not need', async () => {
    const built = build(
      header(),
      turn(user('a'), step(assistant('b')), step(assistant('  '))),
      turn(user('c'), step(assistant('d'))),
    )
    const asked: Seq[] = []
    const body = await requestAt(
      built.heads,
      async (seq) => {
        asked.push(seq)
        return built.events[seq]!
      },
      built.heads.length - 1,
    )
    const sent = built.heads.filter((head) => head.op && !head.blank).map((head) => head.seq)
    expect(asked.toSorted((a, b) => a - b)).toEqual([0, ...sent.slice(0, -1)])
    expect(body.messages.map((message: Message) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
    ])
  })
})
