/** One reply from a model: attempts, back-off, and what counts as a second chance. */

import type { RequestBody } from '../core/request'
import type { Clock, Model, ModelError, ModelErrorCode, ModelEvent } from '../ports'
import { orAborted } from './abort'

/** Attempts at one request, the first included. */
export const MAX_ATTEMPTS = 3

const PASSING: ReadonlySet<ModelErrorCode> = new Set([
  'rate-limit',
  'overloaded',
  'server',
  'network',
  'stalled',
  'unreachable',
  'restarted',
])

/** First wait in milliseconds; doubles with every attempt. */
const BACKOFF_MS = 1000

/** The longest a timer can be set for; one set for longer goes off at once. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Milliseconds before the next attempt: half to one and a half times the step, and never before the server's
 * own wish, as far as a timer reaches.
 */
export function backoff(failed: number, { retryAfterMs = 0 }: ModelError, random: number): number {
  const step = Math.round(BACKOFF_MS * 2 ** (failed - 1) * (0.5 + random))
  return Math.min(Math.max(step, retryAfterMs), LONGEST_MS)
}

export type Ask = {
  model: Model
  body: RequestBody
  signal: AbortSignal
  clock: Clock
  random(): number
  /** A new attempt begins: forget what came before. */
  onAttempt(attempt: number): void
  onEvent(event: ModelEvent): void
  /** Whether this attempt has brought content: then nothing is repeated. */
  started(): boolean
  /** An attempt failed (never by cancel). Awaited. */
  onFailed(error: ModelError, attempt: number): Promise<void>
  /** The next attempt begins after `ms`; aborting `skip`'s signal begins it at once. */
  onWait(wait: { ms: number; attempt: number; error: ModelError; skip: AbortController }): void
}

/** The error that ended it, or null when the reply is complete. A cancel gives `cancelled`. */
export async function ask(request: Ask): Promise<ModelError | null> {
  const { signal, clock } = request
  for (let attempt = 1; ; attempt++) {
    request.onAttempt(attempt)
    const found = await attemptOnce(request)
    if (!found || found.code === 'cancelled') return found
    // A server may quote half a surrogate pair, and no log would take its words (L5).
    const error = { ...found, message: found.message.toWellFormed() }
    await request.onFailed(error, attempt)
    if (signal.aborted) return cancelled
    if (request.started() || !PASSING.has(error.code) || attempt === MAX_ATTEMPTS) return error
    const ms = backoff(attempt, error, request.random())
    const skip = new AbortController()
    request.onWait({ ms, attempt: attempt + 1, error, skip })
    await clock.sleep(ms, AbortSignal.any([signal, skip.signal]))
    if (signal.aborted) return cancelled
  }
}

const cancelled: ModelError = { code: 'cancelled', message: 'Stopped.' }

async function attemptOnce({ model, body, signal, onEvent }: Ask): Promise<ModelError | null> {
  let over = false
  const read = async (): Promise<ModelError | null> => {
    for await (const event of model.stream(body, signal)) {
      if (over) break
      if (event.type === 'error') return event.error
      onEvent(event)
      if (event.type === 'end') return null
    }
    return { code: 'network', message: 'The reply broke off without an end.' }
  }
  try {
    const error = await orAborted(read(), signal, () => cancelled)
    return signal.aborted && error ? cancelled : error
  } catch (cause) {
    return { code: 'server', message: cause instanceof Error ? cause.message : String(cause) }
  } finally {
    over = true
  }
}
