/** The exact request a step or a summariser call sends, derived from the log (Q1–Q6). */

import { deriveMessages, EPHEMERAL, markStable } from './derive'
import type {
  EventData,
  EventHead,
  EventOf,
  Params,
  RequestHeader,
  Seq,
  SessionEvent,
  SurfaceEvent,
} from './event'
import type { History } from './history'
import type { Message, ToolSpec } from './message'
import {
  mergeInstruction,
  prefixInstruction,
  SUMMARY_SYSTEM,
  transcriptInstruction,
  windowInstruction,
} from './prompt'
import { renderTranscript } from './render'
import type { Refusal } from './result'
import { foldSurface, nodesOf as seqsOf } from './surface'
import { type RequestLimits, sendingProblems, structureProblems } from './valid'
import { type FoldCall, nextCall, splitWindows } from './windows'

/**
 * Version of the derivation: derive.ts, fit.ts, windows.ts, this file, and the texts of head.ts, prompt.ts and
 * render.ts that go into a body. A change to what any log derives raises it (Q5).
 */
export const BUILDER = 3

export type CacheControl = { type: 'ephemeral' }

/**
 * The body of a Messages API call without `stream`, which the wire adds. Media are `BlobRef`s that the
 * wire inlines; `requestHash` is taken over this shape (Q5).
 */
export type RequestBody = {
  model: string
  max_tokens: number
  system: { type: 'text'; text: string; cache_control?: CacheControl }[]
  tools: (ToolSpec & { cache_control?: CacheControl })[]
  messages: Message[]
  temperature?: number
  thinking?: Params['thinking']
  output_config?: { effort: NonNullable<Params['effort']> }
}

/** What every body of a header shares, with a breakpoint after the tools and one after the system (Q6). */
function preamble(header: RequestHeader): Omit<RequestBody, 'messages'> {
  const { max_tokens, temperature, thinking, effort } = header.params
  const last = header.tools.length - 1
  return {
    model: header.model,
    max_tokens,
    system:
      header.system.trim() === ''
        ? []
        : [{ type: 'text', text: header.system, cache_control: EPHEMERAL }],
    tools: header.tools.map((tool, index) =>
      index === last ? { ...tool, cache_control: EPHEMERAL } : tool,
    ),
    ...(temperature !== undefined && { temperature }),
    ...(thinking !== undefined && { thinking }),
    ...(effort !== undefined && { output_config: { effort } }),
  }
}

/** The body of a step: `nodes` are the surface at its `step/start`, in surface order (Q1). */
export function buildRequest(header: RequestHeader, nodes: readonly SurfaceEvent[]): RequestBody {
  const messages = deriveMessages(nodes, header)
  markStable(messages, header.policy.micro)
  return { ...preamble(header), messages }
}

type Start = EventData['compact/start']

/**
 * `prefix` repeats the conversation up to the range's end, so that the provider's cache serves it (Q6);
 * `transcript` sends the range as text to a model that need not be the session's.
 */
export type SummaryForm = 'prefix' | 'transcript'

/** The form of a summary of `start.range`: the prefix where the range begins at the surface's first node
 * and the session's own model writes it, else the transcript (Q6). */
export const summaryForm = (header: RequestHeader, first: Seq | undefined, start: Start) =>
  start.range.start === first &&
  (start.model ?? header.model) === header.model &&
  (start.provider ?? header.provider) === header.provider
    ? 'prefix'
    : 'transcript'

/** The instruction joins the conversation's last user message or becomes one of its own (Q2). */
function withInstruction(messages: Message[], text: string): Message[] {
  const last = messages.at(-1)
  if (last?.role === 'user') {
    return [
      ...messages.slice(0, -1),
      { ...last, content: [...last.content, { type: 'text', text }] },
    ]
  }
  return [...messages, { role: 'user', content: [{ type: 'text', text }] }]
}

