import { expect, it } from 'vitest'
import { BUILDER, type RequestBody } from '@/lib/core/request'
import type { RequestProof } from '@/lib/state/hooks'
import { curlOf, isCopied, rowsOf, verdictOf } from './parts'

const body: RequestBody = {
  model: 'm',
  max_tokens: 100,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  tools: [{ name: 'read_file', description: 'Reads', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: "it's\nEND_OF_BODY here" }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'x' } }],
    },
  ],
}
const proof = (change: Partial<RequestProof>): RequestProof => ({
  body,
  hash: 'h',
  recorded: 'h',
  builder: BUILDER,
  seq: 3,
  ...change,
})

it('[Q5] equal hashes prove the body, others say why they do not', () => {
  expect(verdictOf(proof({}))).toBe('equal')
  expect(verdictOf(proof({ recorded: 'x' }))).toBe('different')
  expect(verdictOf(proof({ recorded: null }))).toBe('unrecorded')
  expect(verdictOf(proof({ recorded: 'x', builder: BUILDER + 1 }))).toBe('other-builder')
})

it('[Q6] marks where a cached prefix may end', () => {
  const rows = rowsOf(body)
  expect(rows.filter((row) => row.breakpoint).map((row) => row.part)).toEqual(['system'])
  expect(rows.map((row) => row.part)).toEqual([
    'parameters',
    'tools',
    'system',
    'messages',
    'messages',
  ])
})

it('the shell command carries the body unchanged', () => {
  const lines = curlOf(body).split('\n')
  const from = lines.findIndex((line) => line.endsWith("<<'END_OF_BODY'")) + 1
  const to = lines.indexOf('END_OF_BODY')
  expect(JSON.parse(lines.slice(from, to).join('\n'))).toEqual(body)
})

it('what weighs more than 20 MB, its media counted, is not for the clipboard', () => {
  const image = (bytes: number) => ({
    type: 'image' as const,
    source: { type: 'blob' as const, hash: 'h', media_type: 'image/png', bytes },
  })
  const weigh = (...sizes: number[]) => {
    const messages = [{ role: 'user' as const, content: sizes.map(image) }]
    return rowsOf({ ...body, messages }).reduce((sum, row) => sum + row.bytes, 0)
  }
  expect(isCopied(weigh(3_500_000))).toBe(true)
  // Base64 takes a third more.
  expect(isCopied(weigh(...Array.from({ length: 5 }, () => 3_500_000)))).toBe(false)
})
