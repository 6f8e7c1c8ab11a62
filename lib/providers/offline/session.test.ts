import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../agent/agent'
import { check } from '../../core/check'
import type {
  EventOf,
  EventType,
  Policy,
  RequestHeader,
  SessionEvent,
  SessionHeader,
} from '../../core/event'
import { createLog } from '../../core/log'
import { textOf } from '../../core/message'
import { PRESETS } from '../../core/policy'
import type { Tool } from '../../ports'
import { createRecall } from '../../state/recall'
import { hashJson } from '../../storage/hash'
import { memoryDisk, memoryJournal } from '../../storage/memory'
import { toolsInPlace } from '../../tools/testing/run-tool'
import { memoryWorkspace } from '../../tools/workspace'
import { OFFLINE_INFO } from '../offline'
import { templateModel } from '../template'
import { readCites } from './cite'
import { offline, still } from './testing/loop'

const root = new URL('../../../public/sample-workspace/', import.meta.url)
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, root)), 'utf8')
const index = JSON.parse(read('index.json')) as { path: string }[]
const files = Object.fromEntries(index.map(({ path }) => [path, read(path)]))
const agents = index.map(({ path }) => path).filter((path) => path.startsWith('agents/'))

/** The real loop on the sample workspace with the offline reader and the template summariser. */
function session(policy: Policy, wrap = (tool: Tool): Tool => tool) {
  const header: SessionHeader = { version: 1, id: 's', createdAt: 0 }
  const log = createLog(header)
  const journal = memoryJournal('s', memoryDisk())
  const events: SessionEvent[] = []
  const recall = createRecall(
    () => log,
    async (seqs) => seqs.map((seq) => events[seq]!),
  )
  const tools = toolsInPlace(memoryWorkspace(files), recall).map(wrap)
  const request: RequestHeader = {
    provider: OFFLINE_INFO.provider,
    model: OFFLINE_INFO.model,
    contextWindow: OFFLINE_INFO.contextWindow,
    system: 'You work in a small workspace of files. Quote exact paths, names and numbers.',
    tools: tools.map((tool) => tool.spec),
    params: { max_tokens: OFFLINE_INFO.maxTokens },
    policy,
    builder: 1,
  }
  let ids = 0
  const agent = createAgent({
    log,
    journal,
    model: () => offline,
    summariser: () => templateModel(),
    tools: () => tools,
    clock: still,
    newId: () => `id${++ids}`,
    random: () => 0.5,
    hash: hashJson,
    header: () => request,
    maxSteps: 60,
    onCommit: (fresh) => void events.push(...fresh),
    onLive: () => {},
  })
  const of = <T extends EventType>(type: T) =>
    events.filter((event): event is EventOf<T> => event.type === type)
  return {
    of,
    events,
    header,
    async send(words: string) {
      await agent.send([{ type: 'text', text: words }])
      await agent.idle()
      return textOf(of('assistant/message').at(-1)!.data.content)
    },
  }
}

const quoted = (words: string) => {
  const cites = readCites(words)
  for (const { path, line, text } of cites)
    expect(files[path]?.split('\n')[line - 1]).toContain(text)
  return cites.length
}

describe.each([
  ['teaching', PRESETS.teaching],
  ['standard', PRESETS.standard],
] as const)('with the %s preset', (name, policy) => {
  it('[X1][C7] reads every file in agents/ through automatic compaction and finishes', async () => {
    const s = session(policy)
    const answer = await s.send('read every file in agents/ one after the other')
    expect(s.of('turn/end').map((event) => event.data.reason)).toEqual(['completed'])
    const reads = s.of('tool/call').filter((event) => event.data.name === 'read_file')
    expect(reads.map((event) => (event.data.input as { path: string }).path)).toEqual(agents)
    const prunes = s.of('compact/prune').map((event) => event.data.cause)
    if (name === 'teaching') expect(prunes).toContain('micro')
    expect(s.of('compact/summary').length).toBeGreaterThan(0)
    expect(s.of('compact/end').every((event) => event.data.error === undefined)).toBe(true)
    for (const path of agents) expect(answer).toContain(path)
    const words = s
      .of('assistant/message')
      .map((event) => textOf(event.data.content))
      .join('\n')
    expect(quoted(words)).toBeGreaterThan(40)
    expect(check(s.header, s.events)).toEqual([])
  })

  it('[C12][K3] compacts when asked and finds afterwards what a file said', async () => {
    const s = session(policy)
    await s.send('summarise notes.md')
    await s.send('read agents/tide_watcher.py')
    await s.send('compact now, focus on open work')
    expect(s.of('compact/start').at(-1)?.data).toMatchObject({
      trigger: 'model',
      instructions: 'open work',
    })
    const answer = await s.send('what did agents/tide_watcher.py say?')
    // The standard preset keeps a recent tail, in which the reading still stands.
    if (name === 'standard') expect(answer).toContain('It is still in view')
    else {
      const tools = s.of('tool/call').map((event) => event.data.name)
      expect(tools.slice(-2)).toEqual(['recall_search', 'recall_read'])
    }
    expect(quoted(answer)).toBeGreaterThan(2)
    expect(check(s.header, s.events)).toEqual([])
  })
})

it('[R2] makes a call again whose result a crash took, and finishes', async () => {
  let calls = 0
  const lost = 'Outcome unknown: the session was interrupted while this call ran.'
  const s = session(PRESETS.teaching, (tool) => ({
    ...tool,
    run: (input, signal) =>
      tool.spec.name === 'read_file' && ++calls === 4
        ? Promise.resolve({ content: [{ type: 'text', text: lost }], isError: true })
        : tool.run(input, signal),
  }))
  const answer = await s.send('read every file in agents/ one after the other')
  const reads = s.of('tool/call').filter((event) => event.data.name === 'read_file')
  const paths = reads.map((event) => (event.data.input as { path: string }).path)
  expect(paths).toEqual(agents.flatMap((path, i) => (i === 3 ? [path, path] : [path])))
  expect(answer).toContain('That was the last one: 12 files')
})

it('one long session of many requests never fails for want of room', async () => {
  const s = session(PRESETS.teaching)
  const asks = [
    'hello',
    'read every file in agents/ one after the other',
    'where is THRESHOLD defined?',
    'what changed between config/harbor.old.toml and config/harbor.toml?',
    'read every file in docs/ and then stop',
    'summarise agents/ledger_keeper.py',
    'read all files in harbor/ one by one',
    'which files mention PILOT_REST_MIN?',
    'create notes/todo.txt with "buy rope"',
    'run `wc -l agents/* | tail -1`',
    'read every file in agents/ one after the other',
  ]
  for (const words of asks) {
    await s.send(words)
    expect([words, s.of('turn/end').at(-1)?.data.reason]).toEqual([words, 'completed'])
  }
  expect(s.of('request/failed')).toEqual([])
  const words = s
    .of('assistant/message')
    .map((event) => textOf(event.data.content))
    .join('\n')
  expect(quoted(words)).toBeGreaterThan(100)
  expect(check(s.header, s.events)).toEqual([])
})
