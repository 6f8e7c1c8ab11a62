/**
 * Every fact a session can hold. Open this file first.
 *
 * A session is a header and a list of events; nothing is ever changed or removed (L1). The union is
 * closed (L3): a `switch` over `type` ends in `assertNever`.
 */

import type { Block, Json, ToolSpec, Usage } from './message'

/** Index of an event in its log, from 0 (L1). Not a position on the surface: those are called positions. */
export type Seq = number

/** The newest log version this program writes and reads (L6). */
export const LOG_VERSION = 1

export type SessionHeader = {
  version: number
  id: string
  /** Unix milliseconds, as are all times. */
  createdAt: number
  parent?: { id: string; seq: Seq }
  origin?: { format: string; sha256: string; name: string; toolVersion?: string }
}

/** Where a node goes (S1–S3). `start` and `end` are seqs of nodes on the surface; the span between them is by position. */
export type SurfaceOp = 'append' | { op: 'replace'; start: Seq; end: Seq }
/** Takes replacement `seq` off the surface again (S7). */
export type RestoreOp = { op: 'restore'; seq: Seq }

export type Params = {
  max_tokens: number
  temperature?: number
  thinking?:
    | { type: 'enabled'; budget_tokens: number }
    | { type: 'adaptive' }
    | { type: 'disabled' }
  effort?: 'low' | 'medium' | 'high' | 'max'
}

/** How a session compacts (X1, X2, X5, C6–C8). Presets live in policy.ts. */
export type Policy = {
  preset: 'standard' | 'teaching' | 'custom'
  /** T = min(absolute, ratio × (window − max_tokens)); C7. */
  threshold: { absolute?: number; ratio: number }
  micro: {
    /** `worthwhile`: X5's two conditions; `always`: before every request. */
    when: 'off' | 'worthwhile' | 'always'
    keepRecent: number
    minChars: number
    /** Tools whose results are never replaced. */
    exempt: string[]
    /** Ends the placeholder with `; recall #seq`. */
    recallHint: boolean
  }
  prune: { thresholdChars: number; headChars: number; tailChars: number }
  /** `recent`: C8's tail; `newest-unit`: nothing but the newest unit. */
  keepTail: 'recent' | 'newest-unit'
  minGain: { ratio: number; tokens: number }
  /** Model for summaries when it is not the session's own. */
  summaryModel?: string
  /** Pressure runs end as drafts and wait for a person (C16); absent: they commit by themselves. */
  askFirst?: true
}

/** What every step's request shares; written when it changes, the last one wins (Q1). */
export type RequestHeader = {
  provider: string
  model: string
  /** Tokens; absent where the provider does not say. */
  contextWindow?: number
  system: string
  tools: ToolSpec[]
  params: Params
  policy: Policy
  /** Version of the code that derives bodies (Q5). */
  builder: number
}

export type UserSource =
  | { kind: 'human' }
  | { kind: 'checkpoint'; compactionId: string }
  | { kind: 'notice' }

export type TurnEndReason =
  | 'completed'
  | 'cancelled'
  | 'error'
  | 'max-steps'
  | 'max-tokens'
  | 'interrupted'

export type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | (string & {})

/** A failed request as data (never an exception). `code` is one of provider-neutral words, see lib/ports.ts. */
export type RequestError = { code: string; status?: number; message: string; retryAfterMs?: number }

export type CompactTrigger = 'pressure' | 'context-overflow' | 'manual' | 'model' | 'region'
export type PruneCause = 'micro' | 'pressure' | 'overflow' | 'manual'
export type CompactFailure =
  | 'busy'
  | 'cancelled'
  | 'changed'
  | 'summary'
  | 'commit'
  | 'persistence'
  | 'interrupted'
  | 'drafted'

/** What calls were reported to use whose answers nobody took: broken off, refused, asked again. */
export type Spent = {
  calls: number
  usage: Usage
  /** One broke off before it told all of its output. */
  cut?: true
}

/** First and last node of a span, in surface order. */
export type Range = { start: Seq; end: Seq }

