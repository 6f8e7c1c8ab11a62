/** What calls cost: the person's own price of a model before that of the table. */

import type { Usage } from '../core/message'
import { knownFacts, type ModelFacts, type Price } from './known-models'

/** What a person wrote over the facts of models, by id. */
export type OwnFacts = Readonly<Record<string, ModelFacts>>

const NONE: OwnFacts = {}

export const priceOf = (model: string, own = NONE): Price | undefined =>
  (Object.hasOwn(own, model) ? own[model]?.price : undefined) ?? knownFacts(model).price

/** Dollars for one call's usage, or for sums of it; undefined where the price is not known. */
export function costOf(usage: Usage, model: string, own = NONE): number | undefined {
  const per = priceOf(model, own)
  if (!per) return undefined
  const sum =
    usage.input_tokens * per.input +
    usage.output_tokens * per.output +
    (usage.cache_read_input_tokens ?? 0) * per.cacheRead +
    (usage.cache_creation_input_tokens ?? 0) * per.cacheWrite
  return sum / 1e6
}
