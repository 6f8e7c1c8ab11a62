import { expect, it } from 'vitest'
import type { EventHead } from '@/lib/core/event'
import { foldTimeline } from '@/lib/core/projections/timeline'
import { compactionWords, turnWords, whereIs } from './where'

const types: [EventHead['type'], Partial<EventHead>][] = [
  ['session/open', {}],
  ['turn/start', { turn: 1 }],
  ['user/message', { op: 'append', tokens: 90 }],
  ['step/start', { turn: 1, step: 1 }],
  ['compact/start', { kind: 'pressure', compactionId: 'c' }],
  ['user/message', { op: { op: 'replace', start: 2, end: 2 }, kind: 'checkpoint', tokens: 9 }],
  ['compact/end', { compactionId: 'c' }],
]
const heads = types.map(
  ([type, rest], seq): EventHead => ({
    time: 0,
    tokens: 0,
    bytes: 0,
    media: 0,
    ...rest,
    seq,
    type,
  }),
)
const at = (seq: number) => whereIs(foldTimeline(heads), heads, seq)

it('says turn and step as they were at the moment', () => {
  expect(turnWords(at(0))).toBe('before the first turn')
  expect(turnWords(at(2))).toBe('turn 1')
  expect(turnWords(at(6))).toBe('turn 1 · step 1')
})

it('counts a compaction from the event that changed the surface', () => {
  expect(compactionWords(at(4))).toBe('before compaction 1 of 1')
  expect(compactionWords(at(5))).toBe('compaction 1 of 1')
  expect(at(4).tokens).toBe(90)
  expect(at(5).tokens).toBe(9)
})

it('has words for a session without compactions', () => {
  const early = heads.slice(0, 3)
  expect(compactionWords(whereIs(foldTimeline(early), early, 2))).toBe('no compaction')
  expect(whereIs(foldTimeline([]), [], -1)).toMatchObject({ turn: null, tokens: 0 })
})
