/** The exact request a step sends, derived from a header and the surface (Q1–Q6). */

import type { Params } from './event'
import type { Message, ToolSpec } from './message'

/** Version of the derivation below. A change to what it produces for any log raises it (Q5). */
export const BUILDER = 1

export type CacheControl = { type: 'ephemeral' }

/**
 * The body of a Messages API call without `stream`, which the wire adds. Media are `BlobRef`s that the
 * wire inlines; its hash is taken over this shape (Q5).
 */
export type RequestBody = {
  model: string
  max_tokens: number
  system: { type: 'text'; text: string; cache_control?: CacheControl }[]
  tools: (ToolSpec & { cache_control?: CacheControl })[]
  messages: Message[]
  temperature?: number
  thinking?: Params['thinking']
  output_config?: { effort: NonNullable<Params['effort']> }
}
