import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson, codePoints, isWellFormed, repairText, utf8Length } from './text'

/** Milliseconds that thorough tests may take where other work shares the machine. */
const SLOW = 60_000

const wild = fc.string({ unit: 'binary', maxLength: 40 })
/** Any UTF-16 units, surrogates of either kind alone or paired. */
const units = fc
  .array(fc.oneof(fc.integer({ min: 0xd7f0, max: 0xe010 }), fc.integer({ min: 0, max: 0xffff })))
  .map((codes) => String.fromCharCode(...codes))

it('[L5] repairs each lone surrogate, keeps pairs, and counts what it repaired', () => {
  expect(repairText('a\ud83dz')).toEqual({ text: 'a\ufffdz', repaired: 1 })
  expect(repairText('\ude00\ud83d\ude00\ud83d')).toEqual({
    text: '\ufffd\ud83d\ude00\ufffd',
    repaired: 2,
  })
  expect(repairText('plain 😀')).toEqual({ text: 'plain 😀', repaired: 0 })
})

it(
  '[L5] repaired text is well-formed, as long as before, and repaired once for all',
  () => {
    fc.assert(
      fc.property(units, (text) => {
        const once = repairText(text)
        expect(once.text.length).toBe(text.length)
        expect(isWellFormed(once.text)).toBe(true)
        expect(isWellFormed(text)).toBe(once.repaired === 0)
        expect(repairText(once.text)).toEqual({ text: once.text, repaired: 0 })
        expect(once.text).toBe(Buffer.from(text, 'utf8').toString('utf8'))
      }),
    )
  },
  SLOW,
)

it(
  '[X2] counts code points, not UTF-16 units',
  () => {
    expect(codePoints('a😀é日')).toBe(4)
    fc.assert(
      fc.property(units, (text) => {
        expect(codePoints(text)).toBe([...text].length)
      }),
    )
  },
  SLOW,
)

it(
  '[M4] counts the bytes UTF-8 takes',
  () => {
    fc.assert(
      fc.property(units, (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text))
      }),
    )
  },
  SLOW,
)

it(
  '[S5] canonical JSON is the same for equal data in any order, and reads back as it',
  () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'é' }], a: undefined })).toBe(
      '{"b":[1,{"c":"é","d":null}]}',
    )
    fc.assert(
      fc.property(fc.dictionary(wild, fc.jsonValue()), (data) => {
        const reversed = Object.fromEntries(Object.entries(data).toReversed())
        expect(canonicalJson(reversed)).toBe(canonicalJson(data))
        expect(JSON.parse(canonicalJson(data))).toEqual(JSON.parse(JSON.stringify(data)))
      }),
    )
  },
  SLOW,
)
