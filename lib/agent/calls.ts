/**
 * Tool runs of one assistant message. Calls that only read run side by side, one that may change what others
 * see runs alone, in the order the model asked; each result is appended as it comes.
 */

import type { DraftOf, Seq } from '../core/event'
import type { Block } from '../core/message'
import { isText, textOf } from '../core/message'
import type { Tool, ToolOutcome } from '../ports'
import { orAborted } from './abort'
import type { Call } from './assemble'
import { repairBlocks, type Session } from './session'
import { must } from './writer'

export type Place = { turn: number; step: number }

/** The durable intents, to be committed with or before anything that runs them. */
export const callDrafts = (place: Place, calls: readonly Call[]): DraftOf<'tool/call'>[] =>
  calls.map(({ id, name, input, raw }) => ({
    type: 'tool/call',
    data: { ...place, callId: id, name, input, ...(raw === undefined ? {} : { raw }) },
  }))

/** Why a complete call was not run, as its result (R3). */
export const refusedDrafts = (
  session: Session,
  place: Place,
  calls: readonly Call[],
  why: string,
): DraftOf<'tool/result'>[] =>
  calls.map((call) => resultDraft(session, place, call, failure(why), undefined))

/** Calls in the runs they are taken in: each begins when the one before is answered. */
export function runsOf(tools: readonly Tool[], calls: readonly Call[]): Call[][] {
  const runs: Call[][] = []
  const changing = new Set(
    tools.filter(({ effect }) => effect === 'changes').map(({ spec }) => spec.name),
  )
  let isOpen = false
  for (const call of calls) {
    const isAlone = changing.has(call.name)
    if (isOpen && !isAlone) runs.at(-1)!.push(call)
    else runs.push([call])
    isOpen = !isAlone
  }
  return runs
}

/**
 * Runs calls run by run; the intents of the first are durable, those of the others are made so before they
 * begin. Returns when every result is in the log; an abort answers at once what still runs and what has not
 * begun. The outcome's `compact` is that of the first call that asks (C12).
 */
export async function runCalls(
  session: Session,
  place: Place,
  runs: readonly Call[][],
  signal: AbortSignal,
): Promise<ToolOutcome['compact']> {
  const { deps, writer } = session
  const tools = new Map(deps.tools().map((tool) => [tool.spec.name, tool]))
  let asked: ToolOutcome['compact']
  for (const [index, run] of runs.entries()) {
    if (signal.aborted) {
      const rest = runs.slice(index).flat()
      await must(writer, refusedDrafts(session, place, rest, NOT_RUN))
      break
    }
    if (index > 0) await must(writer, callDrafts(place, run), { durability: 'strict' })
    const compact = await runTogether(session, place, run, tools, signal)
    asked ??= compact
  }
  return asked
}

async function runTogether(
  session: Session,
  place: Place,
  calls: readonly Call[],
  tools: ReadonlyMap<string, Tool>,
  signal: AbortSignal,
): Promise<ToolOutcome['compact']> {
  const { deps, writer, live } = session
  const running = new Map(calls.map(({ id, name }) => [id, name]))
  const show = () =>
    live.set({ phase: 'tools', running: [...running].map(([callId, name]) => ({ callId, name })) })
  show()
  const asked = await Promise.all(
    calls.map(async (call) => {
      const began = deps.clock.now()
      const outcome = await runCall(tools.get(call.name), call, [...tools.keys()], signal)
      const ms = Math.max(0, deps.clock.now() - began)
      await must(writer, [resultDraft(session, place, call, outcome, ms)])
      running.delete(call.id)
      show()
      return outcome.compact
    }),
  )
  return asked.find((compact) => compact !== undefined)
}

async function runCall(
  tool: Tool | undefined,
  call: Call,
  names: string[],
  signal: AbortSignal,
): Promise<ToolOutcome> {
  if (signal.aborted) return failure(NOT_RUN)
  if (!tool)
    return failure(`There is no tool named ${call.name}. The tools are: ${names.join(', ')}.`)
  if (call.problem) return failure(call.problem)
  try {
    return await orAborted(tool.run(call.input, signal), signal, () => failure(CANCELLED))
  } catch (cause) {
    return failure(`The tool failed: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** Why a call that a stop came before has no outcome. */
export const NOT_RUN = 'Cancelled by the user before it was run.'
const CANCELLED = 'Cancelled by the user before it finished; it may have had effects.'

const failure = (text: string): ToolOutcome => ({
  content: [{ type: 'text', text }],
  isError: true,
})

const resultDraft = (
  session: Session,
  place: Place,
  call: Call,
  outcome: ToolOutcome,
  durationMs: number | undefined,
): DraftOf<'tool/result'> => ({
  type: 'tool/result',
  data: {
    id: session.deps.newId(),
    ...place,
    callId: call.id,
    name: call.name,
    content: presentable(session, outcome),
    isError: outcome.isError,
    ...(durationMs === undefined ? {} : { durationMs }),
  },
  surfaceOp: 'append',
  ...(durationMs === undefined ? {} : { sourceEventSeqs: callSeqOf(session, call.id) }),
})

/** The intent a result answers, as its source (S4). */
const callSeqOf = ({ log }: Session, callId: string): Seq[] => {
  const intent = log.heads.findLast(
    (head) => head.type === 'tool/call' && head.calls?.[0] === callId,
  )
  return intent ? [intent.seq] : []
}

/** Well-formed text (L5), no empty blocks, and never an error without a word (Q4). */
function presentable(session: Session, { content, isError }: ToolOutcome): Block[] {
  const blocks = repairBlocks(session, content).filter(
    (block) => !isText(block) || block.text !== '',
  )
  const hasWords = blocks.some((block) => !isText(block)) || textOf(blocks).trim() !== ''
  return isError && !hasWords
    ? [{ type: 'text', text: 'The tool failed without a message.' }]
    : blocks
}
