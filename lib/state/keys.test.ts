import { expect, it } from 'vitest'
import { keepKey, keyPlace, typedKey } from './keys'

function storage(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    get length() {
      return items.size
    },
  } as Storage
}

it('a typed key lives in one place and is wiped from both', () => {
  const stores = { tab: storage(), browser: storage() }
  keepKey('sk-one', false, stores)
  expect([keyPlace(stores), typedKey(stores), stores.browser.length]).toEqual(['tab', 'sk-one', 0])
  keepKey('sk-two', true, stores)
  expect([keyPlace(stores), typedKey(stores), stores.tab.length]).toEqual(['browser', 'sk-two', 0])
  keepKey('sk-three', false, stores)
  expect([keyPlace(stores), typedKey(stores), stores.browser.length]).toEqual([
    'tab',
    'sk-three',
    0,
  ])
  keepKey(null, true, stores)
  expect([keyPlace(stores), typedKey(stores)]).toEqual(['none', null])
})
