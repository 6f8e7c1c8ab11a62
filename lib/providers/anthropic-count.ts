/** How many input tokens a request has by the provider's own count (server only). Free of charge there. */

import 'server-only'
import { z } from 'zod'
import type { RequestBody } from '../core/request'
import { err, ok, type Result } from '../core/result'
import type { ModelError } from '../ports'
import { type AnthropicOptions, createClient, describeFailure } from './anthropic'

const TIMEOUT_MS = 30_000
const answer = z.object({ input_tokens: z.number().int().nonnegative() })

/** Input tokens, or why there is no count: many compatible servers cannot tell (`not-found`). */
export async function countAnthropicTokens(
  options: AnthropicOptions,
  { model, system, tools, messages, thinking }: RequestBody,
  signal: AbortSignal,
): Promise<Result<number, ModelError>> {
  const body = {
    model,
    messages,
    ...(system.length > 0 ? { system } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(thinking ? { thinking } : {}),
  }
  try {
    const client = createClient(options, options.fetch ?? fetch)
    const sent = { body, timeout: TIMEOUT_MS, signal }
    const parsed = answer.safeParse(await client.post('/v1/messages/count_tokens', sent))
    return parsed.success
      ? ok(parsed.data.input_tokens)
      : err({ code: 'not-found', message: 'The server does not count tokens.' })
  } catch (error) {
    return err(describeFailure(options, error))
  }
}
