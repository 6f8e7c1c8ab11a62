import { expect, it } from 'vitest'
import { isOverflow, retryAfter } from './anthropic-errors'

it.each([
  'prompt is too long: 250000 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  'Your input exceeds the context window of this model',
  'the request exceeds the available context size, try increasing it',
  'Trying to keep the first 9000 tokens when context the overflows.',
  'tokens to keep from the initial prompt is greater than the context length',
  'prompt too long; exceeded max context length by 12 tokens',
  'The decoder prompt (length 9000) is longer than the maximum model length of 4096.',
  'Input is too long for requested model.',
  "You passed 99073 input tokens and requested 32000 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 99072 tokens. Please reduce the length of the input prompt.",
  'request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it',
  'At most 4 image(s) may be provided in one request. You provided 9.',
  'messages: too many images and documents: 101 > 100',
  'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)',
])('[C9] takes for an overflow: %s', (message) => {
  expect(isOverflow(400, 'invalid_request_error', message)).toBe(true)
  expect(isOverflow(undefined, 'api_error', message)).toBe(true)
})

it('[C9] takes HTTP 413 for an overflow whatever it says', () => {
  expect(isOverflow(413, null, '')).toBe(true)
})

it.each([
  [
    400,
    'invalid_request_error',
    'max_tokens: 90000 > 64000, which is the maximum allowed number of output tokens',
  ],
  [400, 'invalid_request_error', 'image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes'],
  [429, 'rate_limit_error', 'prompt is too long for your rate limit'],
  [529, 'overloaded_error', 'maximum context length'],
  [429, null, 'maximum context length per minute reached'],
  [undefined, 'overloaded_error', 'maximum context length'],
])('[C9] takes %s %s “%s” for something else', (status, type, message) => {
  expect(isOverflow(status, type, message)).toBe(false)
})

it('reads retry-after in seconds, as a date, and exactly', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const read = (headers: Record<string, string>) => retryAfter(new Headers(headers), now)
  expect(read({ 'retry-after': '1.5' })).toBe(1500)
  expect(read({ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' })).toBe(10_000)
  expect(read({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' })).toBe(0)
  expect(read({ 'retry-after': '9', 'retry-after-ms': '250' })).toBe(250)
  expect(read({ 'retry-after': 'soon' })).toBeUndefined()
  expect(read({ 'retry-after': '1e400', 'retry-after-ms': 'Infinity' })).toBeUndefined()
  expect(read({})).toBeUndefined()
})
