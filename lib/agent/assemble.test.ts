import { expect, it } from 'vitest'
import type { Block } from '../core/message'
import type { ModelEvent } from '../ports'
import { createAssembler } from './assemble'
import { createCallIds } from './call-ids'

const block = (index: number, started: Block): ModelEvent => ({
  type: 'block',
  index,
  block: started,
})
const input = (index: number, json: string): ModelEvent => ({
  type: 'delta',
  index,
  delta: { type: 'input', json },
})
const said = (index: number, text: string): ModelEvent => ({
  type: 'delta',
  index,
  delta: { type: 'text', text },
})
const use = (id: string, name = 'read'): Block => ({ type: 'tool_use', id, name, input: {} })
const end = (stopReason: string): ModelEvent => ({ type: 'end', stopReason })

function assemble(...events: ModelEvent[]) {
  const assembler = createAssembler(createCallIds([]))
  for (const event of events) assembler.add(event)
  return assembler
}

it('text, thinking and calls come together from their pieces', () => {
  const { content, calls, usage, model } = assemble(
    { type: 'start', model: 'm-1', usage: { input_tokens: 7, output_tokens: 1 } },
    block(0, { type: 'thinking', thinking: '', signature: '' }),
    { type: 'delta', index: 0, delta: { type: 'thinking', thinking: 'hm' } },
    { type: 'delta', index: 0, delta: { type: 'signature', signature: 'sig' } },
    block(1, { type: 'text', text: '' }),
    said(1, 'a'),
    said(1, 'b'),
    block(2, use('x')),
    input(2, '{"p":'),
    input(2, ' 1}'),
    { type: 'end', stopReason: 'tool_use', usage: { input_tokens: 7, output_tokens: 30 } },
  ).reply()
  expect(content).toEqual([
    { type: 'thinking', thinking: 'hm', signature: 'sig' },
    { type: 'text', text: 'ab' },
    { type: 'tool_use', id: 'x', name: 'read', input: { p: 1 } },
  ])
  expect(calls).toEqual([{ id: 'x', name: 'read', input: { p: 1 } }])
  expect({ usage, model }).toEqual({ usage: { input_tokens: 7, output_tokens: 30 }, model: 'm-1' })
})

it('[R3] a call cut off in its arguments is left out; one followed by another block is complete', () => {
  const cut = [block(0, use('a')), input(0, '{}'), block(1, use('b')), input(1, '{"p": [1')]
  expect(
    assemble(...cut)
      .reply()
      .calls.map(({ id }) => id),
  ).toEqual(['a'])
  expect(assemble(...cut, end('max_tokens')).reply().content).toHaveLength(1)
})

it('[R3] a call without arguments yet is incomplete until the reply ends', () => {
  const events = [block(0, use('a'))]
  expect(assemble(...events).reply().calls).toEqual([])
  expect(assemble(...events, end('max_tokens')).reply().calls).toEqual([])
  expect(assemble(...events, end('tool_use')).reply().calls).toEqual([
    { id: 'a', name: 'read', input: {} },
  ])
})

it('[R3] a cut call whose arguments are a whole object already counts', () => {
  const { calls } = assemble(block(0, use('a')), input(0, '{"p": "}"}')).reply()
  expect(calls).toEqual([{ id: 'a', name: 'read', input: { p: '}' } }])
})

it('broken arguments of a finished reply become a call with a problem and its text', () => {
  const { content, calls } = assemble(block(0, use('a')), input(0, '{"p'), end('tool_use')).reply()
  expect(content).toEqual([use('a')])
  expect(calls[0]).toMatchObject({ input: {}, raw: '{"p', problem: expect.any(String) })
})

it('[P2] call ids are made unique within the session, of legal characters', () => {
  const ids = createCallIds([
    {
      seq: 0,
      time: 0,
      type: 'assistant/message',
      calls: ['call_0'],
      tokens: 0,
      bytes: 0,
      media: 0,
    },
  ])
  expect([ids.take('call_0'), ids.take('call_0'), ids.take('a b:c'), ids.take('')]).toEqual([
    'call_0_2',
    'call_0_3',
    'a_b_c',
    'call',
  ])
})

it('[Q4] an illegal tool name is made legal, so that no later request is refused for it', () => {
  const { calls } = assemble(block(0, use('a', 'functions.read file')), end('tool_use')).reply()
  expect(calls[0]?.name).toBe('functions_read_file')
})

it('[L5] lone surrogates are repaired and counted, a pair split over two pieces is not one', () => {
  const { content, repaired } = assemble(
    block(0, { type: 'text', text: '' }),
    said(0, 'x\ud83d'),
    said(0, '\ude00 \udc00'),
    end('end_turn'),
  ).reply()
  expect(content).toEqual([{ type: 'text', text: 'x😀 \uFFFD' }])
  expect(repaired).toBe(1)
})

it('[Q3] repaired thinking loses the signature that no longer fits it', () => {
  const { content } = assemble(
    block(0, { type: 'thinking', thinking: 'x\ud800', signature: 'sig' }),
    end('end_turn'),
  ).reply()
  expect(content).toEqual([{ type: 'thinking', thinking: 'x\uFFFD', signature: '' }])
})

it('the partial reply shows the call being written with its text so far', () => {
  const { content, typing } = assemble(block(0, use('a')), input(0, '{"p": "lo')).partial()
  expect(content).toEqual([use('a')])
  expect(typing).toEqual({ callId: 'a', name: 'read', text: '{"p": "lo' })
})

it('unknown blocks stay as they came, empty text goes', () => {
  const search: Block = { type: 'server_tool_use', id: 's', name: 'web_search', input: { q: 'x' } }
  const { content } = assemble(
    block(0, search),
    block(1, { type: 'text', text: '' }),
    end('end_turn'),
  ).reply()
  expect(content).toEqual([search])
})

it('usage of a reply that did not end is unknown, not what it was at the start', () => {
  const start: ModelEvent = {
    type: 'start',
    model: 'm',
    usage: { input_tokens: 9, output_tokens: 1 },
  }
  const { usage } = assemble(start, block(0, { type: 'text', text: 'x' })).reply()
  expect(usage).toBeUndefined()
})
