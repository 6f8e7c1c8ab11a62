/**
 * Logs that read as the conversation they hold:
 * `build(user('hi'), call('a'), result('a'), user('bye'))`. Everything goes through `planAppend`, so a
 * log built here is valid; `forge` makes logs that are not.
 */

import type {
  CompactFailure,
  CompactTrigger,
  EventDraft,
  EventHead,
  EventOf,
  PruneCause,
  RequestHeader,
  Seq,
  SessionEvent,
  SessionHeader,
  TurnEndReason,
} from '../event'
import { headOf } from '../head'
import { applyAppend, createLog, type Log, planAppend, surfaceNodes } from '../log'
import type { Block, JsonObject, Usage } from '../message'
import { PRESETS } from '../policy'
import { estimateText } from '../price'

export const EPOCH = 1_700_000_000_000

export const sessionHeader = (patch: Partial<SessionHeader> = {}): SessionHeader => ({
  version: 1,
  id: 'session',
  createdAt: EPOCH,
  ...patch,
})

export const requestHeader = (patch: Partial<RequestHeader> = {}): RequestHeader => ({
  provider: 'test',
  model: 'model-a',
  contextWindow: 100_000,
  system: 'You are a test.',
  tools: [],
  params: { max_tokens: 1000 },
  policy: PRESETS.standard,
  builder: 1,
  ...patch,
})

/** A log under construction. */
export type Writer = {
  readonly log: Log
  readonly events: SessionEvent[]
  /** Appends drafts in one transaction; throws the refusal if there is one. */
  write(...drafts: EventDraft[]): SessionEvent[]
}

export type Part = (writer: Writer) => void

export type Built = {
  header: SessionHeader
  log: Log
  events: SessionEvent[]
  heads: readonly EventHead[]
  /** Seqs on the surface. */
  nodes: Seq[]
}

export function createWriter(header: SessionHeader = sessionHeader()): Writer {
  const log = createLog(header)
  const events: SessionEvent[] = []
  return {
    log,
    events,
    write(...drafts) {
      const plan = planAppend(log, drafts, EPOCH + events.length * 1000)
      if (!plan.ok) throw new Error(`${plan.error.rule}: ${plan.error.message}`)
      applyAppend(log, plan.value)
      events.push(...plan.value.events)
      return [...plan.value.events]
    },
  }
}

export const finish = ({ log, events }: Writer): Built => ({
  header: log.header,
  log,
  events,
  heads: log.heads,
  nodes: surfaceNodes(log),
})

/** A native log of these parts. */
export function build(...parts: Part[]): Built {
  return buildOn(sessionHeader(), ...parts)
}

/** A log of these parts under a given header: with `origin`, an imported one. */
export function buildOn(header: SessionHeader, ...parts: Part[]): Built {
  const writer = createWriter(header)
  for (const part of parts) part(writer)
  return finish(writer)
}

export const FOREIGN: SessionHeader = sessionHeader({
  origin: { format: 'claude-code', sha256: 'ab', name: 'old.jsonl' },
})

/** Parts written one after the other, as one part. */
export const all =
  (...parts: Part[]): Part =>
  (writer) => {
    for (const part of parts) part(writer)
  }

/** Any draft, as it is. */
export const raw =
  (...drafts: EventDraft[]): Part =>
  ({ write }) => {
    write(...drafts)
  }

const textBlocks = (said: string | Block[]): Block[] =>
  typeof said === 'string' ? [{ type: 'text', text: said }] : said

const messageId = ({ log }: Writer): string => `m-${log.heads.length}`

/** `turn` and `step` of what is written now, where a step is open. */
function place({ log }: Writer): { turn?: number; step?: number } {
  const { turn, step } = log.state
  return turn === null || step === null ? {} : { turn, step }
}

const said =
  (kind: 'human' | 'notice') =>
  (content: string | Block[]): Part =>
  (writer) => {
    writer.write({
      type: 'user/message',
      data: { id: messageId(writer), content: textBlocks(content), source: { kind } },
      surfaceOp: 'append',
    })
  }

