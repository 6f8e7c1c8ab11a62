import { expect, it } from 'vitest'
import { costOf, priceOf } from './prices'

it('a dated id takes the price of its family', () => {
  expect(priceOf('claude-sonnet-5-20260901')).toEqual(priceOf('claude-sonnet-5'))
  expect(priceOf('claude-opus-5-5')).not.toEqual(priceOf('claude-opus-5'))
  expect(priceOf('claude-haiku-4-5-20251001')?.input).toBe(1)
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

it('an unknown model has no price', () => {
  expect(costOf({ input_tokens: 1, output_tokens: 1 }, 'llama-3')).toBeUndefined()
  expect(priceOf('claude-fable-5-2')).toBeUndefined()
})
