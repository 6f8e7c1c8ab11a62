/** Tool runs of one assistant message: all at once, each result appended as it comes. */

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

/**
 * Runs calls whose intents are durable, concurrently. Returns when every result is in the log; an abort
 * answers what still runs with an error at once. The outcome's `compact` is that of the first call
 * that asks (C12).
 */
export async function runCalls(
  session: Session,
  place: Place,
  calls: readonly Call[],
  signal: AbortSignal,
): Promise<ToolOutcome['compact']> {
  const { deps, writer, live } = session
  const tools = new Map(deps.tools().map((tool) => [tool.spec.name, tool]))
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
  if (!tool)
    return failure(`There is no tool named ${call.name}. The tools are: ${names.join(', ')}.`)
  if (call.problem) return failure(call.problem)
  try {
    return await orAborted(tool.run(call.input, signal), signal, () => failure(CANCELLED))
  } catch (cause) {
    return failure(`The tool failed: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

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
