import { expect, it } from 'vitest'
import { costOf, priceOf } from './prices'

it('a dated id takes the price of its family', () => {
  expect(priceOf('claude-sonnet-5-20260901')).toEqual(priceOf('claude-sonnet-5'))
  expect(priceOf('claude-opus-5-5')).not.toEqual(priceOf('claude-opus-5'))
  expect(priceOf('claude-haiku-4-5-20251001')?.input).toBe(1)
  expect(priceOf('claude-opus-4-1')?.input).toBe(15)
})

it('a call is billed by cache state', () => {
  const usage = {
    input_tokens: 1_000_000,
    output_tokens: 100_000,
    cache_read_input_tokens: 2_000_000,
    cache_creation_input_tokens: 400_000,
  }
  expect(costOf(usage, 'claude-sonnet-5')).toBeCloseTo(2 + 1 + 0.4 + 1)
})

it('a person’s own price goes before the table’s, and gives a price to what has none', () => {
  const price = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }
  const usage = { input_tokens: 1_000_000, output_tokens: 1_000_000 }
  expect(costOf(usage, 'llama-3', { 'llama-3': { price } })).toBe(3)
  expect(costOf(usage, 'claude-opus-5', { 'claude-opus-5': { price } })).toBe(3)
  expect(costOf(usage, 'claude-opus-5', { 'claude-opus-5': { images: true } })).toBe(30)
})

it('an unknown model has no price, nor has one whose price depends on the prompt', () => {
  expect(costOf({ input_tokens: 1, output_tokens: 1 }, 'llama-3')).toBeUndefined()
  expect(priceOf('claude-fable-5-2')).toBeUndefined()
  expect(priceOf('claude-haiku-5-5')).toBeUndefined()
})
