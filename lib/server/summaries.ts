/** The summarising action and its companion route. */

import 'server-only'
import { err, ok, type Result } from '../core/result'
import type { ModelError, ModelEvent } from '../ports'
import {
  failure,
  MAX_REQUEST_BYTES,
  parseJson,
  parseSummaryId,
  parseSummaryRequest,
  type SummaryRequest,
} from '../providers/wire'
import { streamEvents, type WireEvent } from '../providers/wire-stream'
import { refuseAccess } from './access'
import { callModel } from './call'
import { refuse, refuseStranger, respond } from './respond'
import { beginSummary, cancelSummary, endSummary } from './summary-registry'

const invalid = (message: string): ModelError => ({ code: 'invalid-request', status: 400, message })

async function readPayload(
  payload: unknown,
  headers: Pick<Headers, 'get'>,
): Promise<Result<SummaryRequest, ModelError>> {
  const foreign = refuseAccess(headers, 'POST')
  if (foreign) return err(foreign)
  if (!(payload instanceof Blob)) return err(invalid('The request must be one Blob.'))
  if (payload.size > MAX_REQUEST_BYTES)
    return err({ code: 'overflow', status: 413, message: 'The request is too large.' })
  const json = parseJson(await payload.text())
  const request = json.ok ? parseSummaryRequest(json.value) : json
  return request.ok
    ? ok(request.value)
    : err(invalid(`The request is not well formed: ${request.error}`))
}

async function* run(
  { id, key, body }: SummaryRequest,
  abort: AbortController,
): AsyncGenerator<ModelEvent> {
  try {
    yield* callModel('summary', { key: key ?? null, body }, abort)
  } finally {
    endSummary(id)
  }
}

async function* one(event: ModelEvent): AsyncGenerator<ModelEvent> {
  yield event
}
const refusal = (error: ModelError) => streamEvents(one(failure(error)), () => undefined)

/**
 * Streams a summary's model call. Never rejects and the stream never errors: whatever goes wrong is its
 * last event. The stream ends early through `endRunning`, or when the page goes away.
 */
export async function openSummary(
  payload: unknown,
  headers: Pick<Headers, 'get'>,
): Promise<ReadableStream<WireEvent>> {
  try {
    const request = await readPayload(payload, headers)
    if (!request.ok) return refusal(request.error)
    const abort = beginSummary(request.value.id)
    if (!abort) return refusal(invalid('A summary with this id is running already.'))
    return streamEvents(run(request.value, abort), () => abort.abort())
  } catch {
    // A payload that breaks off while it is read.
    return refusal({ code: 'network', message: 'The summary request could not be read.' })
  }
}

/** `DELETE /api/summaries/{id}`: 200 `{cancelled}`, false for an id that has not begun (it never will). */
export function answerCancel(request: Request, id: string): Response {
  const foreign = refuseStranger(request)
  if (foreign) return foreign
  const parsed = parseSummaryId(id)
  if (!parsed.ok) return refuse(400, invalid('That is not the id of a summary.'))
  return respond({ cancelled: cancelSummary(parsed.value) })
}