export const user = said('human')
export const notice = said('notice')

type Reply = { usage?: Usage; model?: string; interrupted?: true }

export const assistant =
  (content: string | Block[], reply: Reply = {}): Part =>
  (writer) => {
    const id = messageId(writer)
    writer.write({
      type: 'assistant/message',
      data: { id, ...place(writer), content: textBlocks(content), model: 'model-a', ...reply },
      surfaceOp: 'append',
    })
  }

export const use = (id: string, name = 'read_file', input: JsonObject = {}): Block => ({
  type: 'tool_use',
  id,
  name,
  input,
})

/** An assistant message that calls the tool `read_file` once for each id. */
export const call = (...ids: string[]): Part => assistant(ids.map((id) => use(id)))

/** The `tool/call` of an open call. */
export const start =
  (callId: string): Part =>
  (writer) => {
    const { turn = 0, step = 0 } = place(writer)
    writer.write({
      type: 'tool/call',
      data: { turn, step, callId, name: 'read_file', input: {} },
    })
  }

export const result =
  (callId: string, content: string | Block[] = `result of ${callId}`, isError = false): Part =>
  (writer) => {
    const id = messageId(writer)
    const data = { id, ...place(writer), callId, name: 'read_file', isError }
    writer.write({
      type: 'tool/result',
      data: { ...data, content: textBlocks(content) },
      surfaceOp: 'append',
    })
  }

export const open = (reason: EventOf<'session/open'>['data']['reason'] = 'created'): Part =>
  raw({ type: 'session/open', data: { writer: 'test', reason } })

export const title = (words: string): Part =>
  raw({ type: 'session/title', data: { title: words, source: 'human' } })

export const header = (patch: Partial<RequestHeader> = {}): Part =>
  raw({ type: 'request/header', data: requestHeader(patch) })

export const turnStart: Part = ({ log, write }) => {
  write({ type: 'turn/start', data: { turn: log.state.lastTurn + 1 } })
}
export const turnEnd =
  (reason: TurnEndReason = 'completed'): Part =>
  ({ log, write }) => {
    write({ type: 'turn/end', data: { turn: log.state.turn ?? 0, reason } })
  }
export const stepStart: Part = ({ log, write }) => {
  const { turn, lastStep } = log.state
  write({ type: 'step/start', data: { turn: turn ?? 0, step: lastStep + 1 } })
}
export const stepEnd: Part = ({ log, write }) => {
  const { turn, step } = log.state
  write({ type: 'step/end', data: { turn: turn ?? 0, step: step ?? 0 } })
}

/** A whole turn around its parts. */
export const turn = (...parts: Part[]): Part => all(turnStart, ...parts, turnEnd())
/** A whole step around its parts; a header must stand before it (Q1). */
export const step = (...parts: Part[]): Part => all(stepStart, ...parts, stepEnd)

type BracketOptions = { trigger?: CompactTrigger; id?: string; text?: string }

const openBracket = ({ log }: Writer): { compactionId: string; turn: number | null } => ({
  compactionId: log.state.bracket?.compactionId ?? 'none',
  turn: log.heads[log.state.bracket?.seq ?? -1]?.turn ?? null,
})

/** `compact/start` over the nodes from `start` to `end`, which are seqs. */
export const bracket =
  (start: Seq, end: Seq, { trigger = 'manual', id }: BracketOptions = {}): Part =>
  ({ log, write }) => {
    const compactionId = id ?? `c-${log.heads.length}`
    const range = { start, end }
    write({
      type: 'compact/start',
      data: { compactionId, turn: log.state.turn, trigger, range },
    })
  }

/** Ends the open bracket without a summary. */
export const fail =
  (code: CompactFailure = 'cancelled'): Part =>
  (writer) => {
    const error = { code, message: code }
    writer.write({ type: 'compact/end', data: { ...openBracket(writer), error } })
  }

