/** What went wrong upstream, in provider-neutral words (C9). Class names are minified in the bundle, so they are not looked at. */

import Anthropic from '@anthropic-ai/sdk'
import type { ModelError, ModelErrorCode } from '../ports'

/**
 * How servers say that a request does not fit the model's window. Checked only where a status leaves it
 * open: a rate limit on input tokens speaks in similar words and is none.
 */
const OVERFLOW = [
  /prompt is too long/i, // Anthropic
  /exceeds? (?:the )?(?:model'?s? )?context (?:limit|window|length|size)/i, // Anthropic (input + max_tokens), OpenAI
  /exceeds the available context size/i, // llama.cpp
  /exceed_context_size/i, // llama.cpp, as a type
  /(?:maximum|max) context length/i, // vLLM, DeepSeek, OpenRouter, Ollama
  /context[_ ]length[_ ]exceeded/i, // OpenAI, as a code
  /longer than the maximum model length/i, // vLLM
  /context length is only \d+/i, // vLLM, Meta: “You passed … input tokens and requested …”
  /maximum prompt length is \d+/i, // xAI
  /greater than the context length/i, // LM Studio
  /context (?:the )?overflows/i, // LM Studio
  /input is too long for requested model/i, // Bedrock
  /input token count .*exceeds the maximum/i, // Gemini
  /exceeded model token limit/i, // Kimi
  /too large for model with \d+ maximum context/i, // Mistral
  /reduce the length of the (?:messages|(?:input )?prompt)/i, // Groq, vLLM
  /at most \d+ (?:image|video|audio|file)\S* may be provided/i, // vLLM, media in one request
  /too many (?:images|image blocks|documents|pages)\b/i, // media in one request
  /request_too_large|request exceeds the maximum (?:allowed )?(?:size|number of bytes)/i, // bytes
]
const BILLING = /credit balance is too low|insufficient (?:balance|credits?|funds|quota)/i

/** Statuses that already say something else. */
const NEVER_OVERFLOW: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 409, 429, 503, 529])

const BY_TYPE: Readonly<Record<string, ModelErrorCode>> = {
  authentication_error: 'authentication',
  permission_error: 'permission',
  billing_error: 'billing',
  not_found_error: 'not-found',
  invalid_request_error: 'invalid-request',
  request_too_large: 'overflow',
  rate_limit_error: 'rate-limit',
  overloaded_error: 'overloaded',
  api_error: 'server',
  timeout_error: 'server',
}
const BY_STATUS: Readonly<Record<number, ModelErrorCode>> = {
  401: 'authentication',
  402: 'billing',
  403: 'permission',
  404: 'not-found',
  408: 'server',
  409: 'server',
  413: 'overflow',
  429: 'rate-limit',
  529: 'overloaded',
}

/** Whether the provider confirmed that the request is too large for the model (C9). */
export function isOverflow(status: number | undefined, type: string | null, message: string) {
  if (status === 413 || type === 'request_too_large') return true
  if (status !== undefined && NEVER_OVERFLOW.has(status)) return false
  if (type === 'rate_limit_error' || type === 'overloaded_error') return false
  return OVERFLOW.some((wording) => wording.test(message) || wording.test(type ?? ''))
}

function codeOf(status: number | undefined, type: string | null, message: string): ModelErrorCode {
  if (isOverflow(status, type, message)) return 'overflow'
  if (status !== 429 && BILLING.test(message)) return 'billing'
  const known = (type && BY_TYPE[type]) || (status && BY_STATUS[status])
  if (known) return known
  return status !== undefined && status < 500 ? 'invalid-request' : 'server'
}

/** `retry-after-ms`, else `retry-after` in seconds or as a date; in milliseconds from `now`. */
export function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const exact = Number(headers?.get('retry-after-ms') || Number.NaN)
  if (exact >= 0 && Number.isFinite(exact)) return exact
  const text = headers?.get('retry-after')
  if (!text) return undefined
  const seconds = Number(text)
  if (seconds >= 0 && Number.isFinite(seconds * 1000)) return Math.round(seconds * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** The system's word for a failed connection (`ECONNREFUSED`), wherever it hides in the chain of causes. */
function systemCode(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return null
}

const TIMED_OUT: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

function networkError(error: unknown, upstream: string): ModelError {
  const word = systemCode(error)
  if (word && TIMED_OUT.has(word))
    return { code: 'stalled', message: `${upstream} did not answer in time.` }
  const why = word ? ` (${word})` : ''
  return error instanceof Anthropic.APIConnectionError
    ? { code: 'network', message: `Could not reach ${upstream}${why}.` }
    : { code: 'network', message: `The connection to ${upstream} broke off${why}.` }
}

/** A text, or the `msg` of the first of a list of complaints. */
function firstText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (!Array.isArray(value)) return null
  const first: unknown = value[0]
  const text = typeof first === 'object' && first !== null && Reflect.get(first, 'msg')
  return typeof text === 'string' ? text : null
}

/** A word of the provider in a message, if its body is one of the common shapes. */
function messageOf(error: InstanceType<typeof Anthropic.APIError>): string {
  const body: unknown = error.error
  if (error.apiMessage) return error.apiMessage
  if (typeof body === 'object' && body !== null) {
    // OpenAI-compatible servers: {error: "text"} or {message: "text"}; FastAPI and gateways on it: {detail}.
    for (const key of ['error', 'message', 'detail']) {
      const text = firstText(Reflect.get(body, key))
      if (text) return text
    }
  }
  return error.status ? `The server answered with status ${error.status}.` : error.message
}

const redirected = (upstream: string): string =>
  `${upstream} sends requests on to another address. If that is meant, set ANTHROPIC_BASE_URL of the server to it.`

/**
 * Anything the SDK throws → `ModelError`.
 *
 * @param upstream host name shown to people
 * @param now Unix ms, for a `retry-after` date
 */
export function toModelError(error: unknown, upstream: string, now: number): ModelError {
  if (error instanceof Anthropic.APIUserAbortError)
    return { code: 'cancelled', message: 'Cancelled.' }
  if (error instanceof Anthropic.APIConnectionTimeoutError)
    return { code: 'stalled', message: `${upstream} did not answer in time.` }
  if (error instanceof Anthropic.APIConnectionError) return networkError(error, upstream)
  if (error instanceof Anthropic.APIError) {
    const status: number | undefined = error.status
    // Never followed: the key and the conversation would go along.
    if (status !== undefined && status >= 300 && status < 400)
      return { code: 'not-found', status, message: redirected(upstream) }
    const message = messageOf(error)
    const wait = retryAfter(error.headers, now)
    return {
      code: codeOf(status, error.type, message),
      ...(status === undefined ? {} : { status }),
      message,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    }
  }
  if (error instanceof SyntaxError)
    return { code: 'server', message: `${upstream} sent something that is not JSON.` }
  return networkError(error, upstream)
}
