import { expect, it } from 'vitest'
import { createWriter } from '../core/testing/build'
import { askedAt } from './fork'

const human = (id: string) => ({
  type: 'user/message' as const,
  data: { id, content: [{ type: 'text' as const, text: id }], source: { kind: 'human' as const } },
  surfaceOp: 'append' as const,
})

it('[K2] a fork begins before the turn of a prompt, but keeps what a message was slipped into', () => {
  const { write, log } = createWriter()
  write({ type: 'session/open', data: { writer: 'w', reason: 'created' } })
  write({ type: 'turn/start', data: { turn: 1 } }, human('prompt'))
  const [slipped] = write(human('slipped'))
  write({ type: 'turn/end', data: { turn: 1, reason: 'completed' } })
  write({ type: 'session/title', data: { title: 'named', source: 'human' } })
  const [second] = write({ type: 'turn/start', data: { turn: 2 } }, human('second'))
  const at = (seq: number) => askedAt(log.heads, seq)
  expect(at(2)).toEqual({ prompt: 2, before: 0 })
  expect(at(slipped!.seq)).toEqual({ prompt: 3, before: 2 })
  expect(at(slipped!.seq + 1)).toEqual({ prompt: 3, before: 2 })
  // What came between two turns belongs to the fork.
  expect(at(second!.seq + 1)).toEqual({ prompt: second!.seq + 1, before: second!.seq - 1 })
  expect(at(0)).toBeNull()
})
