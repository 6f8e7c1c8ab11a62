/** What a person types about a model: texts, what they come to, and who said what stands there now. Pure. */

import type { ModelFacts, Price } from '@/lib/state/known-models'
import { TABLE_DATE } from '@/lib/state/known-models'
import type { Source } from '@/lib/state/model-list'

export type PriceTexts = Record<keyof Price, string>

/** In the order they are asked. */
export const PRICE_FIELDS = [
  ['input', 'In'],
  ['output', 'Out'],
  ['cacheRead', 'Read from the cache'],
  ['cacheWrite', 'Written to the cache'],
] as const satisfies [keyof Price, string][]

export const priceTexts = (price: Price | undefined): PriceTexts => ({
  input: priceText(price?.input),
  output: priceText(price?.output),
  cacheRead: priceText(price?.cacheRead),
  cacheWrite: priceText(price?.cacheWrite),
})

/** A price without the noise of binary fractions: `0.25`, `6.25`. */
export const priceText = (dollars: number | undefined): string =>
  dollars === undefined ? '' : String(Number(dollars.toFixed(6)))

/** Dollars, undefined for an empty field, null for anything else. */
function dollarsOf(text: string): number | undefined | null {
  const plain = text.trim().replace(/^\$/, '').replace(',', '.')
  if (plain === '') return undefined
  const value = Number(plain)
  return Number.isFinite(value) && value >= 0 && value <= 1e6 ? value : null
}

/**
 * The price of four texts: what is left empty is as `given`, and where nothing is given a cache costs what
 * reading without one costs. Undefined where all are empty, null where something is wrong or missing.
 */
export function readPrice(texts: PriceTexts, given: Price | undefined): Price | undefined | null {
  const typed = PRICE_FIELDS.map(([field]) => dollarsOf(texts[field]))
  if (typed.includes(null)) return null
  if (typed.every((one) => one === undefined)) return undefined
  const [input, output, cacheRead, cacheWrite] = typed as (number | undefined)[]
  const all = {
    input: input ?? given?.input,
    output: output ?? given?.output,
    cacheRead: cacheRead ?? given?.cacheRead ?? input,
    cacheWrite: cacheWrite ?? given?.cacheWrite ?? input,
  }
  return Object.values(all).includes(undefined) ? null : (all as Price)
}

/** Who says a figure, in words. */
export function sourceWords(source: Source | undefined): string {
  switch (source) {
    case 'yours':
      return 'yours'
    case 'server':
      return 'as the server says'
    case 'table':
      return `from our table of ${TABLE_DATE}`
    case undefined:
      return 'not known'
  }
}

/** Ways of thinking as one choice of a list. */
export type ThinkingChoice = 'none' | 'adaptive' | 'enabled' | 'both'

export const THINKING: [ThinkingChoice, string][] = [
  ['none', 'no'],
  ['adaptive', 'yes, as much as it wants'],
  ['enabled', 'yes, up to a budget'],
  ['both', 'yes, either way'],
]

export function thinkingChoice(ways: NonNullable<ModelFacts['thinking']>): ThinkingChoice {
  if (ways.length === 2) return 'both'
  return ways[0] ?? 'none'
}

export const thinkingWays = (choice: ThinkingChoice): NonNullable<ModelFacts['thinking']> =>
  choice === 'none' ? [] : choice === 'both' ? ['adaptive', 'enabled'] : [choice]
