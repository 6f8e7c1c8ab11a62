/** `POST /api/count`: the provider's own count of a request's input tokens. */

import 'server-only'
import { countAnthropicTokens } from '../providers/anthropic-count'
import { KEY_HEADER, parseRequestBody, type TokenCount } from '../providers/wire'
import { readJson, refuseStranger, respond } from './respond'
import { openUpstream } from './upstream'

/** 200 `{tokens}`, also where the upstream cannot count: then `{problem}`. 403, 401, 415, 413, 400 as for messages. */
export async function answerCount(request: Request): Promise<Response> {
  const stranger = refuseStranger(request)
  if (stranger) return stranger
  const body = await readJson(request, parseRequestBody)
  if (!body.ok) return body.error
  const upstream = openUpstream(request.headers.get(KEY_HEADER))
  const counted = upstream.ok
    ? await countAnthropicTokens(upstream.value, body.value, request.signal)
    : upstream
  const answer: TokenCount = counted.ok ? { tokens: counted.value } : { problem: counted.error }
  return respond(answer)
}
