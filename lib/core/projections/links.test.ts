import { expect, it } from 'vitest'
import type { EventHead, Seq } from '../event'
import { createHistory } from '../history'
import { playActs } from '../testing/structure'
import { createLinks, extendLinks, linksOf } from './links'

const links = (heads: readonly EventHead[], seq: Seq, at = heads.length - 1) =>
  linksOf(extendLinks(createLinks(), heads), { heads, history: createHistory(heads) }, seq, at)

// Acts of testing/structure.ts: 0 user, 5 result, 7 summary, 9 prune, 10 restore.
const play = (...acts: number[]) =>
  playActs(acts.map((act) => ({ act, a: 0, b: 99, tokens: 10 }))).heads

it('[S8] a replacement and what it shadows point at each other', () => {
  const heads = play(0, 0, 7)
  expect(links(heads, 3).shadows).toEqual([0, 1])
  expect(links(heads, 0).replacedBy).toBe(3)
  expect(links(heads, 0, 2).replacedBy).toBeNull()
})

it('[S7] a lifted-off replacement names the restore', () => {
  const heads = play(0, 7, 10)
  expect(links(heads, 2)).toMatchObject({ restoredBy: 4, shadows: [0] })
  expect(links(heads, 2, 3).restoredBy).toBeNull()
  expect(links(heads, 0).replacedBy).toBeNull()
})

it('[C2] every event of a bracket knows the others', () => {
  const heads = play(0, 7)
  expect(links(heads, 1).bracket).toMatchObject({ start: 1, checkpoint: 2, end: 3, summary: null })
  expect(links(heads, 3).bracket).toEqual(links(heads, 1).bracket)
})

it('[X3] a prune and its replacement know each other', () => {
  const heads = play(5, 9)
  expect(links(heads, 1).prune).toBe(2)
  expect(links(heads, 2).prune).toBe(1)
  expect(links(heads, 0).prune).toBeNull()
})

it('[P1] message, intent and results of a call are tied by its id', () => {
  const bare = { time: 0, tokens: 0, bytes: 0, media: 0 }
  const heads: EventHead[] = [
    { ...bare, seq: 0, type: 'assistant/message', op: 'append', calls: ['a', 'b'] },
    { ...bare, seq: 1, type: 'tool/call', calls: ['a'] },
    { ...bare, seq: 2, type: 'tool/result', op: 'append', calls: ['a'] },
    { ...bare, seq: 3, type: 'tool/result', op: 'append', calls: ['b'] },
  ]
  expect(links(heads, 2).calls).toEqual([{ callId: 'a', message: 0, call: 1, results: [2] }])
  expect(links(heads, 0).calls).toHaveLength(2)
  expect(links(heads, 0).calls[1]).toEqual({ callId: 'b', message: 0, call: null, results: [3] })
})
