/** The Anthropic wire, on the server only: the official SDK's raw stream → `ModelEvent`. */

import 'server-only'
import Anthropic from '@anthropic-ai/sdk'
import type { RequestBody } from '../core/request'
import type { Model, ModelError, ModelEvent } from '../ports'
import { toModelError } from './anthropic-errors'
import { createReader } from './anthropic-events'
import { createWatchdog, type Limits, watchBody } from './anthropic-watchdog'
import { CANCELLED, failure, isLast } from './wire'

export const ANTHROPIC_URL = 'https://api.anthropic.com'
/** Silence between bytes, and until the first event (undici itself gives up at 300 s). */
export const DEFAULT_LIMITS: Limits = { first: 290_000, idle: 90_000 }

export type AnthropicOptions = {
  /** Servers that want no key get any non-empty text: without one the SDK looks for credentials elsewhere. */
  apiKey: string
  baseURL: string
  limits?: Limits
  fetch?: typeof globalThis.fetch
  now?: () => number
}

/** `http://host/v1/` → `http://host`: the SDK adds `/v1` itself, and people paste addresses with it. */
export const cleanBaseURL = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '')

/** Host name and port, for people; never credentials that a URL may hold. */
export const hostOf = (baseURL: string): string => new URL(baseURL).host

/** A client that sends with this key to this server, retries nothing and logs nothing. */
export function createClient(options: AnthropicOptions, fetch: typeof globalThis.fetch) {
  const baseURL = cleanBaseURL(options.baseURL)
  return new Anthropic({
    apiKey: options.apiKey,
    baseURL,
    fetch,
    // The loop retries, visibly; content goes into no log and no span.
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    // The key and the conversation go to the configured server and to no other it may point at.
    fetchOptions: { cache: 'no-store', redirect: 'manual' },
    // The SDK sends a bearer token; many compatible servers read only this header.
    defaultHeaders: baseURL === ANTHROPIC_URL ? {} : { 'x-api-key': options.apiKey },
  })
}

/** Shorter texts (a placeholder such as `none`) are no secret, and words of every message. */
const MIN_SECRET = 8

/** What went wrong, in words that never hold the key: some servers quote it in their refusals. */
export function describeFailure(options: AnthropicOptions, error: unknown): ModelError {
  const found = toModelError(error, hostOf(options.baseURL), (options.now ?? Date.now)())
  const { apiKey } = options
  if (apiKey.length < MIN_SECRET) return found
  return { ...found, message: found.message.replaceAll(apiKey, '[key]') }
}

/** The body as it is sent. Empty lists are left out: they mean nothing, and some servers refuse them. */
function paramsOf({ system, tools, ...rest }: RequestBody) {
  const params: unknown = {
    ...rest,
    ...(system.length > 0 ? { system } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    stream: true,
  }
  return params as Anthropic.MessageCreateParamsStreaming
}

async function* replies(
  options: AnthropicOptions,
  body: RequestBody,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const upstream = hostOf(options.baseURL)
  const abort = new AbortController()
  const stop = () => abort.abort()
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const watchdog = createWatchdog(options.limits ?? DEFAULT_LIMITS, stop)
  const client = createClient(options, watchBody(options.fetch ?? fetch, watchdog.touch))
  const reader = createReader()
  const broken = (error: unknown): ModelEvent => {
    if (signal.aborted) return CANCELLED
    if (watchdog.fired)
      return failure({ code: 'stalled', message: `${upstream} went silent; the reply was ended.` })
    return failure(describeFailure(options, error))
  }
  try {
    const sent = client.messages.create(paramsOf(body), { signal: abort.signal })
    const iterator = (await watchdog.guard(sent))[Symbol.asyncIterator]()
    for (;;) {
      const next = await watchdog.guard(iterator.next())
      if (next.done) break
      watchdog.started()
      for (const event of reader.read(next.value)) {
        yield event
        if (isLast(event)) return
      }
    }
    // The SDK's loop ends without a word on abort, and on a stream that was closed early.
    if (reader.finished && !abort.signal.aborted) yield reader.end()
    else yield broken(new Error('the stream ended early'))
  } catch (error) {
    yield broken(error)
  } finally {
    signal.removeEventListener('abort', stop)
    abort.abort()
  }
}

/** The model behind an Anthropic-compatible server. Media in bodies are inlined already (wire.ts). */
export const anthropicModel = (options: AnthropicOptions): Model => ({
  provider: 'anthropic',
  stream: (body, signal) => replies(options, body, signal),
})
