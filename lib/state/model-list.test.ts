import { describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '../storage/settings'
import { headerOf } from './defaults'
import { choiceFirst, infoFor, modelsOf, replyOf, withOwn } from './model-list'
import { costOf } from './prices'

const one = (id: string, served = {}, own = {}) => modelsOf([{ id, ...served }], { [id]: own })[0]!

describe('what is known of a model', () => {
  it('is the person’s word, else the server’s, else the table’s', () => {
    const model = one('claude-opus-5', { contextWindow: 500_000, images: false }, { images: true })
    expect(model).toMatchObject({ contextWindow: 500_000, images: true, maxTokens: 128_000 })
    expect(model.sources).toEqual({
      contextWindow: 'server',
      maxTokens: 'table',
      images: 'yours',
      thinking: 'table',
      price: 'table',
    })
    expect(model.given).toMatchObject({ contextWindow: 500_000, images: false })
  })

  it('is nothing where nobody says', () => {
    const model = one('qwen3:8b')
    expect(model).toEqual({
      provider: 'anthropic',
      id: 'qwen3:8b',
      label: 'qwen3:8b',
      given: {},
      sources: {},
    })
  })

  it('includes models only the person described, after those the server lists', () => {
    const ids = modelsOf([{ id: 'b' }, { id: 'a' }], { z: { maxTokens: 1 }, a: {} })
    expect(ids.map(({ id }) => id)).toEqual(['b', 'a', 'z'])
  })

  it('no name of a model reaches into objects', () => {
    expect(modelsOf([{ id: 'constructor' }, { id: '__proto__' }], {})).toHaveLength(2)
    expect(costOf({ input_tokens: 1, output_tokens: 1 }, 'constructor')).toBeUndefined()
  })
})

it('the model the server was told to prefer is offered first, listed or not', () => {
  const list = [{ id: 'a' }, { id: 'b', contextWindow: 9 }]
  expect(choiceFirst(list, 'b')).toEqual([{ id: 'b', contextWindow: 9 }, { id: 'a' }])
  expect(choiceFirst(list, 'c').map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  expect(choiceFirst(list)).toEqual(list)
})

it('a reply as long as the window leaves nothing to send, so a quarter is asked for', () => {
  const served = { contextWindow: 40_000, maxOutput: 40_000 }
  expect(replyOf(one('m', served))).toBe(10_000)
  expect(replyOf(one('m', { ...served, maxOutput: 8_000 }))).toBe(8_000)
  expect(replyOf(one('m', served, { maxTokens: 30_000 }))).toBe(30_000)
  expect(replyOf(one('m', { maxOutput: 40_000 }))).toBe(40_000)
})

it('a model on no list is what the table and the person say of it', () => {
  expect(infoFor([], 'anthropic', 'claude-opus-5', {})?.contextWindow).toBe(1_000_000)
  expect(infoFor([], 'anthropic', 'x', { x: { contextWindow: 5 } })?.contextWindow).toBe(5)
  expect(infoFor([], 'offline', 'x', {})).toBeUndefined()
})

it('a word that is taken back leaves nothing behind', () => {
  const own = withOwn({ b: { images: true } }, 'a', { contextWindow: 9, thinking: [] })
  expect(own).toEqual({ b: { images: true }, a: { contextWindow: 9, thinking: [] } })
  expect(withOwn(own, 'a', { contextWindow: undefined })).toEqual({ b: { images: true } })
})

it('new sessions take a model’s limits as they are known now, and a person’s longest reply whole', () => {
  const model = { provider: 'anthropic', id: 'm', contextWindow: 100_000, maxTokens: 9_000 }
  const settings = { ...DEFAULT_SETTINGS, model }
  const header = (served: { contextWindow?: number }, own: object) =>
    headerOf(settings, modelsOf([{ id: 'm', ...served }], { m: own }))
  expect(headerOf(settings, [])).toMatchObject({
    contextWindow: 100_000,
    params: { max_tokens: 9_000 },
  })
  expect(header({ contextWindow: 32_000 }, {}).contextWindow).toBe(32_000)
  expect(
    header({ contextWindow: 32_000 }, { contextWindow: 16_000, maxTokens: 700 }),
  ).toMatchObject({
    contextWindow: 16_000,
    params: { max_tokens: 700 },
  })
})
