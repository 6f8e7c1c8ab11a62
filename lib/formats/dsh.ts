/**
 * DeepSeek Harness logs, versions 0 to 4: JSONL (plain or zstd frames) of `{type, seq, time, data}` over the
 * same kind of surface as ours. Test snapshots leave out seq and time; packed rows stand for many seqs.
 */

import type { TurnEndReason } from '../core/event'
import type { JsonObject } from '../core/message'
import type { Soon } from './blocks'
import {
  FORMAT,
  opOf,
  type Reading,
  remember,
  takeAssistant,
  takeResult,
  takeUser,
} from './dsh-surface'
import { type ForeignFile, type Part, type Row, UnreadableFile } from './foreign'
import { argumentsOf, countOf, isRow, listOf, rowOf, textOf, timeOf } from './json'
import { readRowRuns } from './rows'
import { createSessions } from './session'

const NEWEST = 4
const REASONS: Record<string, TurnEndReason> = {
  completed: 'completed',
  cancelled: 'cancelled',
  error: 'error',
  'max-steps': 'max-steps',
  'max-tokens': 'max-tokens',
}

/** Turns and steps; a step of ours begins with its reply, which the builder sees to. */
function takeFrame(
  { session: { builder } }: Reading,
  row: Row,
  type: string,
  data: JsonObject,
): void {
  const turn = countOf(data.turn)
  const step = countOf(data.step)
  if (turn === undefined) return void builder.keep(row, 'it names no turn')
  if (type === 'turn/start') return void builder.write(row, [{ type, data: { turn } }])
  if (type === 'turn/end') {
    const reason =
      REASONS[textOf(rowOf(data.reason).kind) ?? textOf(data.reason) ?? ''] ?? 'interrupted'
    return void builder.write(row, [{ type, data: { turn, reason } }])
  }
  if (type === 'step/start' || step === undefined) return void builder.took(row)
  builder.inOrder(row, () => {
    if (builder.log.state.step !== step)
      return void builder.keep(row, 'the step it ends has no reply')
    builder.append(row, [{ type: 'step/end', data: { turn, step } }])
  })
}

function takeCall({ session: { builder } }: Reading, row: Row, data: JsonObject): void {
  const [turn, step] = [countOf(data.turn), countOf(data.step)]
  const name = textOf(data.name)
  builder.inOrder(row, () => {
    const callId = builder.callId(textOf(data.callId) ?? '')
    const call = builder.log.state.openCalls.find((open) => open.callId === callId && !open.started)
    if (!call || turn === undefined || step === undefined || !name) {
      return void builder.keep(row, 'no open call waits to be started')
    }
    const input = argumentsOf(data.arguments)
    builder.append(row, [
      { type: 'tool/call', data: { turn, step, callId: call.callId, name: call.name, input } },
    ])
  })
}

