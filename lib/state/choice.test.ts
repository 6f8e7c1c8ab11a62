import { expect, it } from 'vitest'
import type { EventHead, RequestHeader } from '../core/event'
import { DEFAULT_SETTINGS } from '../storage/settings'
import { keepChoice, withChoice } from './choice'
import { headerOf } from './defaults'

function storage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}
const heads = (...types: string[]) => types.map((type, seq) => ({ type, seq })) as EventHead[]
const before: RequestHeader = headerOf(DEFAULT_SETTINGS, [])
const after: RequestHeader = {
  ...before,
  provider: 'anthropic',
  model: 'claude-opus-5',
  contextWindow: 1_000_000,
  params: { ...before.params, max_tokens: 9_000 },
}

it('a model chosen and not used yet comes back after a reload, with its limits', () => {
  const kept = storage()
  keepChoice('s', heads('session/open'), after, kept)
  expect(withChoice('s', heads('session/open', 'session/title'), before, kept)).toEqual(after)
  expect(withChoice('other', heads('session/open'), before, kept)).toEqual(before)
})

it('what the log says since goes before it', () => {
  const kept = storage()
  keepChoice('s', heads('session/open', 'request/header'), after, kept)
  const grown = heads('session/open', 'request/header', 'turn/start', 'request/header')
  expect(withChoice('s', grown, before, kept)).toEqual(before)
})

it('a model of unknown window has none, whatever the log’s had', () => {
  const kept = storage()
  const { contextWindow: _, ...unknown } = after
  keepChoice('s', [], unknown, kept)
  expect(withChoice('s', [], { ...before, contextWindow: 5 }, kept)).toEqual(unknown)
})

it('a damaged or refused storage is no choice', () => {
  const kept = storage()
  for (const text of ['{"after":-1}', '{', 'null']) {
    kept.items.set('palimpsest-choice:s', text)
    expect(withChoice('s', [], before, kept)).toEqual(before)
  }
  const full = {
    setItem() {
      throw new Error('full')
    },
  }
  expect(() => keepChoice('s', [], after, full)).not.toThrow()
})
