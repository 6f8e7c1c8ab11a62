/** The browser's doors to our server: chat through the route handler, summaries through the server action. */

import type { RequestBody } from '../core/request'
import { err, ok, type Result } from '../core/result'
import type { Model, ModelError, ModelErrorCode, ModelEvent, NewId } from '../ports'
import {
  CANCELLED,
  failure,
  KEY_HEADER,
  MAX_REQUEST_BYTES,
  type ModelList,
  type ProviderStatus,
  parseJson,
  parseModelList,
  parseProviderStatus,
  parseRefusal,
  parseTokenCount,
} from './wire'
import { inlineMedia, type ResolveBlob } from './wire-media'
import { decodeEvents, receiveEvents, type WireEvent } from './wire-stream'

export type RemoteOptions = {
  resolveBlob: ResolveBlob
  fetch?: typeof globalThis.fetch
  /** A key the user typed; null uses the server's own. */
  key?: () => string | null
  /** Whether this browser has a network at all. */
  online?: () => boolean
  /** Silence after which our server is given up, in ms. */
  silenceMs?: number
}

/** Takes the whole request as one Blob (a large string among arguments is refused by React's decoder). */
export type SummaryAction = (payload: Blob) => Promise<ReadableStream<WireEvent>>

export type ActionOptions = RemoteOptions & {
  action: SummaryAction
  newId: NewId
  /** Ends a running summary by its id; by default `DELETE /api/summaries/{id}`. */
  cancel?: (id: string) => Promise<unknown>
}

/** Until our server answers at all, in ms: a large request may be long on its way. */
const ANSWER_MS = 120_000

const BY_STATUS: Readonly<Record<number, ModelErrorCode>> = {
  401: 'access',
  403: 'permission',
  404: 'not-found',
  413: 'overflow',
  429: 'rate-limit',
  // A reverse proxy whose server is down.
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
}

const isOnline = (): boolean => globalThis.navigator?.onLine !== false

/** Why our own server gave no answer. */
const noAnswer = ({ online = isOnline }: Partial<RemoteOptions>): ModelError =>
  online()
    ? { code: 'unreachable', message: 'The Palimpsest server could not be reached. Is it running?' }
    : { code: 'offline', message: 'This browser has no network connection.' }

/** `fetch` that gives up when no answer begins; the answer itself may take as long as it likes. */
async function fetchAnswer(
  options: Partial<RemoteOptions>,
  path: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ANSWER_MS)
  const signal = AbortSignal.any([init.signal, late.signal])
  try {
    return await (options.fetch ?? fetch)(path, { ...init, signal })
  } finally {
    clearTimeout(timer)
  }
}

const tooLarge = (bytes: number): ModelError => ({
  code: 'overflow',
  status: 413,
  message: `The request is ${(bytes / 1e6).toFixed(1)} MB; at most ${MAX_REQUEST_BYTES / 1e6} MB can be sent.`,
})

/** Our server always says why in JSON of its own; what is something else was said by a proxy in front of it. */
function refusalOf(status: number, text: string): ModelError {
  const fallback = status < 500 ? 'invalid-request' : 'server'
  return (
    parseRefusal(text) ?? {
      code: BY_STATUS[status] ?? fallback,
      status,
      message: `Something in front of the Palimpsest server answered with status ${status}.`,
    }
  )
}

/** Resolves with null when `signal` aborts first; the promise itself goes on unheard. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** The request as JSON bytes, media inlined, its size checked before it is sent. */
async function pack(
  body: RequestBody,
  resolveBlob: ResolveBlob,
  wrap: (body: RequestBody) => unknown,
): Promise<Result<Blob, ModelError>> {
  const inlined = await inlineMedia(body, resolveBlob)
  if (!inlined.ok) return inlined
  const payload = new Blob([JSON.stringify(wrap(inlined.value))], { type: 'application/json' })
  return payload.size > MAX_REQUEST_BYTES ? err(tooLarge(payload.size)) : ok(payload)
}

async function* viaRoute(
  options: RemoteOptions,
  body: RequestBody,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  try {
    const payload = await pack(body, options.resolveBlob, (inlined) => inlined)
    if (!payload.ok) {
      yield failure(payload.error)
      return
    }
    const key = options.key?.()
    const response = await fetchAnswer(options, '/api/messages', {
      method: 'POST',
      body: payload.value,
      headers: { 'content-type': 'application/json', ...(key ? { [KEY_HEADER]: key } : {}) },
      signal,
    })
    if (response.ok && response.body) yield* decodeEvents(response.body, signal, options.silenceMs)
    else yield failure(refusalOf(response.status, await response.text()))
  } catch {
    yield signal.aborted ? CANCELLED : failure(noAnswer(options))
  }
}

