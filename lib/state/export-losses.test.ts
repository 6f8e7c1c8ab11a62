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

const here = (at = 4) => ({ at, imported: false })

it('says nothing of formats that hold everything', () => {
  for (const format of ['native', 'html'] as const)
    expect(lossesOf(format, 'whole', heads, here())).toEqual([])
})

it('names what comes after the playhead, and rows of an import that became no event', () => {
  expect(lossesOf('native', 'prefix', heads, here(2))).toEqual(['everything after #2'])
  expect(lossesOf('native', 'prefix', heads, here(4))).toEqual([])
  expect(lossesOf('html', 'whole', heads, { at: 4, imported: true })).toEqual([
    'rows of the imported file that became no event (its original has them)',
  ])
})

it('counts what a DeepSeek Harness log has no place for, and only what is there', () => {
  expect(lossesOf('dsh', 'whole', heads, here())).toEqual([
    'thinking signatures',
    '2 attachments as names only',
    '1 restore, with the compaction it undid',
    '1 change of pins',
  ])
  expect(lossesOf('dsh', 'whole', heads.slice(1, 3), here(2))).toEqual(['thinking signatures'])
  expect(lossesOf('dsh', 'prefix', heads, here(1))).toEqual([
    'everything after #1',
    'thinking signatures',
    '2 attachments as names only',
  ])
})

it('names compactions among what messages lose only where there was one by then', () => {
  const lost = (range: 'window' | 'whole', at: number) => lossesOf('openai', range, heads, here(at))
  expect(lost('window', 4)).toContain('that compactions happened')
  expect(lost('window', 1)).not.toContain('that compactions happened')
  expect(lost('window', 4)).toContain('all that was not in the window then')
  expect(lost('whole', 4)).not.toContain('all that was not in the window then')
})
