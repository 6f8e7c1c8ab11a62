/**
 * Our own protocol between browser and server. A request is one JSON document whose media are inlined;
 * a reply is one JSON line for each `ModelEvent`. Both sides parse what arrives and trust it afterwards.
 */

import { z } from 'zod'
import type { RequestBody } from '../core/request'
import { err, ok, type Result } from '../core/result'
import type { ModelError, ModelErrorCode, ModelEvent } from '../ports'

/** Largest request taken at the door, in bytes. The provider's own limit is 32 MB; next.config.ts allows 48. */
export const MAX_REQUEST_BYTES = 40_000_000

/** Carries a key typed by the user, on same-origin requests only. Never logged. */
export const KEY_HEADER = 'x-palimpsest-key'

export const EVENTS_TYPE = 'application/x-ndjson; charset=utf-8'

const CODES = [
  'authentication',
  'permission',
  'billing',
  'not-found',
  'invalid-request',
  'overflow',
  'rate-limit',
  'overloaded',
  'server',
  'network',
  'stalled',
  'access',
  'unreachable',
  'restarted',
  'outdated',
  'offline',
  'cancelled',
] as const satisfies readonly ModelErrorCode[]

const count = z.number().int().nonnegative()
const usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count.optional(),
  cache_read_input_tokens: count.optional(),
})
const modelError = z.object({
  code: z.enum(CODES),
  status: z.number().int().optional(),
  message: z.string(),
  retryAfterMs: z.number().nonnegative().optional(),
})
const delta = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.literal('signature'), signature: z.string() }),
  z.object({ type: z.literal('input'), json: z.string() }),
])
const modelEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), model: z.string(), usage: usage.optional() }),
  z.object({ type: z.literal('block'), index: count, block: z.looseObject({ type: z.string() }) }),
  z.object({ type: z.literal('delta'), index: count, delta }),
  z.object({ type: z.literal('end'), stopReason: z.string(), usage: usage.optional() }),
  z.object({ type: z.literal('error'), error: modelError }),
])

const cacheControl = z.strictObject({ type: z.literal('ephemeral') }).optional()
const inlined = z.union([
  z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  z.strictObject({ type: z.literal('text'), media_type: z.string(), data: z.string() }),
])
const media = z.looseObject({ type: z.enum(['image', 'document']), source: inlined })
const block = z.looseObject({ type: z.string().min(1) }).superRefine((value, context) => {
  if (value.type !== 'image' && value.type !== 'document') return
  if (!media.safeParse(value).success)
    context.addIssue({ code: 'custom', message: 'media must be inlined', input: undefined })
})
const requestBody = z.strictObject({
  model: z.string().min(1).max(200),
  max_tokens: z.number().int().positive(),
  system: z.array(
    z.strictObject({ type: z.literal('text'), text: z.string(), cache_control: cacheControl }),
  ),
  tools: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      input_schema: z.record(z.string(), z.unknown()),
      cache_control: cacheControl,
    }),
  ),
  messages: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.array(block).min(1) }))
    .min(1),
  temperature: z.number().optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.number().int() }),
      z.strictObject({ type: z.literal('adaptive') }),
      z.strictObject({ type: z.literal('disabled') }),
    ])
    .optional(),
  output_config: z.strictObject({ effort: z.enum(['low', 'medium', 'high', 'max']) }).optional(),
})

/** What the summarising action takes, as the JSON in its one Blob. A Blob has no headers, so the key is inside. */
export type SummaryRequest = { id: string; key?: string; body: RequestBody }

const summaryId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)
const summaryRequest = z.strictObject({
  id: summaryId,
  key: z.string().optional(),
  body: requestBody,
})

/** What the server knows about a model; windows and limits in tokens, absent where its endpoint is silent. */
export type ServedModel = {
  id: string
  name?: string
  contextWindow?: number
  maxOutput?: number
  images?: boolean
  /** Ways of thinking it takes; absent where nothing is known. */
  thinking?: ('adaptive' | 'enabled')[]
}
/** `problem` says why the list is empty or cut short; a server without such a list is no failure. */
export type ModelList = { models: ServedModel[]; problem?: ModelError }

const modelList = z.object({
  models: z.array(
    z.object({
      id: z.string(),
      name: z.string().optional(),
      contextWindow: count.optional(),
      maxOutput: count.optional(),
      images: z.boolean().optional(),
      thinking: z.array(z.enum(['adaptive', 'enabled'])).optional(),
    }),
  ),
  problem: modelError.optional(),
})

/** The provider's count of a request's input tokens, or why there is none. */
export type TokenCount = { tokens: number } | { problem: ModelError }
const tokenCount = z.union([z.object({ tokens: count }), z.object({ problem: modelError })])

/** `upstream` is a host name, never a URL (which could hold credentials). `ready`: a call could be made without a typed key. */
export type ProviderStatus = {
  provider: string
  keyConfigured: boolean
  ready: boolean
  upstream: string
  defaultModel?: string
  /** The server demands an access token, which this browser has shown. */
  guarded?: boolean
}
const providerStatus = z.object({
  provider: z.string(),
  keyConfigured: z.boolean(),
  ready: z.boolean(),
  upstream: z.string(),
  defaultModel: z.string().optional(),
  guarded: z.boolean().optional(),
})

/**
 * A parser that checks and hands back the value itself: a copy made by the schema would reorder keys,
 * and blocks must travel verbatim (Q3). Errors name paths, never values.
 */
function verbatim<T>(schema: z.ZodType) {
  return (value: unknown): Result<T, string> => {
    const checked = schema.safeParse(value)
    return checked.success ? ok(value as T) : err(z.prettifyError(checked.error))
  }
}

export const parseModelEvent = verbatim<ModelEvent>(modelEvent)
export const parseRequestBody = verbatim<RequestBody>(requestBody)
export const parseSummaryRequest = verbatim<SummaryRequest>(summaryRequest)
export const parseSummaryId = verbatim<string>(summaryId)
export const parseModelList = verbatim<ModelList>(modelList)
export const parseTokenCount = verbatim<TokenCount>(tokenCount)
export const parseProviderStatus = verbatim<ProviderStatus>(providerStatus)
const parseErrorBody = verbatim<{ error: ModelError }>(z.object({ error: modelError }))

/** JSON text → value; a syntax error is a value too, and quotes nothing of the text. */
export function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text))
  } catch {
    return err('not valid JSON')
  }
}

/** The error a refused request of ours carries, or null where the body is something else. */
export function parseRefusal(text: string): ModelError | null {
  const json = parseJson(text)
  const parsed = json.ok ? parseErrorBody(json.value) : json
  return parsed.ok ? parsed.value.error : null
}

export const failure = (error: ModelError): ModelEvent => ({ type: 'error', error })

export const CANCELLED: ModelEvent = failure({ code: 'cancelled', message: 'Cancelled.' })

/** Whether nothing may follow this event. */
export const isLast = (event: ModelEvent): boolean => event.type === 'end' || event.type === 'error'
