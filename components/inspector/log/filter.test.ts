import { expect, it } from 'vitest'
import type { EventHead, SessionEvent } from '@/lib/core/event'
import { createHistory } from '@/lib/core/history'
import { bodyHolds, type Filter, filterLog, NO_FILTER } from './filter'

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
const find = (change: Partial<Filter>, text = '', list = heads, at = list.length - 1) =>
  filterLog(
    { heads: list, history: createHistory(list) },
    list.length,
    { ...NO_FILTER, ...change },
    text,
    at,
  )

it('shows one group of kinds', () => {
  expect(find({}).sure).toEqual([0, 1, 2, 3, 4])
  expect(find({ group: 'messages' }).sure).toEqual([1])
  expect(find({ group: 'compaction' }).sure).toEqual([3, 4])
})

it('counts failed tools and attempts as failures, and what succeeded as none', () => {
  expect(find({ group: 'errors' }).sure).toEqual([2, 3])
})

it('finds text in heads without any body, and says whose bodies could hold it', () => {
  expect(find({}, 'READ_f')).toEqual({ sure: [2], unread: [1, 3, 4] })
  expect(find({}, '#3').sure).toEqual([3])
})

it('finds text in a body', () => {
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
  expect([bodyHolds(body, 'threshold'), bodyHolds(body, 'other')]).toEqual([true, false])
})

it('[S8] tells what is shadowed and what is on the surface at a moment', () => {
  const list = [
    head(0, { type: 'user/message', op: 'append', kind: 'human' }),
    head(1, { type: 'user/message', op: 'append', kind: 'human', media: 1 }),
    head(2, {
      type: 'user/message',
      kind: 'checkpoint',
      op: { op: 'replace', start: 0, end: 0 },
      sources: [0],
    }),
  ]
  expect(find({ standing: 'shadowed' }, '', list).sure).toEqual([0])
  expect(find({ standing: 'surface' }, '', list).sure).toEqual([1, 2])
  expect(find({ standing: 'surface' }, '', list, 1).sure).toEqual([0, 1])
  expect(find({ standing: 'media' }, '', list).sure).toEqual([1])
})

it('shows one turn with all that stands in it', () => {
  const list = [
    ...heads.slice(0, 3),
    head(3, { type: 'turn/end', turn: 1, kind: 'completed' }),
    head(4, { type: 'turn/start', turn: 2 }),
  ]
  expect(find({ turn: 1 }, '', list).sure).toEqual([0, 1, 2, 3])
  expect(find({ turn: 2 }, '', list).sure).toEqual([4])
  expect(find({ turn: 9 }, '', list).sure).toEqual([])
})
