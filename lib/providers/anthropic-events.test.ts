import type Anthropic from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import { createReader } from './anthropic-events'

/** Feeds raw events, written loosely: compatible servers send less than the SDK's types promise. */
const read = (...raw: object[]) => {
  const reader = createReader()
  return raw.flatMap((event) => reader.read(event as Anthropic.RawMessageStreamEvent))
}
const textDelta = (text: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
})
const start = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
const stop = { type: 'content_block_stop', index: 0 }

it('[L5] joins a surrogate pair that was cut between two deltas', () => {
  const events = read(start, textDelta('a\ud83e'), textDelta('\udd8ab'), stop)
  expect(events.slice(1)).toEqual([
    { type: 'delta', index: 0, delta: { type: 'text', text: 'a' } },
    { type: 'delta', index: 0, delta: { type: 'text', text: '🦊b' } },
  ])
})

it('[L5] repairs lone surrogates, also one at the end of a block', () => {
  const events = read(start, textDelta('\udd8ax'), textDelta('y\ud83e'), stop)
  const text = events.flatMap((event) =>
    event.type === 'delta' && event.delta.type === 'text' ? [event.delta.text] : [],
  )
  expect(text.join('')).toBe('\ufffdxy\ufffd')
})

it('[M2] takes usage of all zeros for no measurement', () => {
  const usage = { input_tokens: 0, output_tokens: 0 }
  const events = read(
    { type: 'message_start', message: { model: 'local', usage } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  )
  expect(events).toEqual([
    { type: 'start', model: 'local' },
    { type: 'end', stopReason: 'end_turn' },
  ])
})

it('[M2] keeps the figures of the start where the end leaves them out', () => {
  const events = read(
    {
      type: 'message_start',
      message: {
        model: 'm',
        usage: { input_tokens: 7, output_tokens: 1, cache_read_input_tokens: 3 },
      },
    },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 9, input_tokens: null, cache_read_input_tokens: null },
    },
    { type: 'message_stop' },
  )
  expect(events.at(-1)).toMatchObject({
    usage: { input_tokens: 7, output_tokens: 9, cache_read_input_tokens: 3 },
  })
})

it('[Q3] gives thinking without a signature an empty one, and drops nothing it came with', () => {
  const [event] = read({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'thinking', thinking: '' },
  })
  expect(event).toEqual({
    type: 'block',
    index: 0,
    block: { type: 'thinking', thinking: '', signature: '' },
  })
})

it('ignores events of types it does not know', () => {
  expect(read({ type: 'message_annotation', note: 'new' })).toEqual([])
})
