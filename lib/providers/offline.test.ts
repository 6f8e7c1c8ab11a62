import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkpointText } from '../core/checkpoint'
import type { BlobRef, Block, Message } from '../core/message'
import { estimateBlocks } from '../core/price'
import type { RequestBody } from '../core/request'
import type { ModelEvent } from '../ports'
import { toolsInPlace } from '../tools/testing/run-tool'
import { memoryWorkspace } from '../tools/workspace'
import { OFFLINE_INFO, offlineModel } from './offline'
import { ask, createLoop, offline } from './offline/testing/loop'
import { all, asPattern, MODES, PHRASES } from './offline/testing/phrases'
import { expectQuoted, type World, world } from './offline/testing/world'

const text = (words: string): Block => ({ type: 'text', text: words })
const bodyOf = (messages: Message[], change: Partial<RequestBody> = {}): RequestBody => ({
  model: OFFLINE_INFO.model,
  max_tokens: OFFLINE_INFO.maxTokens,
  system: [{ type: 'text', text: 'system' }],
  tools: toolsInPlace(memoryWorkspace()).map((tool) => tool.spec),
  messages,
  ...change,
})
const asking = (words: string, change?: Partial<RequestBody>) =>
  bodyOf([{ role: 'user', content: [text(words)] }], change)

describe('as a model', () => {
  it('streams its text in small deltas, then its calls, and reports usage by M1', async () => {
    const { events, content, end } = await ask(
      offlineModel({ clock: steady() }),
      asking('where is LIMIT defined?'),
    )
    expect(events[0]).toMatchObject({ type: 'start', model: 'offline-reader' })
    const deltas = events.flatMap((event) =>
      event.type === 'delta' && event.delta.type === 'text' ? [event.delta.text] : [],
    )
    expect(deltas.length).toBeGreaterThan(1)
    expect(Math.max(...deltas.map((delta) => delta.length))).toBeLessThan(60)
    expect(content[1]).toMatchObject({ type: 'tool_use', id: 'call_1', name: 'search_files' })
    expect(end).toMatchObject({
      type: 'end',
      stopReason: 'tool_use',
      usage: { output_tokens: estimateBlocks(content) },
    })
  })

  it('gives equal events for equal bodies', async () => {
    const body = asking('read every file in agents/ one after the other')
    expect((await ask(offline, body)).events).toEqual((await ask(offline, body)).events)
  })

  it('waits between deltas by its clock, and makes up for timers that come late', async () => {
    const late = { at: 0, sleeps: 0 }
    const clock = {
      now: () => late.at,
      sleep: async () => {
        late.sleeps++
        late.at += 1000
      },
    }
    const { text: words } = await ask(offlineModel({ clock }), asking('hello'))
    expect(words.length).toBeGreaterThan(500)
    expect(late.sleeps).toBeLessThan(4)
  })

  it('ends with cancelled as soon as it is aborted, after what it had already sent', async () => {
    const stop = new AbortController()
    const seen: ModelEvent[] = []
    for await (const event of offlineModel({ clock: steady() }).stream(
      asking('hello'),
      stop.signal,
    )) {
      seen.push(event)
      if (seen.length === 4) stop.abort()
    }
    expect(seen.at(-1)).toEqual({
      type: 'error',
      error: { code: 'cancelled', message: 'Stopped.' },
    })
    expect(seen.length).toBeLessThan(8)
    const before = await ask(offline, asking('hello'), AbortSignal.abort())
    expect(before.events).toHaveLength(1)
  })

  it('keeps within max_tokens, says so, and makes no call it has no room for', async () => {
    for (const max_tokens of [1, 12, 60, 120]) {
      const { content, end } = await ask(offline, asking('hello', { max_tokens }))
      expect(end).toMatchObject({ type: 'end', stopReason: 'max_tokens' })
      expect(estimateBlocks(content)).toBeLessThanOrEqual(Math.max(4, max_tokens))
    }
    const { content } = await ask(
      offline,
      asking('run `echo hello hello hello`', { max_tokens: 20 }),
    )
    expect(content.map((block) => block.type)).toEqual(['text'])
  })

  it('answers overflow when the request and the output asked for exceed its window', async () => {
    const room = OFFLINE_INFO.contextWindow - OFFLINE_INFO.maxTokens
    const { end } = await ask(offline, asking('x'.repeat(4 * room)))
    expect(end).toMatchObject({ type: 'error', error: { code: 'overflow' } })
    const fits = await ask(offline, asking('x'.repeat(4 * (room - 2500))))
    expect(fits.end.type).toBe('end')
  })

  it('makes call ids that the conversation does not hold', async () => {
    const call = (id: string): Message[] => [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'list_files', input: { path: 'a/' } }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: id,
            content: [text('2 files in a/:\na/x.md\t3\na/y.md\t4')],
          },
        ],
      },
    ]
    const { content } = await ask(
      offline,
      bodyOf([{ role: 'user', content: [text('read every file in a/')] }, ...call('call_2')]),
    )
    expect(content.at(-1)).toMatchObject({
      id: 'call_3',
      name: 'read_file',
      input: { path: 'a/x.md' },
    })
  })
})

