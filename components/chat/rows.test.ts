import { expect, it } from 'vitest'
import type { EventHead } from '@/lib/core/event'
import { emptyTranscript, extendTranscript } from '@/lib/core/projections/transcript'
import {
  callWords,
  durationOf,
  holds,
  inputText,
  lastRowAt,
  rowOf,
  sharesOf,
  turnEndedBetween,
} from './rows'

const head = (seq: number, type: EventHead['type'], more: Partial<EventHead> = {}): EventHead => ({
  seq,
  type,
  time: 0,
  tokens: 0,
  bytes: 0,
  media: 0,
  ...more,
})

const heads = [
  head(0, 'session/open'),
  head(1, 'turn/start', { turn: 1 }),
  head(2, 'user/message', { op: 'append', kind: 'human', tokens: 10 }),
  head(3, 'assistant/message', { op: 'append', calls: ['a', 'b'], tokens: 20 }),
  head(4, 'tool/call', { calls: ['a'] }),
  head(5, 'tool/call', { calls: ['b'] }),
  head(6, 'tool/result', { op: 'append', calls: ['b'], tokens: 100 }),
  head(7, 'tool/result', { op: 'append', calls: ['a'], tokens: 50 }),
  head(8, 'compact/prune', { kind: 'micro' }),
  head(9, 'tool/result', { op: { op: 'replace', start: 6, end: 6 }, calls: ['b'], tokens: 5 }),
  head(10, 'turn/end', { turn: 1, kind: 'cancelled' }),
]
const transcript = extendTranscript(emptyTranscript(), heads)

it('finds the row of a result that came after other events', () => {
  expect(rowOf(transcript, 7)).toBe(rowOf(transcript, 3))
  expect(rowOf(transcript, 9)).toBe(lastRowAt(transcript, 9))
})

it('finds the last row at a moment', () => {
  expect(lastRowAt(transcript, 0)).toBe(-1)
  expect(lastRowAt(transcript, 2)).toBe(1)
  expect(lastRowAt(transcript, 7)).toBe(2)
})

it('shows a replacement and its announcement in one row', () => {
  const prune = {
    kind: 'prune' as const,
    seq: 8,
    cause: null,
    replaced: [{ originalSeq: 6, replacementSeq: 9 }],
  }
  expect([8, 9, 6].map((seq) => holds(prune, seq))).toEqual([true, true, false])
})

it('places the end of a turn that did not complete', () => {
  const turns = [{ turn: 1, start: 1, end: 10, reason: 'cancelled' }]
  expect(turnEndedBetween(turns, 8, 20)?.reason).toBe('cancelled')
  expect(turnEndedBetween(turns, 3, 8)).toBeNull()
  expect(turnEndedBetween([{ ...turns[0]!, reason: 'completed' }], 8, 20)).toBeNull()
})

it('sums tokens by kind in a fixed order', () => {
  expect(sharesOf([9, 3, 7, 2], heads)).toEqual([
    { kind: 'user', tokens: 10 },
    { kind: 'assistant', tokens: 20 },
    { kind: 'result', tokens: 50 },
    { kind: 'pruned', tokens: 5 },
  ])
})

it('reads how long a tool ran from its head', () => {
  expect(durationOf(head(1, 'tool/result', { frame: '{"callId":"a","durationMs":840}' }))).toBe(840)
  expect(durationOf(head(1, 'tool/result', { frame: '{"callId":"a"}' }))).toBeNull()
})

it('names what a call is about', () => {
  expect(callWords({ limit: 3, path: 'a/b.ts' })).toBe('a/b.ts')
  expect(callWords({ command: 'ls\n  -la' })).toBe('ls -la')
  expect(callWords({})).toBe('')
})

it('writes flat inputs as lines and nested ones as JSON', () => {
  expect(inputText({ path: 'a', from: 1 })).toBe('path: a\nfrom: 1')
  expect(inputText({ edits: [{ old: 'a' }] })).toContain('"edits"')
})
