import { describe, expect, it } from 'vitest'
import { missingSections } from '../core/accept'
import { checkpointText } from '../core/checkpoint'
import type { RequestHeader, SurfaceEvent } from '../core/event'
import { headOf } from '../core/head'
import type { Block, JsonObject } from '../core/message'
import { PRESETS } from '../core/policy'
import { estimateText } from '../core/price'
import { renderTranscript } from '../core/render'
import { buildSummaryRequest } from '../core/request'
import { readMemory, SIGNATURE } from './offline/memory'
import { ask } from './offline/testing/loop'
import { summarise, templateModel } from './template'

const header: RequestHeader = {
  provider: 'anthropic',
  model: 'some-model',
  system: 'system',
  tools: [],
  params: { max_tokens: 4096 },
  policy: PRESETS.standard,
  builder: 1,
}
const text = (words: string): Block => ({ type: 'text', text: words })

/** A conversation as surface nodes: `u` says, `a` answers, `call` runs a tool with its result. */
function talk() {
  const nodes: SurfaceEvent[] = []
  const add = (type: SurfaceEvent['type'], data: unknown) => {
    nodes.push({ seq: nodes.length, time: 0, type, data, surfaceOp: 'append' } as SurfaceEvent)
    return it
  }
  const it = {
    nodes,
    u: (...words: string[]) =>
      add('user/message', { id: 'u', content: words.map(text), source: { kind: 'human' } }),
    a: (words: string) => add('assistant/message', { id: 'a', content: [text(words)] }),
    call(name: string, input: JsonObject, result: string, isError = false, words = '') {
      const id = `t${nodes.length}`
      add('assistant/message', {
        id: 'a',
        content: [...(words ? [text(words)] : []), { type: 'tool_use', id, name, input }],
      })
      return add('tool/result', { id: 'r', callId: id, name, content: [text(result)], isError })
    },
    checkpoint: (summary: string) =>
      add('user/message', {
        id: 'c',
        content: [text(checkpointText(summary, nodes.map(headOf)))],
        source: { kind: 'checkpoint', compactionId: 'c' },
      }),
  }
  return it
}

const request = (
  nodes: SurfaceEvent[],
  form: 'prefix' | 'transcript',
  focus?: string,
  max = 4096,
) =>
  buildSummaryRequest(
    { ...header, params: { max_tokens: max } },
    nodes,
    {
      compactionId: 'c',
      turn: 1,
      trigger: 'manual',
      range: { start: nodes[0]!.seq, end: nodes.at(-1)!.seq },
      maxTokens: max,
      ...(focus && { instructions: focus }),
    },
    form,
  )

const FILLER = 'This sentence only takes up room in the record of the work that was done. '.repeat(
  60,
)

const work = () =>
  talk()
    .u('You must never touch data/. Fix the limit in `src/app.py`.')
    .call(
      'read_file',
      { path: 'src/app.py' },
      '1\tLIMIT = 10\n2\t\n3\tprint(LIMIT)',
      false,
      'Reading.',
    )
    .call(
      'edit_file',
      { path: 'src/app.py', old_text: 'x', new_text: 'y' },
      'No match for "old_text" in src/app.py.',
      true,
    )
    .call(
      'edit_file',
      { path: 'src/app.py', old_text: 'LIMIT = 10', new_text: 'LIMIT = 20' },
      'Edited src/app.py (1 place).',
    )
    .call('bash', { command: 'wc -l src/app.py > n.txt' }, '[workspace: wrote n.txt]')
    .a(`We decided to keep 20, because 30 was ruled out.\n\n${FILLER}`)
    .u('read every file in agents/ one after the other')
    .call(
      'list_files',
      { path: 'agents/' },
      '3 files in agents/:\nagents/a.md\t9\nagents/b.md\t9\nagents/c.md\t9',
    )
    .call(
      'read_file',
      { path: 'agents/a.md' },
      '1\t# First\n2\tA line with seven words and more here',
    )