function prefixRequest(header: RequestHeader, nodes: readonly SurfaceEvent[], start: Start) {
  const { messages, ...rest } = buildRequest(header, nodes)
  const max_tokens = start.maxTokens ?? rest.max_tokens
  const body: RequestBody = {
    ...rest,
    max_tokens,
    messages: withInstruction(messages, prefixInstruction(start.instructions)),
  }
  // A thinking budget must leave room below max_tokens; a summary's own limit may be smaller than it.
  if (body.thinking?.type === 'enabled' && body.thinking.budget_tokens >= max_tokens)
    delete body.thinking
  return body
}

/**
 * The body of a summariser call. `nodes` are the surface up to and including the range, in surface order;
 * the text form uses those of the range alone. `start.instructions` is the user's focus (C14).
 */
export function buildSummaryRequest(
  header: RequestHeader,
  nodes: readonly SurfaceEvent[],
  start: Start,
  form: SummaryForm,
): RequestBody {
  if (form === 'prefix') return prefixRequest(header, nodes, start)
  const from = nodes.findIndex((node) => node.seq === start.range.start)
  const transcript = renderTranscript(nodes.slice(Math.max(0, from)))
  return textRequest(header, start, transcriptInstruction(transcript, start.instructions))
}

/** A request of one text, to a summariser that has no part in the conversation. */
const textRequest = (header: RequestHeader, start: Start, text: string): RequestBody => ({
  model: start.model ?? header.model,
  max_tokens: start.maxTokens ?? header.params.max_tokens,
  system: [{ type: 'text', text: SUMMARY_SYSTEM }],
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
})

function foldInstruction(call: FoldCall, focus: string | undefined): string {
  if (call.phase === 'merge') return mergeInstruction(call.records, focus)
  return call.isLast
    ? transcriptInstruction(call.text, focus)
    : windowInstruction(call.text, call, focus)
}

/** The body of one call of a bracket that reads its span in windows (C10). */
export const buildFoldRequest = (
  header: RequestHeader,
  start: Start,
  call: FoldCall,
): RequestBody => textRequest(header, start, foldInstruction(call, start.instructions))

/** The newest event of a type before `end`, or −1. */
function lastBefore(heads: readonly EventHead[], end: Seq, type: EventHead['type']): Seq {
  for (let at = end - 1; at >= 0; at--) if (heads[at]!.type === type) return at
  return -1
}

const CALLS: ReadonlySet<EventHead['type']> = new Set([
  'compact/start',
  'compact/window',
  'compact/draft',
  'compact/summary',
])

/** The call of a bracket: of its start, or, where it read its span in windows, of what a call wrote (C10). */
function bracketCallOf(heads: readonly EventHead[], seq: Seq): Seq {
  const { compactionId } = heads[seq]!
  let call = -1
  let hasWindows = false
  for (let at = seq; at >= 0; at--) {
    const head = heads[at]!
    if (head.compactionId !== compactionId || !CALLS.has(head.type)) continue
    if (call < 0) call = at
    if (head.type === 'compact/window') hasWindows = true
    if (head.type !== 'compact/start') continue
    if (head.cites !== undefined && head.cites < at) return callOf(heads, head.cites)
    return hasWindows ? call : at
  }
  return -1
}

/**
 * The event that stands for the call `seq` belongs to and carries its hash (Q5): the bracket of a
 * compaction event or of its checkpoint (of windows and merges, the event each call wrote; of a reviewed
 * draft, the call that drafted it), else the newest step begun at or before `seq`; −1 where nothing was
 * sent yet.
 */
export function callOf(heads: readonly EventHead[], seq: Seq): Seq {
  const call = heads[seq]!.compactionId === undefined ? -1 : bracketCallOf(heads, seq)
  return call < 0 ? lastBefore(heads, seq + 1, 'step/start') : call
}

/**
 * Throws where the log cannot say what was sent: damaged, imported, or before the first request. A history
 * answers without a fold.
 */
function surfaceBefore({ heads, history }: Past, seq: Seq): Seq[] {
  if (history && !history.failure) return seqsOf(history.surfaceAt(seq - 1))
  const folded = foldSurface(heads.slice(0, seq))
  if (!folded.ok) throw new RangeError(`The log is damaged before #${seq}: ${folded.error.message}`)
  return folded.value.nodes
}

type BodyOf = (seq: Seq) => Promise<SessionEvent>
/** A log's heads, and its history where there is one. */
type Past = { heads: readonly EventHead[]; history?: History }

