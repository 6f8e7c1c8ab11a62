import { expect, it } from 'vitest'
import { plainName } from './name'

it('a name cannot pose as another by turning its end around', () => {
  expect(plainName('photo\u202egnp.exe')).toBe('photo\ufffdgnp.exe')
  expect(plainName('a\u2069\u2068b\u202a')).toBe('a\ufffd\ufffdb\ufffd')
  expect(plainName('שלום 3 \u200f.txt')).toBe('שלום 3 \u200f.txt')
})