export type EventData = {
  'session/open': { writer: string; reason: 'created' | 'resumed' | 'forked' | 'imported' }
  'session/title': { title: string; source: 'human' | 'automatic' }
  'request/header': RequestHeader
  'turn/start': { turn: number }
  'turn/end': { turn: number; reason: TurnEndReason }
  'step/start': { turn: number; step: number; requestHash?: string }
  'step/end': { turn: number; step: number }
  'request/failed': { turn: number; step: number; attempt: number; error: RequestError }
  'user/message': { id: string; content: Block[]; source: UserSource }
  'assistant/message': {
    id: string
    turn?: number
    step?: number
    content: Block[]
    provider?: string
    model?: string
    stopReason?: StopReason
    usage?: Usage
    interrupted?: true
  }
  'tool/call': {
    turn: number
    step: number
    callId: string
    name: string
    input: Json
    /** The argument text, where parsing it would lose something. */
    raw?: string
  }
  'tool/result': {
    id: string
    turn?: number
    step?: number
    callId: string
    name?: string
    content: Block[]
    isError: boolean
    durationMs?: number
  }
  'compact/start': {
    compactionId: string
    turn: number | null
    trigger: CompactTrigger
    range: Range
    instructions?: string
    measured?: number
    threshold?: number
    window?: number
    provider?: string
    model?: string
    maxTokens?: number
    builder?: number
    /** Of the bracket's first call; others have their own (Q5). */
    requestHash?: string
    /** The reviewed draft whose text is committed, without a model call (C16). */
    draftSeq?: Seq
    /** Estimated tokens of transcript in one call, where the span goes as text in windows (C10). */
    budget?: number
  }
  'compact/window': {
    compactionId: string
    /** Of the bracket's calls but the last, from 0: windows of the span, then merges of their records. */
    index: number
    range: Range
    summary: string
    usage?: Usage
    ms: number
    requestHash?: string
  }
  'compact/draft': {
    compactionId: string
    summary: string
    usage?: Usage
    ms: number
    /** Of the call that merged the windows, where there were any. */
    requestHash?: string
  }
  'compact/summary': {
    compactionId: string
    summary: string
    shadowedRange: Range
    shadowedSeqs: Seq[]
    shadowedTokenCount: number
    provider?: string
    model?: string
    maxTokens?: number
    usage?: Usage
    edited?: true
    ms?: number
    /** Of the call that merged the windows, where there were any (C10). */
    requestHash?: string
    /** Lost literals that code put into the checkpoint below the summary. */
    literals?: string[]
    certainty: 'exact' | 'derived' | 'unknown'
    opaque?: true
  }
  'compact/end': {
    compactionId: string
    turn: number | null
    error?: { code: CompactFailure; message: string }
    /** Calls of the bracket that came to nothing but were paid for (C5). */
    spent?: Spent
  }
  'compact/prune': {
    cause: PruneCause
    shadowedRange: Range
    shadowedSeqs: Seq[]
    shadowedTokenCount: number
  }
  'pin/set': { seqs: Seq[]; pinned: boolean }
  'surface/restore': { replacementSeq: Seq }
}

export type EventType = keyof EventData
export type SurfaceType = 'user/message' | 'assistant/message' | 'tool/result'

type SurfaceKeys<T> = T extends SurfaceType
  ? { surfaceOp: SurfaceOp; sourceEventSeqs?: Seq[] }
  : T extends 'surface/restore'
    ? { surfaceOp: RestoreOp }
    : { surfaceOp?: never; sourceEventSeqs?: never }

/** An event before the log gave it its place and time. */
export type DraftOf<T extends EventType> = T extends EventType
  ? { type: T; data: EventData[T] } & SurfaceKeys<T>
  : never
export type EventOf<T extends EventType> = T extends EventType
  ? DraftOf<T> & { seq: Seq; time: number; ignorable?: true }
  : never

export type EventDraft = DraftOf<EventType>
export type SessionEvent = EventOf<EventType>
export type SurfaceEvent = EventOf<SurfaceType>

export const isSurfaceType = (type: string): type is SurfaceType =>
  type === 'user/message' || type === 'assistant/message' || type === 'tool/result'

/**
 * An event without its body: all that structure needs (L8). Fixed in size but for ids and seq lists,
 * so a hundred thousand of them fit where one body would. Made by `headOf` in head.ts and nowhere else;
 * read from storage they are views of a table (packed-head.ts), whose fields are no keys: never spread one.
 */
export type EventHead = {
  seq: Seq
  time: number
  type: EventType
  /** Surface events and `surface/restore` only. */
  op?: SurfaceOp | RestoreOp
  /** `sourceEventSeqs`. */
  sources?: readonly Seq[]
  /** `assistant/message`: its tool_use ids in order. `tool/call`, `tool/result`: their one id. */
  calls?: readonly string[]
  /** `assistant/message`: the tools those calls name, in the same order. */
  names?: readonly string[]
  /**
   * Estimated tokens (M1): of the message a surface event derives, of system and tools for a
   * `request/header`, else 0.
   */
  tokens: number
  /** Bytes of the message's JSON with media decoded to base64 (M4); surface events and `request/header`. */
  bytes: number
  /** Image and document blocks (M4). */
  media: number
  /** `tool/result`: canonical JSON of `data` without `content` (S5). */
  frame?: string
  /** Code points of a result's text (X1, X2). */
  chars?: number
  /** Derives no message (S9). */
  blank?: true
  turn?: number
  step?: number
  compactionId?: string
  /**
   * The word that classifies it: source kind (`user/message`), `reason` (`session/open`, `turn/end`),
   * `trigger` (`compact/start`), `cause` (`compact/prune`), error code (`compact/end`, `request/failed`),
   * `error` (failed `tool/result`), `interrupted` (`assistant/message`), `derived` or `unknown` (`compact/summary`), `pinned` or `unpinned` (`pin/set`).
   */
  kind?: string
  /** Tool name (`tool/call`, `tool/result`), model (`request/header`,
   * `assistant/message`, `compact/start`). */
  name?: string
  /** `compact/prune`, `compact/summary`: `shadowedSeqs`; `pin/set`: `seqs`. */
  seqs?: readonly Seq[]
  /** `compact/start`, `compact/window`: `range`, `compact/summary`: `shadowedRange`. */
  range?: Range
  /** `compact/start`: `draftSeq` (C16). */
  cites?: Seq
  /** `assistant/message` with usage: measured tokens of the whole window after it (M2). */
  measured?: number
  /**
   * What the provider reported for a reply, a window, a draft or a summary, and for what a bracket spent in
   * vain: sums need no bodies (L8).
   */
  usage?: Usage
  /** `request/header`: what the meter and the time bar need of it. */
  limits?: { system: number; tools: number; window?: number; threshold?: number; maxTokens: number }
}