function steady() {
  let at = 0
  return {
    now: () => at,
    sleep: async (ms: number) => {
      at += ms
    },
  }
}

describe('plain words about itself', () => {
  it.each([
    'hello',
    'who are you?',
    'are you an LLM?',
    'write me a poem',
    'what can you do?',
    ''.padEnd(3, '?'),
  ])('%s', async (words) => {
    const { text: answer, content } = await ask(offline, asking(words))
    expect(answer).toContain('not a language model')
    expect(content).toHaveLength(1)
  })

  it('says that it cannot see images, and still works on the words beside them', async () => {
    const image: BlobRef = {
      type: 'blob',
      hash: 'a',
      media_type: 'image/png',
      bytes: 9,
      width: 10,
      height: 10,
    }
    const look = (words: string[]) =>
      ask(
        offline,
        bodyOf([{ role: 'user', content: [{ type: 'image', source: image }, ...words.map(text)] }]),
      )
    expect((await look([])).text).toMatch(/^I cannot see the attached image/)
    const both = await look(['list the files'])
    expect(both.text).toMatch(/^I cannot see the attached image/)
    expect(both.content.at(-1)).toMatchObject({ name: 'list_files' })
  })

  it('summarises an attached text without a tool', async () => {
    const attached = text(
      '<file name="plan.md">\n# Plan\n\nThe launch must never happen before 12 May.\n</file>',
    )
    const { text: answer, content } = await ask(
      offline,
      bodyOf([{ role: 'user', content: [attached, text('summarise the attached file')] }]),
    )
    expect(content).toHaveLength(1)
    expect(answer).toContain('`plan.md:3`: `The launch must never happen before 12 May.`')
  })

  it('says which tool it lacks instead of calling one that is not offered', async () => {
    const { text: answer, content } = await ask(offline, asking('run `ls`', { tools: [] }))
    expect(answer).toContain('`bash`, which this session does not offer')
    expect(content).toHaveLength(1)
  })

  it('takes no word of the program for a request', async () => {
    const { content } = await ask(
      offline,
      bodyOf([
        { role: 'user', content: [text('list the files')] },
        { role: 'assistant', content: [text('Listing')] },
        {
          role: 'user',
          content: [text('Your last reply was interrupted. Go on from where it stopped.')],
        },
      ]),
    )
    expect(content.at(-1)).toMatchObject({ name: 'list_files' })
  })
})

describe('on generated workspaces', { timeout: 60_000 }, () => {
  it('knows at least twenty phrasings', () => {
    expect(PHRASES.length).toBeGreaterThanOrEqual(20)
  })

  it.each(Object.entries(MODES))(
    'every quotation is true and every task ends, with %s',
    async (_, options) => {
      await fc.assert(
        fc.asyncProperty(world, fc.constantFrom(...PHRASES), async (w, phrase) => {
          const loop = createLoop(memoryWorkspace(w.files), options)
          const { words, calls, answer } = await loop.send(phrase.say(w))
          expectQuoted(w.files, words, phrase.least)
          // Summaries of very short stretches keep paths only as far as they fit; the count they always keep.
          const shows = phrase.shows(w)
          const isLean = options === MODES['a summary after every step'] && shows instanceof RegExp
          expect(answer).toMatch(isLean ? /\d files of|notes\.md/ : asPattern(shows))
          const made = calls
            .filter(({ name }) => name !== 'list_files')
            .map(({ name, input }) => JSON.stringify([name, input]))
          const most = phrase.shows === all ? 1 : 3
          for (const call of made)
            expect(made.filter((other) => other === call).length).toBeLessThanOrEqual(most)
          expect(calls.length).toBeLessThan(3 * w.paths.length + 4)
        }),
        { numRuns: 60, seed: 11, endOnFailure: true },
      )
    },
  )

  it('each phrasing works at least once', async () => {
    for (const [at, phrase] of PHRASES.entries()) {
      const [w] = fc.sample(world, { seed: 100 + at, numRuns: 1 }) as [World]
      const { answer } = await createLoop(memoryWorkspace(w.files)).send(phrase.say(w))
      expect([phrase.say(w), answer]).toEqual([
        phrase.say(w),
        expect.stringMatching(asPattern(phrase.shows(w))),
      ])
    }
  })

  it('one task after another in one session, with summaries between, stays true', async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(fc.constantFrom(...PHRASES), { minLength: 3, maxLength: 6 }),
        async (w, phrases) => {
          const loop = createLoop(memoryWorkspace(w.files), {
            micro: 3,
            compactAfter: [3, 5, 8, 12, 17, 23],
          })
          for (const phrase of phrases) {
            const { words, answer } = await loop.send(phrase.say(w))
            expectQuoted(w.files, words, 0)
            expect(answer).not.toBe('')
          }
        },
      ),
      { numRuns: 40, seed: 7, endOnFailure: true },
    )
  })
})

