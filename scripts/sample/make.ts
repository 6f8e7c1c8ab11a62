/**
 * Makes the sample session: the real agent over its ports, with the scenario as its model, the real tools on
 * the sample workspace, a clock and ids that always run alike. Same code, same bytes.
 */

import { type Agent, createAgent } from '../../lib/agent/agent'
import type { RequestHeader, SessionEvent, SessionHeader } from '../../lib/core/event'
import { createLog, type Log } from '../../lib/core/log'
import type { Usage } from '../../lib/core/message'
import { PRESETS } from '../../lib/core/policy'
import { estimateText } from '../../lib/core/price'
import { BUILDER, type RequestBody } from '../../lib/core/request'
import type { Clock, Model, ModelEvent } from '../../lib/ports'
import { SYSTEM } from '../../lib/state/defaults'
import { createRecall } from '../../lib/state/recall'
import { hashJson } from '../../lib/storage/hash'
import { memoryDisk, memoryJournal } from '../../lib/storage/memory'
import { runSearch } from '../../lib/tools/search'
import { runShell } from '../../lib/tools/shell'
import { createTools } from '../../lib/tools/tools'
import { type Content, memoryWorkspace } from '../../lib/tools/workspace'
import { ACTS, type Act, type Step } from './scenario'
import { SUMMARIES } from './summaries'

export const SAMPLE_HEADER: SessionHeader = {
  version: 1,
  id: 'sample-harbor',
  createdAt: Date.UTC(2026, 10, 2, 8, 30),
}

const MODEL = 'claude-sonnet-5'
/** A small threshold, so that a session of this size is compacted three times. */
const THRESHOLD = 35_000

type SampleClock = Clock & { pass(ms: number): void }

function sampleClock(): SampleClock {
  let time = SAMPLE_HEADER.createdAt
  return {
    now: () => ++time,
    async sleep(ms) {
      time += ms
    },
    pass(ms) {
      time += ms
    },
  }
}

/** What the provider would have counted: the estimate, and the prefix of the request before read from its cache. */
function createBill() {
  let before = 0
  return (body: RequestBody, spoken: number): Usage => {
    const input = Math.round(
      estimateText(JSON.stringify([body.system, body.tools, body.messages])) * 0.94,
    )
    const cached = Math.min(before, Math.round(input * 0.97))
    before = input
    return {
      input_tokens: Math.max(4, input - cached - Math.round((input - cached) * 0.9)),
      cache_creation_input_tokens: Math.round((input - cached) * 0.9),
      cache_read_input_tokens: cached,
      output_tokens: spoken,
    }
  }
}

const isSummary = (body: RequestBody): boolean =>
  JSON.stringify(body.messages.at(-1)).includes('## Request and intent')

type Script = {
  micro: 'off' | 'worthwhile'
  steps: Step[]
  summaries: string[]
  /** What the next summary does instead of being written. */
  trouble: { kind: 'cut' } | { kind: 'cancel'; cancel(): void } | null
}

/** Plays the script as a model would stream it. */
function scriptedModel(clock: SampleClock, script: Script): Model {
  const bill = createBill()
  let calls = 0
  let replies = 0

  function* blocksOf(step: Step): Generator<ModelEvent> {
    let index = 0
    if (step.think) {
      yield { type: 'block', index, block: { type: 'thinking', thinking: '', signature: '' } }
      yield { type: 'delta', index, delta: { type: 'thinking', thinking: step.think } }
      yield {
        type: 'delta',
        index,
        delta: { type: 'signature', signature: 'c2FtcGxlIHNlc3Npb24=' },
      }
      index++
    }
    if (step.say) {
      yield { type: 'block', index, block: { type: 'text', text: '' } }
      yield { type: 'delta', index, delta: { type: 'text', text: step.say } }
      index++
    }
    for (const [name, input] of step.calls) {
      const id = `toolu_${String(++calls).padStart(4, '0')}`
      yield { type: 'block', index, block: { type: 'tool_use', id, name, input: {} } }
      yield { type: 'delta', index, delta: { type: 'input', json: JSON.stringify(input) } }
      index++
    }
  }

  async function* play(
    body: RequestBody,
    step: Step,
    stopReason: string,
  ): AsyncGenerator<ModelEvent> {
    clock.pass(1800 + (replies++ % 5) * 700)
    yield { type: 'start', model: MODEL }
    yield* blocksOf(step)
    const spoken = estimateText(`${step.think ?? ''}${step.say ?? ''}${JSON.stringify(step.calls)}`)
    yield { type: 'end', stopReason, usage: bill(body, spoken + 12) }
  }

  async function* summarise(body: RequestBody): AsyncGenerator<ModelEvent> {
    const { trouble } = script
    script.trouble = null
    clock.pass(6200)
    if (trouble?.kind === 'cancel') {
      yield { type: 'start', model: MODEL }
      trouble.cancel()
      yield { type: 'error', error: { code: 'cancelled', message: 'Cancelled.' } }
      return
    }
    const say = script.summaries[0]
    if (say === undefined) throw new Error('the scenario has no further summary')
    if (trouble?.kind === 'cut')
      return yield* play(body, { say: say.slice(0, 400), calls: [] }, 'max_tokens')
    script.summaries.shift()
    yield* play(body, { say, calls: [] }, 'end_turn')
  }

  return {
    provider: 'anthropic',
    async *stream(body) {
      if (isSummary(body)) return yield* summarise(body)
      const step = script.steps.shift()
      if (!step) throw new Error('the scenario has no further step')
      yield* play(body, step, step.calls.length > 0 ? 'tool_use' : 'end_turn')
    },
  }
}

