/** The closed vocabulary as shapes (L3): what `data` of each event type holds. Types are in event.ts. */

import type {
  EventData,
  EventType,
  Policy,
  Range,
  RequestError,
  RequestHeader,
  SessionHeader,
  Spent,
} from './event'
import type { BlobRef, ToolSpec, Usage } from './message'
import {
  closed,
  exactly,
  flag,
  isRecord,
  json,
  list,
  type Members,
  name,
  nullable,
  number,
  oneOf,
  open,
  optional,
  record,
  type Shape,
  tagged,
  text,
  whole,
  yes,
} from './schema'

const range = exactly<Range>({ start: whole, end: whole })
const usage = exactly<Usage>({
  input_tokens: whole,
  output_tokens: whole,
  cache_creation_input_tokens: optional(whole),
  cache_read_input_tokens: optional(whole),
})
const requestError = exactly<RequestError>({
  code: name,
  status: optional(whole),
  message: text,
  retryAfterMs: optional(number),
})

const blob = exactly<BlobRef>({
  type: oneOf('blob'),
  hash: name,
  media_type: name,
  bytes: whole,
  width: optional(number),
  height: optional(number),
  pages: optional(whole),
})

/** Blocks by type; members the API may add to them are kept. */
const TEXT = open({ type: name, text })
const IMAGE = open({ type: name, source: blob })
const DOCUMENT = open({ type: name, source: blob, title: optional(nullable(text)) } as const)
const SAID_BY_MODELS: Readonly<Record<string, Shape>> = {
  thinking: open({ type: name, thinking: text, signature: text }),
  redacted_thinking: open({ type: name, data: text }),
  tool_use: open({ type: name, id: name, name, input: record }),
}

/** `said`: blocks besides text and media. A result is an event of its own, never a block (Q2). */
const content = (said: Readonly<Record<string, Shape>>): Shape =>
  list({
    flaw(block) {
      const type = isRecord(block) ? block.type : undefined
      if (typeof type !== 'string') return '.type is not a text'
      if (type === 'text') return TEXT.flaw(block)
      if (type === 'image') return IMAGE.flaw(block)
      if (type === 'document') return DOCUMENT.flaw(block)
      // Types are foreign text: `constructor` must not find what every object has.
      if (Object.hasOwn(said, type)) return said[type]!.flaw(block)
      const isMisplaced = type === 'tool_result' || Object.hasOwn(SAID_BY_MODELS, type)
      return isMisplaced ? ` is a ${type} block, which cannot stand here` : null
    },
  })

const toolSpec = exactly<ToolSpec>({ name, description: text, input_schema: record })
const policy = exactly<Policy>({
  preset: oneOf('standard', 'teaching', 'custom'),
  threshold: exactly<Policy['threshold']>({ absolute: optional(number), ratio: number }),
  micro: exactly<Policy['micro']>({
    when: oneOf('off', 'worthwhile', 'always'),
    keepRecent: whole,
    minChars: whole,
    exempt: list(text),
    recallHint: flag,
  }),
  prune: exactly<Policy['prune']>({ thresholdChars: whole, headChars: whole, tailChars: whole }),
  keepTail: oneOf('recent', 'newest-unit'),
  minGain: exactly<Policy['minGain']>({ ratio: number, tokens: number }),
  summaryModel: optional(text),
  askFirst: optional(yes),
})
const thinking = tagged('type', {
  enabled: closed({ type: name, budget_tokens: whole }),
  adaptive: closed({ type: name }),
  disabled: closed({ type: name }),
})

const step = { turn: whole, step: whole }
const optionalStep = { turn: optional(whole), step: optional(whole) }
const folded = { compactionId: name, summary: text, usage: optional(usage) }
const shadowed = { shadowedRange: range, shadowedSeqs: list(whole), shadowedTokenCount: number }

