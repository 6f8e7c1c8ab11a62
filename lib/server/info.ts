/** `GET /api/status`, `/api/models`, `/api/health`. */

import 'server-only'
import { listAnthropicModels } from '../providers/anthropic-models'
import { KEY_HEADER, type ModelList, type ProviderStatus } from '../providers/wire'
import { accessToken } from './access'
import { refuse, refuseForeign, refuseStranger, respond } from './respond'
import { describeUpstream, openUpstream } from './upstream'

export const answerStatus = (request: Request): Response =>
  refuseStranger(request) ??
  respond({ ...describeUpstream(), guarded: accessToken() !== null } satisfies ProviderStatus)

export const answerHealth = (request: Request): Response =>
  refuseForeign(request) ?? respond({ ok: true })

/** 200 also where the upstream has no list or cannot be asked: an empty list with its `problem`. */
export async function answerModels(request: Request): Promise<Response> {
  const foreign = refuseStranger(request)
  if (foreign) return foreign
  const upstream = openUpstream(request.headers.get(KEY_HEADER))
  const list: ModelList = upstream.ok
    ? await listAnthropicModels(upstream.value, request.signal)
    : { models: [], problem: upstream.error }
  return respond(list)
}

/** Any other path beneath `/api`: told apart from a page, and not before the token was shown. */
export const answerNothing = (request: Request): Response =>
  refuseStranger(request) ?? refuse(404, { code: 'not-found', message: 'There is no such route.' })
