import { describe, expect, it } from 'vitest'
import type { EventOf, SessionEvent } from '../core/event'
import { headOf } from '../core/head'
import { loadLog, surfaceNodes } from '../core/log'
import { isText, isToolUse, textOf } from '../core/message'
import { parseRepr } from './python-repr'
import type { ReadSession } from './report'
import { said } from './testing/fixture-lines'
import { jsonl } from './testing/fixture-rows'
import { FIXTURES } from './testing/fixtures'
import { flawsOf } from './testing/soundness'
import { readTranscript } from './transcript'

const sessionsOf = async (source: string): Promise<ReadSession[]> => {
  const result = await readTranscript(source)
  expect(flawsOf(result)).toEqual([])
  return result.sessions
}
const first = async (name: string) => (await sessionsOf(FIXTURES[name]!.text))[0] as ReadSession
const of = <T extends SessionEvent['type']>({ events }: ReadSession, type: T) =>
  events.filter((event) => event.type === type) as EventOf<T>[]
const nodesOf = ({ header, events }: ReadSession) => {
  const log = loadLog(header, events.map(headOf))
  return (log.ok ? surfaceNodes(log.value) : []).map((seq) => events[seq])
}
/** What the model would see: text of messages, names of calls. */
const seenIn = (session: ReadSession): string[] =>
  nodesOf(session).flatMap((event) => {
    if (!event || !('content' in event.data)) return []
    const calls = event.data.content.filter(isToolUse).map(({ name }) => `${name}()`)
    return [...event.data.content.filter(isText).map((block) => block.text), ...calls]
  })
const NOTE = 'The summary of the earlier conversation cannot be read outside its provider.'

