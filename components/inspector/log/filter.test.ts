import { expect, it } from 'vitest'
import type { EventHead, SessionEvent } from '@/lib/core/event'
import { filterLog } from './filter'

const head = (seq: number, change: Partial<EventHead> & Pick<EventHead, 'type'>): EventHead => ({
  seq,
  time: 0,
  tokens: 0,
  bytes: 0,
  media: 0,
  ...change,
})
const heads = [
  head(0, { type: 'turn/start', turn: 1 }),
  head(1, { type: 'user/message', op: 'append', kind: 'human' }),
  head(2, { type: 'tool/result', op: 'append', name: 'read_file', kind: 'error' }),
  head(3, { type: 'compact/end', kind: 'cancelled' }),
  head(4, { type: 'compact/end' }),
]
const nothing = () => undefined

it('shows one group of kinds', () => {
  expect(filterLog(heads, 'all', '', nothing)).toEqual([0, 1, 2, 3, 4])
  expect(filterLog(heads, 'messages', '', nothing)).toEqual([1])
  expect(filterLog(heads, 'compaction', '', nothing)).toEqual([3, 4])
})

it('counts failed tools and attempts as failures, and what succeeded as none', () => {
  expect(filterLog(heads, 'errors', '', nothing)).toEqual([2, 3])
})

it('finds text in heads without any body', () => {
  expect(filterLog(heads, 'all', 'READ_f', nothing)).toEqual([2])
  expect(filterLog(heads, 'all', '#3', nothing)).toEqual([3])
})

it('finds text in bodies that are loaded', () => {
  const body = {
    seq: 1,
    time: 0,
    type: 'user/message',
    surfaceOp: 'append',
    data: {
      id: 'm',
      content: [{ type: 'text', text: 'Where is THRESHOLD?' }],
      source: { kind: 'human' },
    },
  } as SessionEvent
  expect(filterLog(heads, 'all', 'threshold', (seq) => (seq === 1 ? body : undefined))).toEqual([1])
})
