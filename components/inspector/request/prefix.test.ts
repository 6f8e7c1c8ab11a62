import { expect, it } from 'vitest'
import type { RequestBody } from '@/lib/core/request'
import { prefixOf } from './prefix'

const say = (text: string, marked = false): RequestBody['messages'][number] => ({
  role: 'user',
  content: [{ type: 'text', text, ...(marked ? { cache_control: { type: 'ephemeral' } } : {}) }],
})
const body = (
  messages: RequestBody['messages'],
  change: Partial<RequestBody> = {},
): RequestBody => ({
  model: 'm',
  max_tokens: 10,
  system: [{ type: 'text', text: 'be brief' }],
  tools: [],
  messages,
  ...change,
})

it('a request that only grew shares all of the one before, wherever the breakpoint moved', () => {
  const prefix = prefixOf(
    body([say('a'), say('b', true)]),
    body([say('a'), say('b'), say('c', true)]),
  )
  expect(prefix).toMatchObject({ why: 'whole', rows: 3, endsAt: null })
  expect(prefix.tokens).toBeLessThan(prefix.total)
})

it('a message that changed ends the prefix there', () => {
  const prefix = prefixOf(
    body([say('a'), say('b'), say('c')]),
    body([say('a'), say('x'), say('c')]),
  )
  expect(prefix).toMatchObject({ why: 'messages', rows: 2, endsAt: 'messages 1' })
})

it('system prompt and model come before every message', () => {
  const system = [{ type: 'text' as const, text: 'be long' }]
  expect(prefixOf(body([say('a')]), body([say('a')], { system }))).toMatchObject({
    why: 'system',
    rows: 0,
    tokens: 0,
  })
  expect(prefixOf(body([say('a')]), body([say('a')], { model: 'n' }))).toMatchObject({
    why: 'model',
  })
})