async function nodesOf(heads: readonly EventHead[], seqs: readonly Seq[], bodyOf: BodyOf) {
  const sent = seqs.filter((seq) => !heads[seq]!.blank)
  return (await Promise.all(sent.map(bodyOf))) as SurfaceEvent[]
}

async function headerBefore(heads: readonly EventHead[], seq: Seq, bodyOf: BodyOf) {
  const at = lastBefore(heads, seq, 'request/header')
  const header = at < 0 ? undefined : await bodyOf(at)
  if (header?.type !== 'request/header')
    throw new RangeError(`The log does not say how the request of #${seq} was made.`)
  return header.data
}

type Written = EventOf<'compact/window' | 'compact/draft' | 'compact/summary'>

/** What the calls of a bracket wrote before `seq`, in order. */
async function recordsBefore(
  heads: readonly EventHead[],
  bodyOf: BodyOf,
  { from, to }: { from: Seq; to: Seq },
): Promise<string[]> {
  const seqs = heads.slice(from, to).filter((head) => head.type === 'compact/window')
  const events = (await Promise.all(seqs.map((head) => bodyOf(head.seq)))) as Written[]
  return events.map((event) => event.data.summary)
}

async function summaryRequestAt(past: Past, bodyOf: BodyOf, call: Seq): Promise<RequestBody> {
  const { heads } = past
  const { compactionId } = heads[call]!
  const seq = heads.findIndex(
    (head) => head.type === 'compact/start' && head.compactionId === compactionId,
  )
  const event = await bodyOf(seq)
  if (event.type !== 'compact/start') throw new RangeError(`#${seq} opens no compaction.`)
  const start = event.data
  if (start.model === undefined)
    throw new RangeError(`Compaction #${seq} called no model, or does not say which.`)
  const header = await headerBefore(heads, seq, bodyOf)
  const surface = surfaceBefore(past, seq)
  const end = surface.indexOf(start.range.end)
  const isText = start.budget !== undefined
  const form = isText ? 'transcript' : summaryForm(header, surface[0], start)
  const from = form === 'prefix' ? 0 : surface.indexOf(start.range.start)
  const nodes = await nodesOf(heads, surface.slice(from, end + 1), bodyOf)
  if (start.budget === undefined) return buildSummaryRequest(header, nodes, start, form)
  const done = await recordsBefore(heads, bodyOf, { from: seq, to: call })
  const windows = splitWindows(nodes, start.budget)
  return buildFoldRequest(header, start, nextCall(windows, done, start.budget))
}

/**
 * The exact body of the step or summariser call that `seq` belongs to (Q5), from heads and the bodies it
 * asks for; a history of the log saves a fold of it. Rejects with a `RangeError` that says why where no body
 * can be known.
 */
export async function requestAt(
  heads: readonly EventHead[],
  bodyOf: BodyOf,
  seq: Seq,
  history?: History,
): Promise<RequestBody> {
  const past = { heads, history }
  const call = callOf(heads, seq)
  if (call < 0) throw new RangeError(`No request was made before #${seq}.`)
  if (heads[call]!.compactionId !== undefined) return summaryRequestAt(past, bodyOf, call)
  const [header, nodes] = await Promise.all([
    headerBefore(heads, call, bodyOf),
    nodesOf(heads, surfaceBefore(past, call), bodyOf),
  ])
  return buildRequest(header, nodes)
}

const refusal = (problems: string[]): Refusal | null =>
  problems.length === 0 ? null : { rule: 'Q4', message: problems.join(' ') }

/**
 * Whether a body may be sent (Q4). The message has one sentence for each problem. Limits left out are not
 * checked, but for the provider's bytes and media; `paused` allows a reply that paused to be continued.
 */
export const validateRequest = (body: RequestBody, limits: RequestLimits = {}): Refusal | null =>
  refusal([...structureProblems(body), ...sendingProblems(body, limits)])

/** The part of Q4 that a commit or a restore must keep; calls of the newest reply may still be open. */
export const validateStructure = (body: RequestBody): Refusal | null =>
  refusal(structureProblems(body, true))