/** Drafts a summary and ends the open bracket with it (C16). */
export const draft =
  (summary = 'a draft'): Part =>
  (writer) => {
    const opened = openBracket(writer)
    const error = { code: 'drafted' as const, message: 'drafted' }
    writer.write(
      { type: 'compact/draft', data: { compactionId: opened.compactionId, summary, ms: 1 } },
      { type: 'compact/end', data: { ...opened, error } },
    )
  }

/** The drafts that commit a summary of these nodes into the open bracket. */
export function commitOf(writer: Writer, seqs: readonly Seq[], text = 'a summary'): EventDraft[] {
  const { log } = writer
  const opened = openBracket(writer)
  const { compactionId } = opened
  const range = { start: seqs[0] ?? 0, end: seqs.at(-1) ?? 0 }
  const tokens = seqs.reduce((sum, seq) => sum + (log.heads[seq]?.tokens ?? 0), 0)
  return [
    {
      type: 'compact/summary',
      data: {
        compactionId,
        summary: text,
        shadowedRange: range,
        shadowedSeqs: [...seqs],
        shadowedTokenCount: tokens,
        certainty: 'exact',
      },
    },
    {
      type: 'user/message',
      data: {
        id: messageId(writer),
        content: [{ type: 'text', text }],
        source: { kind: 'checkpoint', compactionId },
      },
      surfaceOp: { op: 'replace', ...range },
      sourceEventSeqs: [...seqs],
    },
    { type: 'compact/end', data: opened },
  ]
}

/** Commits the open bracket over the range it began with. */
export const commit =
  (text?: string): Part =>
  (writer) => {
    writer.write(...commitOf(writer, writer.log.state.bracket?.span ?? [], text))
  }

/** A whole compaction over the nodes from `start` to `end`, which are seqs. */
export const summary = (start: Seq, end: Seq, options: BracketOptions = {}): Part =>
  all(bracket(start, end, options), commit(options.text))

/** The drafts that replace the content of result `seq` (X3). */
export function pruneOf(
  { events, log }: Writer,
  seq: Seq,
  text: string,
  cause: PruneCause,
): EventDraft[] {
  const event = events[seq]
  if (event?.type !== 'tool/result') throw new Error(`${seq} is no result`)
  const shadowed = {
    shadowedRange: { start: seq, end: seq },
    shadowedSeqs: [seq],
    shadowedTokenCount: (log.heads[seq]?.tokens ?? 0) - estimateText(text),
  }
  return [
    { type: 'compact/prune', data: { cause, ...shadowed } },
    {
      type: 'tool/result',
      data: { ...event.data, content: [{ type: 'text', text }] },
      surfaceOp: { op: 'replace', start: seq, end: seq },
      sourceEventSeqs: [seq],
    },
  ]
}

/** Replaces the content of result `seq`. */
export const prune =
  (seq: Seq, text = 'pruned', cause: PruneCause = 'manual'): Part =>
  (writer) => {
    writer.write(...pruneOf(writer, seq, text, cause))
  }

export const restore = (replacementSeq: Seq): Part =>
  raw({
    type: 'surface/restore',
    data: { replacementSeq },
    surfaceOp: { op: 'restore', seq: replacementSeq },
  })

export const pin = (...seqs: Seq[]): Part => raw({ type: 'pin/set', data: { seqs, pinned: true } })
export const unpin = (...seqs: Seq[]): Part =>
  raw({ type: 'pin/set', data: { seqs, pinned: false } })

/** Events that no rule was asked about: drafts in a row, given seqs and times. */
export const forge = (...drafts: EventDraft[]): SessionEvent[] =>
  // Seq and time are all a draft lacks; the spread of a union forgets that.
  drafts.map((draft, seq) => ({ seq, time: EPOCH + seq * 1000, ...draft }) as SessionEvent)

export const headsOf = (events: readonly SessionEvent[]): EventHead[] => events.map(headOf)
