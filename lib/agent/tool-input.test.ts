import { expect, it } from 'vitest'
import { parseToolInput } from './tool-input'

it('[R3] empty argument text is an empty object', () => {
  expect(parseToolInput(' ')).toEqual({ input: {} })
})

it('plain JSON keeps no second copy of its text', () => {
  expect(parseToolInput('{"a": 1.50, "b": ["x", {"c": -0.25e2}], "n": 120}')).toEqual({
    input: { a: 1.5, b: ['x', { c: -25 }], n: 120 },
  })
})

it('numbers a double cannot hold keep the text', () => {
  for (const text of ['{"id": 9007199254740993}', '{"x": 0.12345678901234567890}'])
    expect(parseToolInput(text)).toMatchObject({ raw: text })
  expect(parseToolInput('{"id": 9007199254740991, "big": 1e21, "zero": 0.000}').raw).toBeUndefined()
})

it('a repeated key keeps the text, for parsing drops the first value', () => {
  expect(parseToolInput('{"a": 1, "a": 2}')).toEqual({ input: { a: 2 }, raw: '{"a": 1, "a": 2}' })
})

it('digits and colons inside strings are no numbers and no keys', () => {
  const text = String.raw`{"q": "9007199254740993 \"k\": 1e999 {[{["}`
  expect(parseToolInput(text).raw).toBeUndefined()
})

it('[L5] an escaped lone surrogate is repaired in values and keys, and the text is kept', () => {
  const text = String.raw`{"a\udc00": ["x\ud800y"]}`
  expect(parseToolInput(text)).toEqual({ input: { 'a\uFFFD': ['x\uFFFDy'] }, raw: text })
})

it('[L5] a negative zero becomes a plain one, and the text is kept', () => {
  for (const text of ['{"x": -0}', '{"x": [-0.0]}', '{"x": {"y": -1e-999}}']) {
    const { input, raw } = parseToolInput(text)
    expect([JSON.stringify(input), raw]).toEqual([JSON.stringify(JSON.parse(text)), text])
    expect(input).not.toEqual(JSON.parse(text))
  }
})

it('the key __proto__ is data like any other', () => {
  const { input } = parseToolInput(String.raw`{"__proto__": {"x": "\ud800"}}`)
  expect(Object.keys(input)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(input)).toBe(Object.prototype)
})

it('what is not one JSON object is a problem for the model to read, with its text kept', () => {
  for (const text of ['{"a": ', '[1]', '"x"', 'null', '{"a": 1e999}', '['.repeat(20_000)]) {
    const { input, raw, problem } = parseToolInput(text)
    expect({ input, raw }).toEqual({ input: {}, raw: text })
    expect(problem).toMatch(/^The arguments are .* Call the tool again/)
  }
})
