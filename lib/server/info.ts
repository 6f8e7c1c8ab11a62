/** `GET /api/status`, `/api/models`, `/api/health`. */

import 'server-only'
import { listAnthropicModels } from '../providers/anthropic-models'
import { KEY_HEADER, type ModelList } from '../providers/wire'
import { refuseForeign, respond } from './respond'
import { describeUpstream, openUpstream } from './upstream'

export const answerStatus = (request: Request): Response =>
  refuseForeign(request) ?? respond(describeUpstream())

export const answerHealth = (request: Request): Response =>
  refuseForeign(request) ?? respond({ ok: true })

/** 200 also where the upstream has no list or cannot be asked: an empty list with its `problem`. */
export async function answerModels(request: Request): Promise<Response> {
  const foreign = refuseForeign(request)
  if (foreign) return foreign
  const upstream = openUpstream(request.headers.get(KEY_HEADER))
  const list: ModelList = upstream.ok
    ? await listAnthropicModels(upstream.value, request.signal)
    : { models: [], problem: upstream.error }
  return respond(list)
}
