import { expect, it } from 'vitest'
import type { Seq } from '../core/event'
import { surfaceNodes } from '../core/log'
import type { Block } from '../core/message'
import { BUILDER } from '../core/request'
import { type Scenario, scenarioHeader, scenarioLog, scenarios } from '../core/testing/scenarios'
import { JournalError } from '../ports'
import { type CompactionError, compactIfNeeded, compactNow, compactRegions } from './manual'
import { createSession, type Session } from './session'
import type { Beat } from './testing/model'
import { reader, rig, text } from './testing/rig'
import { must } from './writer'

/** The scenarios of the reference through the real transaction: session, writer, journal and a scripted summariser. */
async function open({ log: name, call, journal }: Scenario) {
  let isBroken = journal === 'fails-at-commit'
  const window = call.kind === 'pressure' ? call.window : undefined
  const r = rig({
    tools: [reader],
    header: { ...scenarioHeader, builder: BUILDER, contextWindow: window },
    journal: (memory) => ({
      ...memory,
      async append(write) {
        if (isBroken && write.events.some((event) => event.type === 'compact/summary')) {
          isBroken = false
          throw new JournalError('failed', 'the disk said no')
        }
        return memory.append(write)
      },
    }),
  })
  r.chosen = { ...scenarioHeader, builder: BUILDER, contextWindow: window }
  const session = createSession(r.deps)
  for (const batch of scenarioLog(name))
    await must(
      session.writer,
      batch.map((draft) =>
        draft.type === 'request/header' ? { ...draft, data: r.chosen } : draft,
      ),
    )
  return { r, session }
}

function beats({ answer = {} }: Scenario): Beat[] {
  const { text: words, thinking, call, stopReason = 'end_turn', error } = answer
  if (error) return [{ type: 'error', error: { ...error, code: 'invalid-request' } }]
  const blocks: Block[] = []
  if (thinking) blocks.push({ type: 'thinking', thinking, signature: 's' })
  if (words) blocks.push({ type: 'text', text: words })
  if (call) blocks.push({ type: 'tool_use', id: 'late', name: call, input: {} })
  return [
    ...blocks.map((block, index) => ({ type: 'block', index, block }) as const),
    { type: 'end', stopReason },
  ]
}

/** What happens while the summariser writes. */
async function interfere({ writer, log }: Session, during: Scenario['during']): Promise<void> {
  if (during === 'append')
    await must(writer, [
      {
        type: 'user/message',
        data: { id: 'm', content: text('meanwhile'), source: { kind: 'human' } },
        surfaceOp: 'append',
      },
    ])
  if (during === 'log-only')
    await must(writer, [{ type: 'session/title', data: { title: 'meanwhile', source: 'human' } }])
  if (typeof during !== 'object') return
  const seq = during.prune
  const { callId, frame } = { callId: log.heads[seq]!.calls![0]!, frame: log.heads[seq]!.frame! }
  await must(writer, [
    {
      type: 'compact/prune',
      data: {
        cause: 'manual',
        shadowedRange: { start: seq, end: seq },
        shadowedSeqs: [seq],
        shadowedTokenCount: 1,
      },
    },
    {
      type: 'tool/result',
      data: { ...JSON.parse(frame), callId, content: text('short') },
      surfaceOp: { op: 'replace', start: seq, end: seq },
      sourceEventSeqs: [seq],
    },
  ])
}

function run(session: Session, { call }: Scenario, signal: AbortSignal) {
  const wish = { turn: null, signal }
  if (call.kind === 'manual') return compactNow(session, wish)
  if (call.kind === 'region') return compactRegions(session, [call], wish)
  const trigger = call.kind === 'pressure' ? 'pressure' : 'context-overflow'
  return compactIfNeeded(session, trigger, wish)
}

it.each(scenarios)('[C1–C8] $id', async (scenario) => {
  const { r, session } = await open(scenario)
  const { verdict, abort, during } = scenario
  const before = r.log.heads.length
  expect(surfaceNodes(r.log)).toEqual(scenario.surfaceBefore)
  const controller = new AbortController()
  if (abort === 'before') controller.abort()
  r.summariser.add(() => {
    if (abort === 'during') controller.abort()
    return [interfere(session, during), ...beats(scenario)]
  })
  const outcome = await run(session, scenario, controller.signal).then(
    (results) => ({ outcome: results ? 'done' : 'nothing', results, code: undefined }),
    (error: CompactionError) => ({ outcome: 'failed', results: null, code: error.code }),
  )
  if (verdict.outcome === 'refused')
    expect(outcome).toMatchObject({ outcome: 'failed', code: verdict.code ?? 'refused' })
  else if (abort === 'before') expect(outcome.code).toBe('cancelled')
  else expect(outcome).toMatchObject({ outcome: verdict.outcome, code: verdict.code })
  const appended = r.events().slice(before)
  expect(appended.map(({ type }) => type)).toEqual(verdict.appended)
  expect(outcome.results?.[0]?.shadowedSeqs).toEqual(verdict.shadowedSeqs)
  const named = (seq: Seq) => {
    if (seq < before) return seq
    if (r.log.heads[seq]!.kind === 'checkpoint') return 'checkpoint'
    return during ? 'during' : 'pruned'
  }
  expect(surfaceNodes(r.log).map(named)).toEqual(verdict.surfaceAfter)
  await r.verify()
})