/** Their words for compaction events have changed once. */
const spelled = (type: string): string => type.replace(/^compact\//, 'compaction/')

function takeEvent(reading: Reading, row: Row, value: JsonObject): Soon<void> {
  const { builder } = reading.session
  const data = rowOf(value.data)
  const type = spelled(textOf(value.type) ?? '')
  const op = opOf(value.surfaceOp)
  switch (type) {
    case 'user/message':
      return takeUser(reading, row, data, op)
    case 'assistant/message':
      return takeAssistant(reading, row, data)
    case 'tool/result':
      return takeResult(reading, row, data, op)
    case 'tool/call':
      return takeCall(reading, row, data)
    case 'turn/start':
    case 'turn/end':
    case 'step/start':
    case 'step/end':
      return takeFrame(reading, row, type, data)
    case 'session/title': {
      const title = textOf(data.title)
      return title ? builder.title(row, title) : builder.keep(row, 'a title that is none')
    }
    case 'compaction/start':
      return wait(reading, 'start', row, data)
    case 'compaction/summary':
      return wait(reading, 'summary', row, data)
    case 'compaction/prune':
      return wait(reading, 'prune', row, data)
    case 'compaction/end':
      return endBracket(reading, row, data)
    case 'system/message':
      return builder.keep(row, 'the system prompt')
    case 'assistant/chunk':
    case 'text-chunks':
    case 'reasoning-chunks':
    case 'tool-call-chunks':
      return builder.keep(row, 'parts of a reply as they came; the message holds them')
    default:
      return builder.keep(row, `an event of the program (${type || 'no type'})`)
  }
}

/** Part of a compaction, until what it belongs to comes. */
function wait(
  reading: Reading,
  part: 'start' | 'summary' | 'prune',
  at: Row,
  data: JsonObject,
): void {
  const before = reading[part]
  if (before) reading.session.builder.keep(before.at, 'a compaction that was not finished')
  reading[part] = { at, data }
}

function endBracket(reading: Reading, row: Row, data: JsonObject): void {
  const { builder } = reading.session
  const { start, summary } = reading
  reading.start = null
  reading.summary = null
  if (!start && !summary && data.error === undefined) return void builder.took(row)
  builder.keep(row, 'a compaction that failed')
  for (const part of [start, summary])
    if (part) builder.keep(part.at, 'part of a compaction that failed')
}

/** How many seqs a row stands for. */
function membersOf(value: JsonObject): number {
  return 'seq0' in value || 'dt' in value ? Math.max(1, listOf(value.dt).length) : 1
}

function beginReading(file: ForeignFile, row: Row, value: JsonObject): Reading {
  const sessions = createSessions(file)
  const isHeader = value.type === 'session'
  const version = isHeader ? value.version : 0
  if (typeof version === 'number' && version > NEWEST) {
    const message = `This looks like a DeepSeek Harness log, but of version ${version}; versions up to ${NEWEST} can be read.`
    throw new UnreadableFile('L6', message)
  }
  const named = isHeader ? textOf(value.id) : undefined
  const session = sessions.begin({
    format: FORMAT,
    // Test snapshots keep a placeholder where the id was.
    id: named?.startsWith('{{') ? undefined : named,
    createdAt: timeOf(value.createdAt) ?? timeOf(value.time),
    toolVersion: isHeader ? `log version ${String(value.version ?? 0)}` : undefined,
    parent: textOf(value.parentSession)
      ? { id: textOf(value.parentSession) as string, seq: 0 }
      : undefined,
  })
  session.builder.namesItself()
  if (isHeader) session.builder.keep(row, 'the header of the session')
  return { file, session, nodes: new Map(), next: 0, start: null, summary: null, prune: null }
}

export async function* readDsh(file: ForeignFile): AsyncGenerator<Part> {
  let reading: Reading | null = null
  for await (const run of readRowRuns(file)) {
    for (const row of run) {
      const value = rowOf(row.value)
      if (!reading) {
        reading = beginReading(file, row, value)
        yield reading.session.opened
        if (value.type === 'session') continue
      }
      const { builder } = reading.session
      if (!isRow(row.value)) {
        builder.keep(row, 'it is no row of this format')
        continue
      }
      const seq = countOf(value.seq) ?? countOf(value.seq0) ?? reading.next
      if (seq !== reading.next) builder.mend(row, `seq ${seq} stands where ${reading.next} was due`)
      reading.next = seq + membersOf(value)
      builder.setTime(timeOf(value.time) ?? timeOf(value.time0))
      const taking = takeEvent(reading, row, value)
      if (taking instanceof Promise) await taking
      if (value.surfaceOp !== undefined) remember(reading, seq, row)
      if (builder.isFull()) yield* builder.drain()
    }
  }
  if (!reading) return
  const { builder } = reading.session
  for (const part of [reading.start, reading.summary, reading.prune]) {
    if (part) builder.keep(part.at, 'a compaction that was not finished')
  }
  yield* builder.finish()
}
