import { expect, it } from 'vitest'
import type { EventHead } from '@/lib/core/event'
import { createHistory } from '@/lib/core/history'
import { emptyTranscript, extendTranscript, viewNodeAt } from '@/lib/core/projections/transcript'
import { modelRows } from './chat-view'

const head = (seq: number, change: Partial<EventHead> & Pick<EventHead, 'type'>): EventHead => ({
  seq,
  time: 0,
  tokens: 5,
  bytes: 0,
  media: 0,
  ...change,
})

it('[S8] shows the nodes of the surface in its order, results in the row of their call', () => {
  const heads = [
    head(0, { type: 'user/message', op: 'append', kind: 'human' }),
    head(1, {
      type: 'assistant/message',
      op: 'append',
      calls: ['c'],
      names: ['read'],
      sources: [],
    }),
    head(2, { type: 'tool/result', op: 'append', calls: ['c'], sources: [1], frame: '{}' }),
    head(3, { type: 'user/message', op: 'append', kind: 'human' }),
    head(4, {
      type: 'compact/start',
      compactionId: 'k',
      range: { start: 0, end: 0 },
      kind: 'region',
    }),
    head(5, { type: 'compact/summary', compactionId: 'k', seqs: [0], range: { start: 0, end: 0 } }),
    head(6, {
      type: 'user/message',
      kind: 'checkpoint',
      compactionId: 'k',
      op: { op: 'replace', start: 0, end: 0 },
      sources: [0],
    }),
    head(7, { type: 'compact/end', compactionId: 'k' }),
  ]
  const transcript = extendTranscript(emptyTranscript(), heads)
  const log = { heads, history: createHistory(heads) }
  const kinds = (at: number) =>
    modelRows(transcript, log, at).map((row) => {
      const node = viewNodeAt(transcript, row)!
      return `${node.kind} ${node.seq}`
    })
  expect(kinds(3)).toEqual(['user 0', 'assistant 1', 'user 3'])
  expect(kinds(7)).toEqual(['compaction 4', 'assistant 1', 'user 3'])
  expect(kinds(-1)).toEqual([])
})
