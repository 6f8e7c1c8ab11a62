import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checksum, longChecksum } from './checksum'

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })

describe.each([
  ['checksum', checksum],
  ['longChecksum', longChecksum],
])('%s', (_, sumOf) => {
  it('finds any changed unit, whatever its bits', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 0xffff }), (said, place, bits) => {
        const at = place % said.length
        const unit = String.fromCharCode(said.charCodeAt(at) ^ bits)
        const changed = said.slice(0, at) + unit + said.slice(at + 1)
        expect(sumOf('x', changed)).not.toBe(sumOf('x', said))
      }),
    )
  })

  it('finds what stands elsewhere: units swapped, moved to the place, cut off or doubled', () => {
    const sums = [
      ['a', 'bcdefgh'],
      ['ab', 'cdefgh'],
      ['a', 'cbdefgh'],
      ['a', 'fgdebch'],
      ['a', 'bcdefg'],
      ['a', 'bcdefghh'],
      ['a', 'bcdefgh\0'],
      ['', 'abcdefgh'],
    ].map(([place, said]) => sumOf(place!, said!))
    expect(new Set(sums).size).toBe(sums.length)
  })

  it('is a whole number that JSON keeps', () => {
    fc.assert(
      fc.property(text, text, (place, said) => {
        const sum = sumOf(place, said)
        expect(Number.isSafeInteger(sum) && sum >= 0).toBe(true)
      }),
    )
  })
})

describe('longChecksum', () => {
  it('finds highest bits that change together, which multiplying alone would let cancel out', () => {
    const plain = 'a'.repeat(64)
    const changed = (...places: number[]) =>
      [...plain].map((unit, at) => (places.includes(at) ? '\u8061' : unit)).join('')
    const sums = [plain, changed(1, 5), changed(1, 9), changed(5, 9), changed(3, 7)]
    expect(new Set(sums.map((said) => longChecksum('x', said))).size).toBe(sums.length)
  })

  it('is the one that is stored', () => {
    expect(longChecksum('bodies:a/0-2', '{"seq":0}\n{"seq":1,"é":"日本"}')).toBe(6903718384551323)
    expect(checksum('a/0', '{"seq":0,"é":"日本"}')).toBe(5518452991917050)
  })
})