describe.each(['transcript', 'prefix'] as const)('from the %s form', (form) => {
  const summary = summarise(request(work().nodes, form))

  it('[C14] has all sections in order and names itself in its first line', () => {
    expect(missingSections(summary)).toEqual([])
    expect(summary.split('\n')[0]).toBe(SIGNATURE)
    expect(summary).toContain('template summariser, not by a language model')
  })

  it('[C14] keeps requests, rules, decisions, files, commands and errors word for word', () => {
    expect(summary).toContain('- Newest: "read every file in agents/ one after the other"')
    expect(summary).toContain('- "You must never touch data/."')
    expect(summary).toContain('We decided to keep 20, because 30 was ruled out.')
    expect(summary).toContain('- changed `src/app.py` with edit_file')
    expect(summary).toContain('- changed `n.txt` with bash')
    expect(summary).toContain('wc -l src/app.py > n.txt')
    expect(summary).toContain('edit_file: No match for \\"old_text\\" in src/app.py.')
    expect(summary).toContain('`agents/a.md:2`: `A line with seven words and more here`')
  })

  it('says what is left of a task that goes one after the other, and the next step', () => {
    expect(summary).toContain('- Left to read, in order (2): `agents/b.md`, `agents/c.md`')
    expect(summary).toContain(
      '- 1 of 3 files read in the order of the list, the last one `agents/a.md`.',
    )
    expect(summary).toContain('- read_file {"path":"agents/b.md"}')
    expect(readMemory(summary).isAnswered).toBe(false)
  })

  it('quotes nothing that is not in the conversation', () => {
    const given = JSON.stringify(work().nodes)
    const memory = readMemory(summary)
    for (const words of [...memory.constraints, ...memory.decisions]) {
      expect(given).toContain(JSON.stringify(words).slice(1, -1))
    }
  })

  it('gives equal summaries for equal requests', () => {
    expect(summarise(request(work().nodes, form))).toBe(summary)
  })

  it('[C14] merges an earlier record and leaves its request behind a newer one', () => {
    const merged = summarise(
      request(
        talk()
          .checkpoint(summary)
          .u('where is LIMIT defined?')
          .call(
            'search_files',
            { query: 'LIMIT' },
            `1 match in 1 file:\nsrc/app.py:1: LIMIT = 20\n${FILLER}`,
          )
          .a('`LIMIT` is in `src/app.py:1`: `LIMIT = 20`').nodes,
        form,
      ),
    )
    const memory = readMemory(merged)
    expect(memory.request).toBe('where is LIMIT defined?')
    expect(memory.earlier.map((one) => one.request)).toContain(
      'read every file in agents/ one after the other',
    )
    expect(memory.changed.get('src/app.py')).toBe('edit_file')
    expect(memory.constraints).toContain('You must never touch data/.')
    expect(memory.readBefore).toContain('agents/a.md')
    expect(memory.left).toEqual([])
    expect(memory.isAnswered).toBe(true)
  })

  it('follows a focus', () => {
    const nodes = talk()
      .u('hello there')
      .a(`The door is green.\n\nThe pump in hall nine is red.\n\n${FILLER}`).nodes
    expect(summarise(request(nodes, form, 'the pump'))).toContain('The pump in hall nine is red.')
    expect(summarise(request(nodes, form))).not.toContain('pump in hall')
  })

  it('treats attached files as material, not as requests or rules', () => {
    const nodes = talk()
      .u(
        '<file name="x.md">\nYou must never sleep.\n#3 user\n</file>',
        'summarise the attached file',
      )
      .a(FILLER).nodes
    const memory = readMemory(summarise(request(nodes, form)))
    expect(memory.request).toBe('summarise the attached file')
    expect(memory.constraints).toEqual([])
  })

  it('carries on after "continue" with the request it continues', () => {
    const nodes = work()
      .a(`stopped ${FILLER}`)
      .u('continue')
      .call('read_file', { path: 'agents/b.md' }, '1\tB').nodes
    const memory = readMemory(summarise(request(nodes, form)))
    expect(memory.request).toBe('read every file in agents/ one after the other')
    expect(memory.left).toEqual(['agents/c.md'])
  })
})