describe('changes', () => {
  it('writes, edits, appends, runs and deletes exactly what it is told', async () => {
    const files = memoryWorkspace({ 'src/app.py': 'LIMIT = 10\nOTHER = 10\n' })
    const { send } = createLoop(files)
    await send('create notes/todo.txt with "first line"')
    expect(await files.read('notes/todo.txt')).toBe('first line')
    await send('create a.md containing:\n```\n# A\n\n`x`\n```')
    expect(await files.read('a.md')).toBe('# A\n\n`x`\n')
    expect((await send('replace `10` with `20` in src/app.py')).answer).toContain('matches 2 times')
    expect(await files.read('src/app.py')).toBe('LIMIT = 10\nOTHER = 10\n')
    await send('replace "LIMIT = 10" with "LIMIT = 20" in app.py')
    expect(await files.read('src/app.py')).toBe('LIMIT = 20\nOTHER = 10\n')
    await send('replace every `0` with `1` in src/app.py')
    expect(await files.read('src/app.py')).toBe('LIMIT = 21\nOTHER = 11\n')
    await send("add `it's here` to a.md")
    expect(await files.read('a.md')).toBe("# A\n\n`x`\nit's here\n")
    expect((await send('run `wc -l src/app.py`')).answer).toContain('2 src/app.py')
    await send('delete notes/todo.txt')
    expect(await files.read('notes/todo.txt')).toBeNull()
    expect((await send('create empty.txt')).answer).toContain('cannot make up content')
    expect((await send('replace a with b in nope.txt')).answer).toContain('Nothing was changed')
  })
})

describe('compaction and recall', () => {
  const files = () =>
    memoryWorkspace({
      'a/one.md': '# One\n\nThe first rule is never to hurry in harbour.\n',
      'a/two.md': '# Two\n\nA second line of some length.\n',
    })

  it('asks for a compaction with the focus given, and finds afterwards what was said', async () => {
    const loop = createLoop(files())
    await loop.send('read a/one.md')
    await loop.send('list the files')
    const compacted = await loop.send('compact now, focus on the rules')
    expect(compacted.calls).toMatchObject([{ name: 'compact', input: { focus: 'the rules' } }])
    expect(compacted.answer).toContain('A record now stands for the earlier messages')
    const recalled = await loop.send('what did a/one.md say?')
    expect(recalled.calls.map(({ name }) => name)).toEqual(['recall_search', 'recall_read'])
    expect(recalled.answer).toContain(
      '`a/one.md:3`: `The first rule is never to hurry in harbour.`',
    )
  })

  it('goes on with a task after "continue", a summary in between', async () => {
    const many = memoryWorkspace(
      Object.fromEntries(
        Array.from({ length: 8 }, (_, at) => [
          `a/${at}.md`,
          `# ${at}\n\nA sentence about number ${at} here.\n`,
        ]),
      ),
    )
    const loop = createLoop(many, { maxSteps: 4 })
    await expect(loop.send('read every file in a/ one after the other')).rejects.toThrow('no end')
    loop.compact()
    await expect(loop.send('continue')).rejects.toThrow('no end')
    loop.compact()
    const { answer, calls } = await loop.send('go on')
    expect(calls.map((call) => call.input.path)).toEqual(['a/7.md'])
    expect(answer).toContain('8 files')
  })
})

describe('a record written by a language model', () => {
  const record = (open: string, next: string) =>
    checkpointText(
      `## Request and intent\nThe user wants: “read every file in a/ one after the other”.\n\n## Files and code\n- a/1.md read, it is about tides\n- a/2.md read\n\n## Open work\n${open}\n\n## Current state\nTwo of four are read.\n\n## Next step\n${next}`,
      [],
    )
  const listing: Message[] = [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_9', name: 'list_files', input: { path: 'a/' } }],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_9',
          content: [text('4 files in a/:\na/1.md\t5\na/2.md\t5\na/3.md\t5\na/4.md\t5')],
        },
      ],
    },
  ]

  it('is gone on from where it names what is left', async () => {
    const first = {
      role: 'user' as const,
      content: [text(record('a/3.md and a/4.md', 'Read a/3.md'))],
    }
    const { content } = await ask(offline, bodyOf([first]))
    expect(content.at(-1)).toMatchObject({ name: 'read_file', input: { path: 'a/3.md' } })
  })

  it('is gone on from after a new listing where it names only what is done', async () => {
    const first = { role: 'user' as const, content: [text(record('the rest', 'go on reading'))] }
    const { content } = await ask(offline, bodyOf([first]))
    expect(content.at(-1)).toMatchObject({ name: 'list_files', input: { path: 'a/' } })
    const next = await ask(offline, bodyOf([first, ...listing]))
    expect(next.content.at(-1)).toMatchObject({ name: 'read_file', input: { path: 'a/3.md' } })
  })
})
