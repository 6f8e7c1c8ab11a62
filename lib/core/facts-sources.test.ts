import { expect, it } from 'vitest'
import { checkpointText } from './checkpoint'
import type { SurfaceEvent, UserSource } from './event'
import { factsOf, lostLiterals, sourcesOf } from './facts-sources'
import type { Block } from './message'

const said = (text: string): Block[] => [{ type: 'text', text }]
const place = (seq: number) => ({ seq, time: 0, surfaceOp: 'append' as const })
const user = (seq: number, text: string, source: UserSource = { kind: 'human' }) =>
  ({
    ...place(seq),
    type: 'user/message',
    data: { id: 'u', content: said(text), source },
  }) as SurfaceEvent
const assistant = (seq: number, content: Block[]) =>
  ({ ...place(seq), type: 'assistant/message', data: { id: 'a', content } }) as SurfaceEvent
const result = (seq: number, text: string) =>
  ({
    ...place(seq),
    type: 'tool/result',
    data: { id: 'r', callId: 'c', content: said(text), isError: false },
  }) as SurfaceEvent

it('calls give the strings of their input, thinking gives nothing', () => {
  const content: Block[] = [
    { type: 'thinking', thinking: 'maybe src/wrong.ts', signature: '' },
    { type: 'text', text: 'I open it.' },
    { type: 'tool_use', id: 'c', name: 'read', input: { path: 'src/a.ts', more: ['--all', 3] } },
  ]
  expect(sourcesOf([assistant(3, content)])).toEqual([
    { seq: 3, role: 'assistant', text: 'I open it.' },
    { seq: 3, role: 'result', text: 'src/a.ts\n--all' },
  ])
})

it('[C13] an earlier checkpoint hands on its instructions, not the words of code around them', () => {
  const text = checkpointText('Never push to `origin/main`.', [], ['E1042'])
  const facts = factsOf([user(9, text, { kind: 'checkpoint', compactionId: 'k' })])
  expect(facts.map((fact) => [fact.kind, fact.text])).toEqual([
    ['instruction', 'Never push to `origin/main`'],
    ['identifier', 'origin/main'],
    ['error', 'E1042'],
  ])
  for (const { text: literal, offset } of facts)
    expect(text.slice(offset, offset + literal.length)).toBe(literal)
})

it('a notice gives no instructions', () => {
  expect(factsOf([user(2, 'Never mind. You must not stop.', { kind: 'notice' })])).toEqual([])
})

it('lost literals are those of the chosen kinds, worth most first, within the budget', () => {
  const nodes = [user(1, "Don't touch src/old.ts"), result(2, 'E1042 at src/new.ts --no-cache')]
  const summary = 'src/new.ts has to change.'
  expect(lostLiterals(nodes, summary, ['path', 'instruction', 'error'], 100)).toEqual([
    "Don't touch src/old.ts",
    'E1042',
    'src/old.ts',
  ])
  expect(lostLiterals(nodes, summary, ['flag'], 100)).toEqual(['--no-cache'])
  expect(lostLiterals(nodes, summary, ['flag'], 4)).toEqual([])
})
