/** The doors of the agent loop, types only. A port exists where a second implementation exists today. */

import type { EventHead, RequestError, Seq, SessionEvent, StopReason } from './core/event'
import type { Block, ToolSpec, Usage } from './core/message'
import type { RequestBody } from './core/request'

export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type NewId = () => string

/** SHA-256, hex, over RFC 8785 JSON (Q5). */
export type HashJson = (value: unknown) => Promise<string>

/**
 * Codes of `ModelError`. `overflow` is decided where the wire is read (C9); `stalled` is our own idle
 * watchdog; `cancelled` follows the caller's signal. `network` is the way from our server to the provider;
 * the way from the browser to our server has five of its own: `access` (the server wants its token),
 * `unreachable` (it does not answer, or the connection was lost), `restarted` (it said goodbye in the middle
 * of a reply), `outdated` (it was rebuilt, this page is older) and `offline` (the browser has no network).
 */
export type ModelErrorCode =
  | 'authentication'
  | 'permission'
  | 'billing'
  | 'not-found'
  | 'invalid-request'
  | 'overflow'
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'network'
  | 'stalled'
  | 'access'
  | 'unreachable'
  | 'restarted'
  | 'outdated'
  | 'offline'
  | 'cancelled'

export type ModelError = RequestError & { code: ModelErrorCode }

export type BlockDelta =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'signature'; signature: string }
  /** A piece of a tool call's argument text. */
  | { type: 'input'; json: string }

/**
 * A reply as it arrives. Ends with exactly one `end` or `error`; text is well-formed Unicode (L5).
 * `queued`, at most once and first, says that the request waits for a free connection.
 */
export type ModelEvent =
  | { type: 'queued' }
  | { type: 'start'; model: string; usage?: Usage }
  | { type: 'block'; index: number; block: Block }
  | { type: 'delta'; index: number; delta: BlockDelta }
  | { type: 'end'; stopReason: StopReason; usage?: Usage }
  | { type: 'error'; error: ModelError }

/**
 * One wire to one kind of model: chat and summaries use the same interface (C15). `stream` never
 * throws and never rejects; an abort ends it with `{error: {code: 'cancelled'}}`.
 */
export interface Model {
  readonly provider: string
  stream(body: RequestBody, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export type ToolOutcome = {
  content: Block[]
  isError: boolean
  /** Asked for by the `compact` tool; the loop runs it in place of the step's pressure check (C12). */
  compact?: { focus?: string }
}

/** A tool. `run` parses its own input, never throws for bad input (an error outcome says what to do), and ends soon after `signal` aborts. */
export interface Tool {
  readonly spec: ToolSpec
  /**
   * Whether a call can change what another call sees. One that `changes` runs alone, in the order the model
   * asked; calls that only read run side by side.
   */
  readonly effect: 'reads' | 'changes'
  run(input: unknown, signal: AbortSignal): Promise<ToolOutcome>
}

/** What is streaming right now, kept at most 500 ms old so that a crash loses no text (R3). */
export type StreamRow = {
  turn: number
  step: number
  model: string
  provider: string
  content: Block[]
  time: number
}

/** A message typed while the agent was busy; stored, so that a reload keeps it. */
export type QueuedMessage = {
  id: string
  content: Block[]
  time: number
  sendNow: boolean
  /** Pinned as soon as it is in the log (K1). */
  keep?: true
}

export type JournalWrite = {
  /** Contiguous, starting at the journal's length; may be empty. */
  events: readonly SessionEvent[]
  /** `strict` waits for the disk (user messages, tool intents, compaction brackets); else `relaxed`. */
  durability: 'strict' | 'relaxed'
  /** Deletes the stream row in the same transaction (R3). */
  endStream?: true
  /** Deletes this queued message in the same transaction. */
  dequeue?: string
}

/** `epoch`: another writer took over (R1). `quota`, `closed`, `failed`: nothing was written. */
export class JournalError extends Error {
  constructor(
    readonly code: 'epoch' | 'quota' | 'closed' | 'failed',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'JournalError'
  }
}

/** The durable log of one session. One suite of tests runs on every implementation. */
export interface Journal {
  readonly sessionId: string
  /** Heads of all events in order, without keeping their bodies (L8). */
  heads(): Promise<EventHead[]>
  /** Events by seq, in the order asked for. A seq the log does not hold is a bug and throws. */
  read(seqs: readonly Seq[]): Promise<SessionEvent[]>
  /** One transaction: all or nothing. Rejects with `JournalError`. */
  append(write: JournalWrite): Promise<void>
  saveStream(row: StreamRow): Promise<void>
  stream(): Promise<StreamRow | null>
  queue(): Promise<QueuedMessage[]>
  saveQueued(message: QueuedMessage): Promise<void>
  removeQueued(id: string): Promise<void>
}