/** Chat: the model behind `POST /api/messages`. An abort closes the request, and with it the call upstream. */
export const remoteModel = (options: RemoteOptions): Model => ({
  provider: 'anthropic',
  stream: (body, signal) => viaRoute(options, body, signal),
})

async function* viaAction(
  options: ActionOptions,
  body: RequestBody,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const id = options.newId()
  const key = options.key?.()
  const cancel =
    options.cancel ??
    ((summary: string) =>
      (options.fetch ?? fetch)(`/api/summaries/${summary}`, { method: 'DELETE', keepalive: true }))
  let over = false
  // Nothing tells a server action that its caller has gone; the companion route does.
  const stop = () => {
    if (!over) cancel(id).catch(() => undefined)
  }
  try {
    const payload = await pack(body, options.resolveBlob, (inlined) => ({
      id,
      ...(key ? { key } : {}),
      body: inlined,
    }))
    if (!payload.ok || signal.aborted) {
      over = true
      yield payload.ok ? CANCELLED : failure(payload.error)
      return
    }
    signal.addEventListener('abort', stop, { once: true })
    const stream = await unlessAborted(options.action(payload.value), signal)
    if (!stream) {
      yield CANCELLED
      return
    }
    for await (const event of receiveEvents(stream, signal, options.silenceMs)) {
      over = event.type === 'end' || (event.type === 'error' && !signal.aborted)
      yield event
    }
  } catch {
    yield signal.aborted ? CANCELLED : failure(await whyRefused(options))
  } finally {
    signal.removeEventListener('abort', stop)
    // Reached early when the reader stopped reading.
    if (!signal.aborted) stop()
  }
}

/** An action that throws arrives without its message; whether the server answers at all tells most. */
async function whyRefused(options: ActionOptions): Promise<ModelError> {
  const status = await readStatus(options)
  if (!status.ok) return status.error
  return {
    code: 'outdated',
    message:
      'Palimpsest was updated since this page was opened, and the server did not take the summary request. Reload the page; nothing of the session is lost.',
  }
}

/** Summaries: the model behind the server action (C15). */
export const actionModel = (options: ActionOptions): Model => ({
  provider: 'anthropic',
  stream: (body, signal) => viaAction(options, body, signal),
})

async function getJson<T>(
  path: string,
  parse: (value: unknown) => Result<T, string>,
  options: Partial<RemoteOptions>,
  init: RequestInit = {},
): Promise<Result<T, ModelError>> {
  try {
    const key = options.key?.()
    const response = await (options.fetch ?? fetch)(path, {
      ...init,
      headers: {
        ...(init.body ? { 'content-type': 'application/json' } : {}),
        ...(key ? { [KEY_HEADER]: key } : {}),
      },
    })
    const text = await response.text()
    if (!response.ok) return err(refusalOf(response.status, text))
    const json = parseJson(text)
    const value = json.ok ? parse(json.value) : json
    return value.ok
      ? value
      : err({ code: 'server', message: 'The Palimpsest server sent an unreadable answer.' })
  } catch {
    return err(noAnswer(options))
  }
}

/** `GET /api/models`: the models of the server's upstream with their windows. */
export const listModels = (
  options: Omit<RemoteOptions, 'resolveBlob'> = {},
): Promise<Result<ModelList, ModelError>> => getJson('/api/models', parseModelList, options)

/** `GET /api/status`: whether the server has a key, where it sends requests, which model it prefers. */
export const readStatus = (
  options: Omit<RemoteOptions, 'resolveBlob'> = {},
): Promise<Result<ProviderStatus, ModelError>> =>
  getJson('/api/status', parseProviderStatus, options)

/** `DELETE /api/access`: this browser is forgotten, and asked for the access token again. */
export async function endAccess(
  options: Pick<RemoteOptions, 'fetch' | 'online'> = {},
): Promise<Result<null, ModelError>> {
  try {
    const answer = await (options.fetch ?? fetch)('/api/access', { method: 'DELETE' })
    return answer.ok ? ok(null) : err(refusalOf(answer.status, await answer.text()))
  } catch {
    return err(noAnswer(options))
  }
}

/** `POST /api/count`: the provider's own count of the input tokens of `body`. */
export async function countTokens(
  options: RemoteOptions,
  body: RequestBody,
  signal: AbortSignal,
): Promise<Result<number, ModelError>> {
  const payload = await pack(body, options.resolveBlob, (inlined) => inlined)
  if (!payload.ok) return payload
  const init = { method: 'POST', body: payload.value, signal }
  const answer = await getJson('/api/count', parseTokenCount, options, init)
  if (!answer.ok) return answer
  return 'tokens' in answer.value ? ok(answer.value.tokens) : err(answer.value.problem)
}
