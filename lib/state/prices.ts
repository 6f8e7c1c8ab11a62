/**
 * What models cost, in dollars per million tokens, as published on
 * platform.claude.com/docs/en/about-claude/pricing (read 2026-10; five-minute cache writes).
 * A model that is not listed has no known price: the screen then shows tokens only.
 */

import type { Usage } from '../core/message'

export type Price = { input: number; output: number; cacheRead: number; cacheWrite: number }

/** Cache writes cost 1.25 × input; `read` is the share of input that a cache hit costs. */
const price = (input: number, output: number, read: number): Price => ({
  input,
  output,
  cacheRead: input * read,
  cacheWrite: input * 1.25,
})

/** First match wins: dated ids (`claude-opus-5-20260801`) take their family's price. */
const PRICES: [RegExp, Price][] = [
  [/^claude-(fable|mythos)-5-1\b/, price(10, 50, 0.025)],
  [/^claude-(fable|mythos)-5(?!-\d\b)/, price(10, 50, 0.1)],
  [/^claude-opus-5-5\b/, price(4, 20, 0.05)],
  [/^claude-opus-(4-[5-8]|5)(?!-\d\b)/, price(5, 25, 0.1)],
  [/^claude-opus-4\b/, price(15, 75, 0.1)],
  [/^claude-sonnet-5-5\b/, price(2, 10, 0.05)],
  [/^claude-sonnet-5(?!-\d\b)/, price(2, 10, 0.1)],
  [/^claude-sonnet-4\b/, price(3, 15, 0.1)],
  [/^claude-haiku-4-5\b/, price(1, 5, 0.1)],
]

export const priceOf = (model: string): Price | undefined =>
  PRICES.find(([pattern]) => pattern.test(model))?.[1]

/** Dollars for one call's usage; undefined where the price is not known. */
export function costOf(usage: Usage, model: string): number | undefined {
  const per = priceOf(model)
  if (!per) return undefined
  const sum =
    usage.input_tokens * per.input +
    usage.output_tokens * per.output +
    (usage.cache_read_input_tokens ?? 0) * per.cacheRead +
    (usage.cache_creation_input_tokens ?? 0) * per.cacheWrite
  return sum / 1e6
}
