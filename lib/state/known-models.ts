/**
 * What is known of models where no server says: from platform.claude.com/docs (models/<model>/overview and
 * about-claude/pricing, read 2026-11-30). Dollars per million tokens, cache writes those of five minutes.
 * What is not listed is unknown, and the screen says so; people can write their own figures over all of it.
 */

export type Price = { input: number; output: number; cacheRead: number; cacheWrite: number }

export type ModelFacts = {
  contextWindow?: number | undefined
  /** Longest reply, in tokens. */
  maxTokens?: number | undefined
  /** Whether it takes images. */
  images?: boolean | undefined
  /** Which ways of thinking a request may ask for. */
  thinking?: ('adaptive' | 'enabled')[] | undefined
  price?: Price | undefined
}

/** When the table was last compared with the provider's pages. */
export const TABLE_DATE = 'November 2026'

/** Cache writes cost 1.25 × input; `read` is the share of input that a cache hit costs. */
const price = (input: number, output: number, read: number): Price => ({
  input,
  output,
  cacheRead: input * read,
  cacheWrite: input * 1.25,
})

const LARGE: ModelFacts = { contextWindow: 1_000_000, maxTokens: 128_000, images: true }
const SMALL: ModelFacts = { contextWindow: 200_000, images: true }
const adaptive: ModelFacts = { thinking: ['adaptive'] }
const both: ModelFacts = { thinking: ['adaptive', 'enabled'] }
const budget: ModelFacts = { thinking: ['enabled'] }

/** First match wins: dated ids (`claude-opus-5-20260801`) are of their family. */
const TABLE: [RegExp, ModelFacts][] = [
  [/^claude-(fable|mythos)-5-2\b/, { ...LARGE, ...adaptive }],
  [/^claude-(fable|mythos)-5-1\b/, { ...LARGE, ...adaptive, price: price(10, 50, 0.025) }],
  [/^claude-(fable|mythos)-5(?!-\d\b)/, { ...LARGE, ...adaptive, price: price(10, 50, 0.1) }],
  [/^claude-opus-5-5\b/, { ...LARGE, ...adaptive, price: price(4, 20, 0.05) }],
  [/^claude-opus-(4-[78]|5)(?!-\d\b)/, { ...LARGE, ...adaptive, price: price(5, 25, 0.1) }],
  [/^claude-opus-4-6\b/, { ...LARGE, ...both, price: price(5, 25, 0.1) }],
  [/^claude-opus-4-5\b/, { ...SMALL, ...budget, maxTokens: 64_000, price: price(5, 25, 0.1) }],
  [/^claude-opus-4\b/, { ...SMALL, ...budget, maxTokens: 32_000, price: price(15, 75, 0.1) }],
  [/^claude-sonnet-5-5\b/, { ...LARGE, ...adaptive, price: price(2, 10, 0.05) }],
  [/^claude-sonnet-5(?!-\d\b)/, { ...LARGE, ...adaptive, price: price(2, 10, 0.1) }],
  [
    /^claude-sonnet-4-6\b/,
    { contextWindow: 1_000_000, images: true, ...both, price: price(3, 15, 0.1) },
  ],
  [/^claude-sonnet-4\b/, { ...SMALL, ...budget, maxTokens: 64_000, price: price(3, 15, 0.1) }],
  // Its price depends on the length of each prompt, so sums of tokens have none.
  [/^claude-haiku-5-5\b/, { ...LARGE, ...adaptive }],
  [/^claude-haiku-4-5\b/, { ...SMALL, ...budget, maxTokens: 64_000, price: price(1, 5, 0.1) }],
]

/** What the table says of a model, by its id; nothing where it is not listed. */
export const knownFacts = (id: string): ModelFacts =>
  TABLE.find(([pattern]) => pattern.test(id))?.[1] ?? {}