const DATA: { readonly [T in EventType]: Members<EventData[T]> } = {
  'session/open': { writer: text, reason: oneOf('created', 'resumed', 'forked', 'imported') },
  'session/title': { title: text, source: oneOf('human', 'automatic') },
  'request/header': {
    provider: text,
    model: text,
    contextWindow: optional(whole),
    system: text,
    tools: list(toolSpec),
    params: exactly<RequestHeader['params']>({
      max_tokens: whole,
      temperature: optional(number),
      thinking: optional(thinking),
      effort: optional(oneOf('low', 'medium', 'high', 'max')),
    }),
    policy,
    builder: whole,
  },
  'turn/start': { turn: whole },
  'turn/end': {
    turn: whole,
    reason: oneOf('completed', 'cancelled', 'error', 'max-steps', 'max-tokens', 'interrupted'),
  },
  'step/start': { ...step, requestHash: optional(text) },
  'step/end': step,
  'request/failed': { ...step, attempt: whole, error: requestError },
  'user/message': {
    id: name,
    content: content({}),
    source: tagged('kind', {
      human: closed({ kind: name }),
      checkpoint: closed({ kind: name, compactionId: name }),
      notice: closed({ kind: name }),
    }),
  },
  'assistant/message': {
    id: name,
    ...optionalStep,
    content: content(SAID_BY_MODELS),
    provider: optional(text),
    model: optional(text),
    stopReason: optional(text),
    usage: optional(usage),
    interrupted: optional(yes),
  },
  'tool/call': { ...step, callId: name, name: text, input: json, raw: optional(text) },
  'tool/result': {
    id: name,
    ...optionalStep,
    callId: name,
    name: optional(text),
    content: content({}),
    isError: flag,
    durationMs: optional(number),
  },
  'compact/start': {
    compactionId: name,
    turn: nullable(whole),
    trigger: oneOf('pressure', 'context-overflow', 'manual', 'model', 'region'),
    range,
    instructions: optional(text),
    measured: optional(number),
    threshold: optional(number),
    window: optional(number),
    provider: optional(text),
    model: optional(text),
    maxTokens: optional(whole),
    builder: optional(whole),
    requestHash: optional(text),
    draftSeq: optional(whole),
    budget: optional(whole),
  },
  'compact/window': { ...folded, index: whole, range, ms: number, requestHash: optional(text) },
  'compact/draft': { ...folded, ms: number, requestHash: optional(text) },
  'compact/summary': {
    ...folded,
    ...shadowed,
    provider: optional(text),
    model: optional(text),
    maxTokens: optional(whole),
    edited: optional(yes),
    ms: optional(number),
    requestHash: optional(text),
    literals: optional(list(text)),
    certainty: oneOf('exact', 'derived', 'unknown'),
    opaque: optional(yes),
  },
  'compact/end': {
    compactionId: name,
    turn: nullable(whole),
    error: optional(
      closed({
        code: oneOf(
          ...['busy', 'cancelled', 'changed', 'summary', 'commit', 'persistence'],
          ...['interrupted', 'drafted'],
        ),
        message: text,
      }),
    ),
    spent: optional(exactly<Spent>({ calls: whole, usage, cut: optional(yes) })),
  },
  'compact/prune': { cause: oneOf('micro', 'pressure', 'overflow', 'manual'), ...shadowed },
  'pin/set': { seqs: list(whole), pinned: flag },
  'surface/restore': { replacementSeq: whole },
}

/** Shape of `data` by event type. */
export const SHAPES: ReadonlyMap<string, Shape> = new Map(
  Object.entries(DATA).map(([type, members]) => [type, closed(members)]),
)

export const HEADER_SHAPE = exactly<SessionHeader>({
  version: whole,
  id: name,
  createdAt: number,
  parent: optional(closed({ id: name, seq: whole })),
  origin: optional(
    exactly<NonNullable<SessionHeader['origin']>>({
      format: name,
      sha256: text,
      name: text,
      toolVersion: optional(text),
    }),
  ),
})
