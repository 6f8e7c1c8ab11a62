/** `POST /api/messages`: one model call, streamed as lines of JSON. */

import 'server-only'
import { EVENTS_TYPE, KEY_HEADER, parseRequestBody } from '../providers/wire'
import { encodeEvents, streamEvents } from '../providers/wire-stream'
import { callModel } from './call'
import { readJson, refuseStranger } from './respond'

/**
 * 403 foreign, 415/413/400 malformed; else 200 and a stream that ends with one `end` or `error`, so what
 * goes wrong upstream is an event and no status. When the browser hangs up, the call upstream ends.
 */
export async function answerMessages(request: Request): Promise<Response> {
  const foreign = refuseStranger(request)
  if (foreign) return foreign
  const body = await readJson(request, parseRequestBody)
  if (!body.ok) return body.error
  const abort = new AbortController()
  const stop = () => abort.abort()
  request.signal.addEventListener('abort', stop, { once: true })
  const asked = { key: request.headers.get(KEY_HEADER), body: body.value }
  const events = streamEvents(callModel('messages', asked, abort), stop)
  return new Response(encodeEvents(events), {
    headers: {
      'content-type': EVENTS_TYPE,
      // Compression and reverse proxies would hold lines back.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}
