import { expect, it } from 'vitest'
import type { EventHead } from '../core/event'
import { lossesOf } from './export-losses'

const head = (seq: number, type: EventHead['type'], more: Partial<EventHead> = {}): EventHead => ({
  seq,
  time: 0,
  type,
  tokens: 0,
  bytes: 0,
  media: 0,
  ...more,
})
const heads = [
  head(0, 'user/message', { op: 'append', media: 2 }),
  head(1, 'assistant/message', { op: 'append' }),
  head(2, 'compact/summary'),
  head(3, 'surface/restore', { op: { op: 'restore', seq: 2 } }),
  head(4, 'pin/set'),
]

it('says nothing of formats that hold everything', () => {
  for (const format of ['native', 'html', 'original'] as const)
    expect(lossesOf(format, heads, 4)).toEqual([])
})

it('counts what a DeepSeek Harness log has no place for, and only what is there', () => {
  expect(lossesOf('dsh', heads, 4)).toEqual([
    'thinking signatures',
    '2 attachments as names only',
    '1 restore, with the compaction it undid',
    '1 change of pins',
  ])
  expect(lossesOf('dsh', heads.slice(1, 3), 4)).toEqual(['thinking signatures'])
})

it('names compactions among what messages lose only where there was one by then', () => {
  expect(lossesOf('openai', heads, 4)).toContain('that compactions happened')
  expect(lossesOf('openai', heads, 1)).not.toContain('that compactions happened')
})
