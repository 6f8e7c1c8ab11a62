/** The models an Anthropic-compatible server offers, as far as its models endpoint tells (server only). */

import 'server-only'
import { z } from 'zod'
import { type AnthropicOptions, createClient, describeFailure } from './anthropic'
import type { ModelList, ServedModel } from './wire'

const TIMEOUT_MS = 8_000
const MAX_PAGES = 10

const tokens = z.number().int().positive().nullish().catch(null)
const supported = z.object({ supported: z.boolean() })
/** Anthropic's fields, and those of vLLM, LM Studio, OpenRouter and llama.cpp for the same thing. */
const servedModel = z.object({
  id: z.string().min(1),
  display_name: z.string().nullish().catch(null),
  lifecycle: z.string().nullish().catch(null),
  max_input_tokens: tokens,
  max_tokens: tokens,
  max_model_len: tokens,
  max_context_length: tokens,
  context_length: tokens,
  context_window: tokens,
  meta: z.object({ n_ctx: tokens, n_ctx_train: tokens }).nullish().catch(null),
  capabilities: z
    .object({
      image_input: supported.nullish(),
      thinking: supported
        .extend({ types: z.record(z.string(), supported).nullish().catch(null) })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
})
const page = z.object({
  data: z.array(z.unknown()),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
})

function readModel(value: unknown): ServedModel[] {
  const parsed = servedModel.safeParse(value)
  if (!parsed.success || parsed.data.lifecycle === 'retired') return []
  const found = parsed.data
  const contextWindow =
    found.max_input_tokens ??
    found.max_model_len ??
    found.max_context_length ??
    found.context_length ??
    found.context_window ??
    found.meta?.n_ctx ??
    found.meta?.n_ctx_train
  const images = found.capabilities?.image_input?.supported
  const thinking = found.capabilities?.thinking
  const ways = (['adaptive', 'enabled'] as const).filter(
    (way) => thinking?.supported && thinking.types?.[way]?.supported,
  )
  return [
    {
      id: found.id,
      ...(found.display_name ? { name: found.display_name } : {}),
      ...(contextWindow ? { contextWindow } : {}),
      ...(found.max_tokens ? { maxOutput: found.max_tokens } : {}),
      ...(images === undefined ? {} : { images }),
      ...(thinking ? { thinking: ways } : {}),
    },
  ]
}

/** Models of the server's own list, newest first. Never rejects: what is missing is told in `problem`. */
export async function listAnthropicModels(
  options: AnthropicOptions,
  signal: AbortSignal,
): Promise<ModelList> {
  const client = createClient(options, options.fetch ?? fetch)
  const models: ServedModel[] = []
  try {
    let after: string | null = null
    for (let at = 0; at < MAX_PAGES; at++) {
      const answer: unknown = await client.get('/v1/models', {
        query: { limit: 1000, ...(after ? { after_id: after } : {}) },
        timeout: TIMEOUT_MS,
        signal,
      })
      const parsed = page.safeParse(answer)
      if (!parsed.success)
        return {
          models,
          problem: { code: 'not-found', message: 'The server has no list of models.' },
        }
      models.push(...parsed.data.data.flatMap(readModel))
      after = parsed.data.last_id ?? null
      if (!parsed.data.has_more || !after) break
    }
    return { models }
  } catch (error) {
    return { models, problem: describeFailure(options, error) }
  }
}