describe('Codex', () => {
  it('items of one reply are one message; what mirrors them for a screen is no second one', async () => {
    const session = await first('codex')
    const [reply] = of(session, 'assistant/message')
    expect(reply?.data.content.map(({ type }) => type)).toEqual([
      'thinking',
      'tool_use',
      'tool_use',
    ])
    expect(
      of(session, 'user/message').filter(({ data }) => textOf(data.content) === 'Water the beds'),
    ).toHaveLength(1)
    expect(reply?.data).toMatchObject({ provider: 'codex/openai', model: 'gpt-test' })
  })

  it('arguments that are no JSON are kept as the text they are', async () => {
    const [reply] = of(await first('codex'), 'assistant/message')
    expect(reply?.data.content.filter(isToolUse).map(({ input }) => input)).toEqual([
      { command: ['tap'] },
      { arguments: 'not json' },
    ])
  })

  it('tokens count once: OpenAI has the cache in its input', async () => {
    const usage = of(await first('codex'), 'assistant/message').flatMap(
      ({ data }) => data.usage ?? [],
    )
    expect(usage).toEqual([{ input_tokens: 50, output_tokens: 5, cache_read_input_tokens: 40 }])
  })

  it('[T3] a summary alone, and a history that only its provider can read', async () => {
    const session = await first('codex')
    const data = of(session, 'compact/summary').map(({ data }) => data)
    expect(data.map(({ summary, certainty, opaque }) => [summary, certainty, opaque])).toEqual([
      ['The tap was opened.', 'derived', undefined],
      ['', 'exact', true],
    ])
    expect(seenIn(session)).toEqual(['Close it', NOTE, 'Thanks'])
  })

  it('[T3] several messages a compaction left are one checkpoint that holds them in order', async () => {
    const row = (type: string, payload: unknown) => ({
      timestamp: '2026-01-01T00:00:00Z',
      type,
      payload,
    })
    const history = [
      said('user', 'First ask'),
      said('developer', 'Rules'),
      said('user', 'In short: asked.'),
    ]
    const [session] = await sessionsOf(
      jsonl(
        row('response_item', said('user', 'First ask')),
        row('response_item', said('assistant', 'Done')),
        row('compacted', { message: 'In short: asked.', replacement_history: history }),
        row('response_item', said('user', 'Next')),
      ),
    )
    expect(seenIn(session!)).toEqual([
      'In short: asked.',
      'First ask',
      '[developer]',
      'Rules',
      'Next',
    ])
    expect(nodesOf(session!)).toHaveLength(2)
  })

  it('turns that were taken back stay in the transcript and leave the surface', async () => {
    const row = (type: string, payload: unknown) => ({
      timestamp: '2026-03-04T09:00:00Z',
      type,
      payload,
    })
    const item = (payload: unknown) => row('response_item', payload)
    const rows = [
      item(said('user', 'One')),
      item(said('assistant', 'First')),
      item(said('user', 'Two')),
      item({ type: 'function_call', name: 'sh', arguments: '{}', call_id: 'c' }),
      row('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
      item(said('user', 'Three')),
    ]
    const [session] = (await sessionsOf(jsonl(...rows))) as [ReadSession]
    expect(JSON.stringify(session.events)).toContain('Two')
    const surface = nodesOf(session).map((node) => JSON.stringify(node))
    const words = ['One', 'First', 'A turn was taken back here.', 'Three']
    expect(surface.map((node, n) => node.includes(words[n] ?? '-'))).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  it('a file rewritten to begin with a compaction says that the rest is not in it', async () => {
    const [session] = await sessionsOf(
      jsonl(
        { timestamp: '2026-01-01T00:00:00Z', type: 'session_meta', payload: { id: 'x' } },
        {
          timestamp: '2026-01-01T00:00:00Z',
          type: 'compacted',
          payload: { message: 'All of it.' },
        },
      ),
    )
    expect(session?.report.compactions).toEqual({ exact: 0, derived: 0, unknown: 1 })
    expect(session?.report.mended[0]?.reason).toMatch(/begins in the middle/)
  })
})

describe('DeepSeek Harness', () => {
  it.each(['dsh', 'dsh, other spelling'])(
    '[T3] %s: exactly what the log says is shadowed',
    async (name) => {
      const session = await first(name)
      const [summary] = of(session, 'compact/summary')
      expect(summary?.data).toMatchObject({
        certainty: 'exact',
        shadowedTokenCount: 99,
        model: 'v4',
      })
      expect(summary?.data.shadowedSeqs.map((seq) => session.origins?.[seq]?.line)).toEqual([4])
      expect(seenIn(session)).toEqual(['Checkpoint: a hedge.', 'bash()', 'hedge.txt'])
    },
  )

  it('[Q1] a step begins with its reply, whatever the file wrote between', async () => {
    const types = (await first('dsh')).events.map(({ type }) => type)
    expect(types.slice(0, 6)).toEqual([
      ...[
        'turn/start',
        'user/message',
        'step/start',
        'assistant/message',
        'tool/call',
        'tool/result',
      ],
    ])
  })

  it('a replace without a compaction is one, and none is made up', async () => {
    const row = (seq: number, words: string, surfaceOp: unknown) => ({
      type: 'user/message',
      seq,
      time: seq,
      data: { id: `u${seq}`, content: [{ type: 'text', text: words }], source: { kind: 'user' } },
      surfaceOp,
    })
    const [session] = await sessionsOf(
      jsonl(
        { type: 'session', version: 4, id: 'r', createdAt: 1 },
        row(0, 'Rules, first form', 'append'),
        row(1, 'Rules, second form', { op: 'replace', startSeq: 0, endSeq: 0 }),
        row(2, 'Out of nowhere', { op: 'replace', start: 70, end: 71 }),
      ),
    )
    expect(seenIn(session!)).toEqual(['Rules, second form'])
    expect(of(session!, 'compact/summary')).toEqual([])
    expect(session?.report.kept.at(-1)?.reason).toMatch(/not on the surface/)
  })
})

describe('pi', () => {
  it('[T3] hides what stands before the first entry it kept', async () => {
    const session = await first('pi')
    expect(seenIn(session)).toEqual(['A pond was dug.', 'Add fish', 'Fish added.'])
    expect(of(session, 'compact/start')[0]?.data.measured).toBe(400)
  })

  it('[T3] a compaction that kept everything lays its summary before it, once', async () => {
    const entry = (type: string, id: string, parentId: string | null, more: object) => ({
      type,
      id,
      parentId,
      ...more,
    })
    const [session] = await sessionsOf(
      jsonl(
        { type: 'session', version: 3, id: 'k', timestamp: '2026-01-01T00:00:00Z' },
        entry('model_change', 'e0', null, { modelId: 'm' }),
        entry('message', 'e1', 'e0', { message: { role: 'user', content: 'Ask' } }),
        entry('compaction', 'e2', 'e1', { summary: 'One', firstKeptEntryId: 'e0' }),
        entry('compaction', 'e3', 'e2', { summary: 'Two', firstKeptEntryId: 'e0' }),
      ),
    )
    expect(seenIn(session!)).toEqual(['Two', 'Ask'])
    expect(session?.report.compactions.exact).toBe(2)
  })
})

describe('documents', () => {
  it('an Anthropic request says how it was sent, and loses its cache marks', async () => {
    const session = await first('anthropic request')
    expect(of(session, 'request/header')[0]?.data).toMatchObject({
      provider: 'anthropic',
      model: 'claude-test-1',
      system: 'You know gardens.',
      params: { max_tokens: 1_000 },
    })
    expect(JSON.stringify(session.events)).not.toContain('cache_control')
    expect(seenIn(session)).toEqual(['It was dry.', 'Water it.', 'Done.'])
  })

  it('OpenAI chat: calls, results by their ids, media by reference', async () => {
    const session = await first('openai chat')
    expect(seenIn(session)).toEqual(['You know gardens.', 'Look', 'look_here()', 'soil', 'Soil.'])
    expect(session.blobs.size).toBe(1)
  })

  it('learn-claude-code: the checkpoint of another file, and blocks that Python printed', async () => {
    const session = await first('learn-claude-code')
    expect(of(session, 'compact/summary')[0]?.data).toMatchObject({
      summary: 'We dug.',
      certainty: 'unknown',
    })
    expect(seenIn(session)).toContain("It's wet")
    expect(seenIn(session)).toContain('read_file()')
  })

  it.each([
    ['TextBlock(text=\'a\\n\\x41\\u00e9\', type="t")', { text: 'a\nAé', type: 't' }],
    [
      "[Call(input={'n': -1.5, 'l': (1, 2)}, ok=None)]",
      [{ input: { n: -1.5, l: [1, 2] }, ok: null }],
    ],
    ['Plain words (as people say)', null],
    ["TextBlock(text='open", null],
    ['TextBlock(text=)', null],
  ])('%s is read back as %j', (text, value) => {
    expect(parseRepr(text)).toEqual(value)
  })

  it('Responses items: an opaque compaction hides what is before it', async () => {
    expect(seenIn(await first('responses'))).toEqual([NOTE, 'Seven.'])
  })

  it('[T2] ChatGPT: the thread that ends at the current node, others as branches', async () => {
    const sessions = await sessionsOf(FIXTURES.chatgpt!.text)
    expect(sessions.map(({ header }) => header.id)).toEqual(['gpt-compost', 'gpt-compost-n2'])
    expect(seenIn(sessions[0]!)).toEqual([
      ...['What rots?', 'browser()', 'leaves', 'Leaves.', '[image: file-service://leaf]'],
    ])
    expect(sessions[1]?.header.parent).toEqual({ id: 'gpt-compost', seq: 1 })
    expect(sessions[0]?.report.kept.map(({ reason }) => reason)).toContain(
      'a conversation without messages',
    )
  })

  it('[T2] Claude.ai: a list that mixes its branches, results inside messages', async () => {
    const sessions = await sessionsOf(FIXTURES['claude.ai']!.text)
    expect(sessions.map(seenIn)).toEqual([
      ['[file: list.txt]\nmint', 'Which herbs?', 'search()', 'mint', 'Mint'],
      ['[file: list.txt]\nmint', 'Which herbs?', 'Basil'],
    ])
  })

  it('[T3] opencode: the tail it names stays; a cleared result is hidden with its call', async () => {
    expect(seenIn(await first('opencode'))).toEqual(['A shed was built.', 'Paint it', 'Painted.'])
  })

  it('Gemini: rewinds take back, a message that comes again is the last of its forms', async () => {
    expect(seenIn(await first('gemini, lines'))).toEqual([
      ...[
        'List the pots',
        'ls()',
        'pots',
        'Pots.',
        'Request cancelled.',
        'Right question, said again',
      ],
    ])
    const usage = of(await first('gemini'), 'assistant/message')[0]?.data.usage
    expect(usage).toEqual({ input_tokens: 20, output_tokens: 2, cache_read_input_tokens: 10 })
  })
})
