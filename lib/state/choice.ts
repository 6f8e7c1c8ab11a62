/**
 * A model that was chosen and not used yet: the log learns of it with the next turn, a reload before that must
 * not bring the old one back unasked. Kept for this tab, and only as long as the log says nothing newer.
 */

import { z } from 'zod'
import type { EventHead, RequestHeader, Seq } from '../core/event'

const choice = z.object({
  /** The log's newest header when the choice was made; -1 where it had none. */
  after: z.int().min(-1),
  provider: z.string().min(1),
  model: z.string().min(1).max(200),
  contextWindow: z.int().positive().optional(),
  maxTokens: z.int().positive(),
})

const keyOf = (session: string): string => `palimpsest-choice:${session}`

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const newestHeader = (heads: readonly EventHead[]): Seq =>
  heads.findLast((head) => head.type === 'request/header')?.seq ?? -1

export function keepChoice(
  session: string,
  heads: readonly EventHead[],
  { provider, model, contextWindow, params }: RequestHeader,
  storage: Pick<Storage, 'setItem'> | undefined = globalThis.sessionStorage,
): void {
  const maxTokens = params.max_tokens
  const made = { after: newestHeader(heads), provider, model, contextWindow, maxTokens }
  try {
    storage?.setItem(keyOf(session), JSON.stringify(made))
  } catch {
    // A full or forbidden storage: the choice then ends with the page.
  }
}

/** `header` with the model chosen in this tab since, if any. */
export function withChoice(
  session: string,
  heads: readonly EventHead[],
  header: RequestHeader,
  storage: Pick<Storage, 'getItem'> | undefined = globalThis.sessionStorage,
): RequestHeader {
  const text = storage?.getItem(keyOf(session))
  if (!text) return header
  const parsed = choice.safeParse(read(text))
  if (!parsed.success || parsed.data.after !== newestHeader(heads)) return header
  const { provider, model, contextWindow, maxTokens } = parsed.data
  const { contextWindow: _, ...rest } = header
  return {
    ...rest,
    provider,
    model,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    params: { ...rest.params, max_tokens: maxTokens },
  }
}