async function perform(
  act: Act,
  agent: Agent,
  script: Script,
  clock: SampleClock,
  log: Log,
): Promise<void> {
  switch (act.kind) {
    case 'turn':
      clock.pass(act.after * 60_000)
      script.steps.push(...act.steps, { say: act.answer, calls: [] })
      await agent.send([{ type: 'text', text: act.ask }])
      return agent.idle()
    case 'micro':
      script.micro = act.when
      return
    case 'title':
      return agent.setTitle(act.title, 'automatic')
    case 'pin': {
      const prompts = log.heads.filter((head) => head.kind === 'human')
      const prompt = prompts[act.turn]
      if (prompt) await agent.setPins([prompt.seq], true)
      return
    }
    case 'compact': {
      const controller = new AbortController()
      script.trouble =
        act.outcome === 'cancelled'
          ? { kind: 'cancel', cancel: () => controller.abort() }
          : { kind: 'cut' }
      await agent.compactNow(controller.signal, act.focus).catch((error: Error) => {
        if (error.name !== 'CompactionError') throw error
      })
      return agent.idle()
    }
  }
}

export type Sample = { header: SessionHeader; events: SessionEvent[]; log: Log }

/** Plays all acts on these workspace files. Throws when the script and the engine part ways. */
export async function makeSample(files: Record<string, Content>): Promise<Sample> {
  const clock = sampleClock()
  const disk = memoryDisk()
  const log = createLog(SAMPLE_HEADER)
  const journal = memoryJournal(SAMPLE_HEADER.id, disk)
  const script: Script = { micro: 'off', steps: [], summaries: [...SUMMARIES], trouble: null }
  const model = scriptedModel(clock, script)
  const tools = createTools({
    files: memoryWorkspace(files),
    recall: createRecall(
      () => log,
      (seqs) => journal.read(seqs),
    ),
    // Node has no workers of the browser's kind; the jobs themselves are the same.
    runRegex: async (job) => ({ kind: 'done', value: await runSearch(job) }),
    runShell: async (job) => {
      clock.pass(340)
      return { kind: 'done', value: await runShell(job) }
    },
  })
  const header = (): RequestHeader => ({
    provider: 'anthropic',
    model: MODEL,
    contextWindow: 200_000,
    system: SYSTEM,
    tools: tools.map((tool) => tool.spec),
    params: { max_tokens: 8192 },
    policy: {
      ...PRESETS.standard,
      preset: 'custom',
      threshold: { absolute: THRESHOLD, ratio: 0.8 },
      micro: { ...PRESETS.standard.micro, when: script.micro },
    },
    builder: BUILDER,
  })
  let ids = 0
  const agent = createAgent({
    log,
    journal,
    model: () => model,
    summariser: () => model,
    tools: () => tools,
    clock,
    newId: () => `s${String(++ids).padStart(4, '0')}`,
    hash: hashJson,
    random: () => 0.5,
    header,
    maxSteps: 60,
    onCommit: () => {},
    onLive(live) {
      if (live.problem) throw new Error(`${live.problem.code}: ${live.problem.message}`)
    },
  })
  for (const act of ACTS) await perform(act, agent, script, clock, log)
  await agent.close()
  if (script.steps.length > 0) throw new Error(`${script.steps.length} steps were never played`)
  return { header: SAMPLE_HEADER, events: disk.events, log }
}