describe('size', () => {
  it('stays below 1,200 tokens however often records are merged, and keeps the first and newest requests', () => {
    let summary = summarise(request(work().nodes, 'transcript'))
    for (let round = 0; round < 30; round++) {
      const more = talk().checkpoint(summary)
      more.u(
        `Request ${round}: you must always keep rule ${round}. Decision: variant ${round} stays. ${'ж'.repeat(round * 10)}`,
      )
      for (let file = 0; file < 12; file++)
        more.call(
          'read_file',
          { path: `part${round}/file-${file}.md` },
          `1\tThis is file number ${file} of round ${round} here`,
          false,
          FILLER.slice(0, 300),
        )
      more
        .call('bash', { command: `echo ${round}` }, `${round}`)
        .call('read_file', { path: 'nope' }, `There is no file nope${round}.`, true)
      summary = summarise(request(more.nodes, 'transcript'))
      expect(estimateText(summary)).toBeLessThan(1_200)
    }
    const memory = readMemory(summary)
    expect(memory.request).toContain('Request 29')
    expect(memory.read.length).toBeGreaterThan(5)
    expect(missingSections(summary)).toEqual([])
  })

  it('takes at most half of what it stands for, and no more than it may write', () => {
    const nodes = talk().u('short question').a(FILLER).nodes
    expect(estimateText(summarise(request(nodes, 'transcript')))).toBeLessThan(
      estimateText(FILLER) / 2,
    )
    expect(
      estimateText(summarise(request(work().nodes, 'transcript', undefined, 300))),
    ).toBeLessThanOrEqual(300)
  })

  it('cuts a huge request, says so, and never parts a surrogate pair', () => {
    const nodes = talk().u('😀'.repeat(4_000)).a(FILLER).nodes
    const summary = summarise(request(nodes, 'transcript'))
    expect(estimateText(summary)).toBeLessThan(1_200)
    expect(summary.isWellFormed()).toBe(true)
    expect(summary).toMatch(/- Newest \(the first \d+ of 8000 characters\)/)
  })

  it('a list of 300 files is worked through by its place, not by 300 names', () => {
    const list = Array.from({ length: 300 }, (_, at) => `big/${String(at).padStart(3, '0')}.md`)
    const nodes = talk()
      .u('read every file in big/ one after the other')
      .call(
        'list_files',
        { path: 'big/' },
        `300 files in big/:\n${list.map((path) => `${path}\t5`).join('\n')}`,
      )
    for (const path of list.slice(0, 120))
      nodes.call('read_file', { path }, `1\tThe only line of ${path} is this one here`)
    const memory = readMemory(summarise(request(nodes.nodes, 'transcript')))
    expect(memory.list).toEqual({ done: 120, total: 300, last: 'big/119.md' })
    expect(memory.left[0]).toBe('big/120.md')
    expect(memory.left.length + memory.leftMore).toBe(180)
  })
})

describe('[C10] in windows', () => {
  const ofText = (words: string) => ({
    ...request(work().nodes, 'transcript'),
    messages: [{ role: 'user' as const, content: [text(words)] }],
  })
  const window = (part: number, of: number, nodes: SurfaceEvent[]) =>
    summarise(
      ofText(
        `<transcript part="${part}" of="${of}">\n${renderTranscript(nodes)}\n</transcript>\n\nThe transcript is too long. Write the record of this part.`,
      ),
    )

  it('merges the records of parts as if they had been read together', () => {
    const first = work().nodes
    const second = talk()
      .call('read_file', { path: 'agents/b.md' }, '1\tThe second file has one line of many words')
      .call(
        'edit_file',
        { path: 'other.py', old_text: 'a', new_text: 'b' },
        'Edited other.py (1 place).',
      ).nodes
    const records = [window(1, 2, first), window(2, 2, second)]
    const merged = summarise(
      ofText(
        `${records.map((record, at) => `<part from="#${at}" to="#${at}">\n${record}\n</part>`).join('\n\n')}\n\nThe parts above are records.`,
      ),
    )
    const memory = readMemory(merged)
    expect(memory.request).toBe('read every file in agents/ one after the other')
    expect(memory.read.map(({ path }) => path)).toEqual(['agents/a.md', 'agents/b.md'])
    expect(memory.left).toEqual(['agents/c.md'])
    expect(memory.list).toEqual({ done: 2, total: 3, last: 'agents/b.md' })
    expect(memory.changed.get('other.py')).toBe('edit_file')
    expect(memory.changed.get('src/app.py')).toBe('edit_file')
    expect(memory.isAnswered).toBe(false)
    expect(memory.next).toBe('read_file {"path":"agents/c.md"}')
    expect(missingSections(merged)).toEqual([])
  })

  it('takes the rest of a cut entry for material, not for a request or a result', () => {
    const summary = summarise(
      ofText(
        '<transcript part="2" of="2">\n#4 user (continued)\nYou must never do this.\n\n#5 assistant\nDone with it all here.\n</transcript>\n\nWrite.',
      ),
    )
    expect(readMemory(summary)).toMatchObject({ request: null, constraints: [], isAnswered: true })
  })
})

describe('as a model', () => {
  it('[C15] streams the summary and ends regularly with usage by M1', async () => {
    const body = request(work().nodes, 'transcript')
    const reply = await ask(templateModel(), body)
    expect(reply.text).toBe(summarise(body))
    expect(reply.end).toMatchObject({
      type: 'end',
      stopReason: 'end_turn',
      usage: { output_tokens: estimateText(reply.text) },
    })
  })

  it('[C5] ends with cancelled when aborted', async () => {
    const { end } = await ask(
      templateModel(),
      request(work().nodes, 'transcript'),
      AbortSignal.abort(),
    )
    expect(end).toMatchObject({ type: 'error', error: { code: 'cancelled' } })
  })
})
