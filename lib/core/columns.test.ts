import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packColumns } from './columns'
import type { EventHead } from './event'
import { headOf } from './head'
import { openColumns, plainHead } from './packed-head'
import { arbitraryFoldable, arbitraryLog } from './testing/arbitrary'
import { structures } from './testing/structure'

const round = (heads: readonly EventHead[]) =>
  openColumns(structuredClone(packColumns(heads))).map(plainHead)

it('[L8] heads read out of columns are those that were packed', () => {
  fc.assert(
    fc.property(arbitraryLog(40), ({ heads }) => {
      expect(round(heads)).toStrictEqual(heads)
    }),
  )
  fc.assert(
    fc.property(arbitraryFoldable(40), (events) => {
      const heads = events.map(headOf)
      expect(round(heads)).toStrictEqual(heads)
    }),
  )
  fc.assert(
    fc.property(structures, ({ heads }) => {
      expect(round(heads)).toEqual(heads)
    }),
  )
})

it('[L8] a run from the middle of a log keeps its seqs', () => {
  fc.assert(
    fc.property(arbitraryLog(40), fc.nat(), ({ heads }, pick) => {
      const run = heads.slice(pick % heads.length)
      expect(round(run)).toStrictEqual(run)
    }),
  )
})

const head = (change: object): EventHead =>
  ({ seq: 0, time: 1, type: 'user/message', tokens: 0, bytes: 0, media: 0, ...change }) as EventHead

it.each([
  ['a time before 1970', { time: -5_000_000_001 }],
  ['the latest time', { time: Number.MAX_SAFE_INTEGER }],
  ['a number too large for a word', { tokens: 2 ** 31 }],
  ['a fraction', { measured: 0.5 }],
  ['a negative number', { turn: -1 }],
  ['zeros', { turn: 0, step: 0, chars: 0, measured: 0, cites: 0 }],
  ['empty lists', { calls: [], names: [], sources: [], seqs: [] }],
  ['empty texts', { kind: '', name: '', compactionId: '', frame: '' }],
  ['a foreign type', { type: 'todo/write' }],
  ['a foreign field', { colour: 'red' }],
  [
    'hostile words',
    { kind: '__proto__', name: 'constructor', calls: ['toString', '😀', 'toString'] },
  ],
  ['usage without cache figures', { usage: { input_tokens: 1, output_tokens: 2 } }],
  [
    'everything at once',
    {
      op: { op: 'replace', start: 7, end: 9 },
      media: 3,
      chars: 4,
      measured: 5,
      cites: 6,
      frame: '{}',
      names: ['a'],
      sources: [7, 9],
      seqs: [1],
      range: { start: 1, end: 2 },
      usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3 },
      limits: { system: 1, tools: 2, threshold: 0.5, maxTokens: 3 },
      blank: true,
    },
  ],
])('[L8] columns keep %s', (_, change) => {
  const heads = [head({ type: 'session/open', kind: 'created' }), head({ seq: 1, ...change })]
  expect(round(heads)).toStrictEqual(heads)
})
