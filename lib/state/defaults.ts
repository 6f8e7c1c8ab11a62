/** What a session begins with where the person chose nothing. */

import type { RequestHeader } from '../core/event'
import { BUILDER } from '../core/request'
import type { ModelInfo, Settings } from './model'

/** The built-in system prompt. */
export const SYSTEM = [
  'You work in a small workspace of files that lives in the user’s browser. Use the tools to read and change it; never guess what a file says.',
  'Quote exact paths, names and numbers. Earlier parts of this conversation may have been replaced by a summary or a placeholder: recall_search and recall_read bring the original words back.',
].join('\n')

/** Output tokens asked for where neither the person nor the server says. */
const MAX_TOKENS = 8192

/** The choice of model and limits for requests; the tools are added where they are made. */
export function headerOf(settings: Settings, models: readonly ModelInfo[]): RequestHeader {
  const { provider, id, contextWindow, maxTokens } = settings.model
  const info = models.find((model) => model.provider === provider && model.id === id)
  const window = info?.contextWindow ?? contextWindow
  const asked = info?.sources?.maxTokens === 'yours' ? info.maxTokens : maxTokens
  return {
    provider,
    model: id,
    ...(window === undefined ? {} : { contextWindow: window }),
    system: settings.system || SYSTEM,
    tools: [],
    params: { max_tokens: asked ?? Math.min(info?.maxTokens ?? MAX_TOKENS, MAX_TOKENS) },
    policy: settings.policy,
    builder: BUILDER,
  }
}
